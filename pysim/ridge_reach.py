"""How long may conversations be so that enough of them, decoded together, wait for the arithmetic?

Each conversation brings its own cache to read. Past some length that takes longer than the arithmetic
it brings along, so that no number of conversations makes the pass compute-bound any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.halving import most_that_fit
from pysim.ridge import ridge_batch

if TYPE_CHECKING:
    from pysim.device import Device
    from pysim.model import Model

MOST_TOKENS: Final = 2**30


def ridge_reach_tokens(model: Model, device: Device, weights: str = "f16", kv: str = "f16") -> int | None:
    """The longest context, in tokens, for which `ridge_batch` is a number.

    0 where it is none even for one token; None where no length ends it (windows bound the reading).
    """

    def reached(tokens: int) -> bool:
        return ridge_batch(model, device, tokens, weights, kv) is not None

    return None if reached(MOST_TOKENS) else most_that_fit(reached, MOST_TOKENS)
