"""How much of its datasheet does a device reach under an engine, and what does a pass cost besides?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Efficiency:
    """Fractions of the datasheet's speeds that are reached, and fixed costs.

    Linear layers have two kernels, of which an engine takes the faster one: `vector` for few tokens,
    `matrix` for many. Unpacking the weights costs as much arithmetic as that many more tokens.
    `serial`: the part of the shorter one of memory and compute time that the longer one does not hide.
    `reduce_s`: one all-reduce of a tensor split. `pipeline`: the most devices that a layer split
    keeps busy in a long prefill.
    """

    weights: float = 1.0
    kv: float = 1.0
    attention: float = 1.0
    vector: float = 1.0
    vector_unpack_tokens: float = 0.0
    matrix: float = 1.0
    matrix_unpack_tokens: float = 0.0
    serial: float = 0.0
    pass_s: float = 0.0
    layer_s: float = 0.0
    reduce_s: float = 0.0
    pipeline: float = 1.0


BEST_CASE: Final = Efficiency()
