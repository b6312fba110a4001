"""Efficiency of a device under an engine: fractions of its spec sheet, and what a pass costs besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class Efficiency:
    """Fractions of the spec sheet's speeds that are reached, and fixed costs.

    Linear layers have two kernels, of which an engine takes the faster one: `vector` for few tokens,
    `matrix` for many. Unpacking the weights costs as much arithmetic as that many more tokens; of experts'
    matrices each is padded by `expert_pad_tokens` more: few tokens choose the same expert.
    `attention` is the fraction in its arithmetic for blocks of queries, `attention_vector` for one query;
    besides, each fed token reads the part `reread` of the cached rows it looks at once more (a block of
    queries shares a reading).
    `apart`: layers' matrices and attention are kernels one after the other, which hide nothing of each other.
    `reduce_s`: one all-reduce of a tensor split. `hand_over_s`: from one device of a layer split to the next.
    `pipeline`: how far a layer split's speed in prefill comes toward a perfect pipeline, as the exponent of
    that pipeline's gain.
    """

    weights: Numeric = 1.0
    kv: Numeric = 1.0
    attention: Numeric = 1.0
    attention_vector: Numeric = 1.0
    reread: Numeric = 0.0
    vector: Numeric = 1.0
    vector_unpack_tokens: Numeric = 0.0
    matrix: Numeric = 1.0
    matrix_unpack_tokens: Numeric = 0.0
    expert_pad_tokens: Numeric = 0.0
    pass_s: Numeric = 0.0
    layer_s: Numeric = 0.0
    reduce_s: Numeric = 0.0
    hand_over_s: Numeric = 0.0
    pipeline: Numeric = 1.0
    apart: bool = False


BEST_CASE: Final = Efficiency()
