"""The ggml types: how many bytes does each kind of block in a GGUF file take, and how many weights are in it?

Block sizes: `GGML_QUANT_SIZES` in gguf-py/gguf/constants.py and the structs of ggml/src/ggml-common.h, read on
2026-12-01 (https://github.com/ggml-org/llama.cpp). The blocks that were rearranged for Arm cores are no longer
written, but are in files of 2024.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class GgmlType:
    """One type of tensor: its name, and a block's bytes and weights."""

    name: str
    block_bytes: int
    block_weights: int

    @property
    def bits(self) -> float:
        """Bits per weight, the scales of the block included."""
        return 8 * self.block_bytes / self.block_weights


# number in the file: (name, bytes of a block, weights in it)
_TYPES: Final = {
    0: ("F32", 4, 1), 1: ("F16", 2, 1), 30: ("BF16", 2, 1), 28: ("F64", 8, 1),
    24: ("I8", 1, 1), 25: ("I16", 2, 1), 26: ("I32", 4, 1), 27: ("I64", 8, 1),
    2: ("Q4_0", 18, 32), 3: ("Q4_1", 20, 32), 6: ("Q5_0", 22, 32), 7: ("Q5_1", 24, 32),
    8: ("Q8_0", 34, 32), 9: ("Q8_1", 36, 32), 41: ("Q1_0", 18, 128), 42: ("Q2_0", 18, 64),
    10: ("Q2_K", 84, 256), 11: ("Q3_K", 110, 256), 12: ("Q4_K", 144, 256), 13: ("Q5_K", 176, 256),
    14: ("Q6_K", 210, 256), 15: ("Q8_K", 292, 256),
    19: ("IQ1_S", 50, 256), 29: ("IQ1_M", 56, 256), 16: ("IQ2_XXS", 66, 256), 17: ("IQ2_XS", 74, 256),
    22: ("IQ2_S", 82, 256), 18: ("IQ3_XXS", 98, 256), 21: ("IQ3_S", 110, 256), 20: ("IQ4_NL", 18, 32),
    23: ("IQ4_XS", 136, 256), 34: ("TQ1_0", 54, 256), 35: ("TQ2_0", 66, 256),
    39: ("MXFP4", 17, 32), 40: ("NVFP4", 36, 64),
    31: ("Q4_0_4_4", 18, 32), 32: ("Q4_0_4_8", 18, 32), 33: ("Q4_0_8_8", 18, 32),
    36: ("IQ4_NL_4_4", 18, 32), 37: ("IQ4_NL_4_8", 18, 32), 38: ("IQ4_NL_8_8", 18, 32),
}  # fmt: skip
GGML_TYPES: Final[Mapping[int, GgmlType]] = {
    number: GgmlType(name=name, block_bytes=size, block_weights=weights)
    for number, (name, size, weights) in _TYPES.items()
}
BY_NAME: Final[Mapping[str, GgmlType]] = {kind.name: kind for kind in GGML_TYPES.values()}
# `general.file_type` of a file: what its quantizer was asked for (enum llama_ftype in include/llama.h).
FILE_TYPES: Final[Mapping[int, str]] = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S",
    12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K",
    19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL",
    26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16",
    33: "Q4_0_4_4", 34: "Q4_0_4_8", 35: "Q4_0_8_8", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4", 39: "NVFP4",
    40: "Q1_0", 41: "Q2_0",
}  # fmt: skip
