"""At how many tokens, or conversations, does a pass stop waiting for memory and start waiting for arithmetic?

Best case: the datasheet's roofline, where a pass is at its ridge when both take equally long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from pysim.arrays.numeric import checked
from pysim.arrays.search import most_that_fit
from pysim.roofline.setting import Setting, setting
from pysim.roofline.times import moved, pass_times
from pysim.roofline.work import work

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model

MOST_TOKENS: Final = 1e9
CLOSE_ENOUGH: Final = 1e-9
# Of a mixture the experts that a batch visits grow with the batch, each round a little less.
MOST_ROUNDS: Final = 500


def ridge_tokens(
    model: Model, device: Device, context_tokens: float = 0, weights: str = "f16", kv: str = "f16"
) -> float | None:
    """The ridge of a pass in tokens of one conversation, fed together after `context_tokens` cached ones.

    1 where a single token is at or past the ridge; None where no number of tokens reaches it.
    """
    context = _plain(context_tokens, "context_tokens", least=0)
    at = _best_case(model, device, weights, kv)
    if _compute_lead_s(at, 1.0, context) >= 0:
        return 1.0
    below, above = 1.0, 2.0
    while _compute_lead_s(at, above, context) < 0:
        below, above = above, 2 * above
        if above > MOST_TOKENS:
            return None
    while above - below > CLOSE_ENOUGH * above:
        middle = (below + above) / 2
        if _compute_lead_s(at, middle, context) < 0:
            below = middle
        else:
            above = middle
    return above


def ridge_batch(
    model: Model, device: Device, context_tokens: float, weights: str = "f16", kv: str = "f16"
) -> float | None:
    """The ridge of a decode pass in conversations of `context_tokens` tokens, the newest one included.

    R·W / (flop - R·own bytes), per conversation, with R the device's FLOP per byte and W the weight
    bytes that all share: what a conversation brings along in arithmetic beyond what its own bytes
    already pay for has to make up for W. Past some context it brings nothing: None. 1 where one
    conversation is at or past the ridge.
    """
    context = _plain(context_tokens, "context_tokens", least=1)
    at = _best_case(model, device, weights, kv)
    one = work(at.shape, 1, context - 1, 1)
    row = at.stored.embedding_row
    alone = moved(one, at.stored)
    own_bytes = _float(alone.kv_read) + _float(alone.kv_written) + row
    gain_flop = _float(one.flop) - at.ridge_flop_per_byte * own_bytes
    if gain_flop <= 0:
        return None
    all_experts = at.stored.expert * at.shape.num_experts * at.shape.moe_layers
    batch = at.ridge_flop_per_byte * (at.stored.layers + at.stored.head + all_experts) / gain_flop
    for _ in range(MOST_ROUNDS):
        if batch <= 1:
            return 1.0
        read = moved(work(at.shape, 1, context - 1, batch), at.stored).weights_read
        nearer = at.ridge_flop_per_byte * (_float(read) - row * batch) / gain_flop
        if abs(nearer - batch) <= CLOSE_ENOUGH * batch:
            break
        batch = nearer
    return batch


def _best_case(model: Model, device: Device, weights: str, kv: str) -> Setting:
    return setting(model, device, weights, kv, None, None, 1, "tensor", 0, None)


def _compute_lead_s(at: Setting, tokens: float, context: float) -> float:
    """By how much the arithmetic of a pass takes longer than its memory traffic."""
    todo = work(at.shape, tokens, context, 1)
    took = pass_times(todo, moved(todo, at.stored), at.stages)
    return _float(took.compute_s) - _float(took.memory_s)


def _plain(value: float, name: str, least: float) -> float:
    return _float(checked(value, name, least=least))


def _float(value: object) -> float:
    return cast("float", value)


LONGEST_CONTEXT_TOKENS: Final = 2**30


def ridge_reach_tokens(model: Model, device: Device, weights: str = "f16", kv: str = "f16") -> int | None:
    """The longest context, in tokens, for which `ridge_batch` is a number.

    0 where it is none even for one token; None where no length ends it (windows bound the reading).
    """

    def reached(tokens: int) -> bool:
        return ridge_batch(model, device, tokens, weights, kv) is not None

    return None if reached(LONGEST_CONTEXT_TOKENS) else most_that_fit(reached, LONGEST_CONTEXT_TOKENS)
