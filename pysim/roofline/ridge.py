"""The ridge: at how many tokens, or conversations, is a pass no longer bound by memory but by compute?

Best case: the spec sheet's roofline, where a pass is at its ridge when both take equally long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from pysim.arrays.numeric import one_number
from pysim.arrays.search import most_that_fit
from pysim.roofline.setting import Setting, setting
from pysim.roofline.times import moved, pass_times
from pysim.roofline.work import work

if TYPE_CHECKING:
    from pysim.deployed import Deployed

MOST_TOKENS: Final = 1e9
CLOSE_ENOUGH: Final = 1e-9
# Of a mixture the experts that a batch visits grow with the batch, each round a little less.
MOST_ROUNDS: Final = 500
LONGEST_CONTEXT_TOKENS: Final = 2**30


def ridge_tokens(on: Deployed, context_tokens: float = 0) -> float | None:
    """The ridge of a pass in tokens of one conversation, fed together after `context_tokens` cached ones.

    1 where a single token is at or past the ridge; None where no number of tokens reaches it.
    """
    context = one_number(context_tokens, "context_tokens", least=0)
    at = setting(on, "datasheet")
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


def ridge_batch(on: Deployed, context_tokens: float) -> float | None:
    """The ridge of a decode pass in conversations of `context_tokens` tokens, the newest one included.

    R·W / (flop - R·own bytes), per conversation, with R the devices' FLOP per byte and W the weight
    bytes that all share: what a conversation brings along in arithmetic beyond what its own bytes
    already pay for has to make up for W. Past some context it brings nothing: None. 1 where one
    conversation is at or past the ridge. Where a tensor split keeps copies of a cache, its bytes count
    as often as they are read one after the other.
    """
    context = one_number(context_tokens, "context_tokens", least=1)
    at = setting(on, "datasheet")
    ridge, kv_weight = _ridge_of(at)
    one = work(at.shape, 1, context - 1, 1)
    row = at.stored.embedding_row
    alone = moved(one, at.stored)
    own_bytes = (_float(alone.kv_read) + _float(alone.kv_written)) * kv_weight + row
    gain_flop = _float(one.flop) - ridge * own_bytes
    if gain_flop <= 0:
        return None
    all_experts = at.stored.expert * at.shape.num_experts * at.shape.moe_layers
    batch = ridge * (at.stored.layers + at.stored.head + all_experts) / gain_flop
    for _ in range(MOST_ROUNDS):
        if batch <= 1:
            return 1.0
        read = moved(work(at.shape, 1, context - 1, batch), at.stored).weights_read
        nearer = ridge * (_float(read) - row * batch) / gain_flop
        if abs(nearer - batch) <= CLOSE_ENOUGH * batch:
            break
        batch = nearer
    return batch


def _ridge_of(at: Setting) -> tuple[float, float]:
    """FLOP per byte of weights at the ridge, and how many bytes of weights take as long as one of cache."""
    if len(at.stages) == 1:
        (stage,) = at.stages
        return at.ridge_flop_per_byte, _float(stage.bandwidth_bytes_per_s / stage.kv_bandwidth_bytes_per_s)
    per_flop = sum(stage.share / stage.peak_flop_per_s for stage in at.stages)
    per_byte = sum(stage.share / stage.bandwidth_bytes_per_s for stage in at.stages)
    per_kv_byte = sum(stage.share / stage.kv_bandwidth_bytes_per_s for stage in at.stages)
    return _float(per_byte / per_flop), _float(per_kv_byte / per_byte)


def _compute_lead_s(at: Setting, tokens: float, context: float) -> float:
    """By how much the arithmetic of a pass takes longer than its memory traffic."""
    todo = work(at.shape, tokens, context, 1)
    took = pass_times(todo, moved(todo, at.stored), at.stages)
    return _float(took.compute_s) - _float(took.memory_s)


def _float(value: object) -> float:
    return cast("float", value)


def ridge_reach_tokens(on: Deployed) -> int | None:
    """The longest context, in tokens, for which `ridge_batch` is a number.

    0 where it is none even for one token; None where no length ends it (windows bound the reading).
    """

    def has_ridge(tokens: int) -> bool:
        return ridge_batch(on, tokens) is not None

    return None if has_ridge(LONGEST_CONTEXT_TOKENS) else most_that_fit(has_ridge, LONGEST_CONTEXT_TOKENS)
