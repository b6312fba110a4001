"""Efficiency of a device under an engine: fractions of its datasheet, and what a pass costs besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class Efficiency:
    """Fractions of the datasheet's speeds that are reached, and fixed costs.

    Linear layers have two kernels, of which an engine takes the faster one: `vector` for few tokens,
    `matrix` for many. Unpacking the weights costs as much arithmetic as that many more tokens.
    `attention` is the fraction in its arithmetic; besides, each fed token reads the part `reread` of
    the cached rows it looks at once more (a block of queries shares a reading).
    `serial`: the part of the shorter one of memory and compute time that the longer one does not hide.
    `reduce_s`: one all-reduce of a tensor split. `pipeline`: how far a layer split's speed in
    prefill comes towards a perfect pipeline, as the exponent of that pipeline's gain.
    """

    weights: Numeric = 1.0
    kv: Numeric = 1.0
    attention: Numeric = 1.0
    reread: Numeric = 0.0
    vector: Numeric = 1.0
    vector_unpack_tokens: Numeric = 0.0
    matrix: Numeric = 1.0
    matrix_unpack_tokens: Numeric = 0.0
    serial: Numeric = 0.0
    pass_s: Numeric = 0.0
    layer_s: Numeric = 0.0
    reduce_s: Numeric = 0.0
    pipeline: Numeric = 1.0


BEST_CASE: Final = Efficiency()
