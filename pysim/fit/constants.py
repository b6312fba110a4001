"""Constants of the fit: which are there, and how far may groups differ in each?

Chosen by cross-validation (`python -m pysim.fit.validate`): a level stays where leaving it out
makes predictions of groups that were not fitted worse.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from pysim.fit.hierarchy import Constant

_RUN: Final = {"unfused": 0.7, "cell unfused": 0.42}
# Layers whose kernels are others: latents, recurrences.
_MIXING: Final = {"mixing": 0.5, "cell mixing": 0.4}
_YEAR: Final = {"year": 0.28, "cell year": 0.28}
CONSTANTS: Final[Mapping[str, Constant]] = {
    # Fractions (log-odds): of the bandwidth for weights, and for the cache.
    "weights": Constant(
        usual=2.0,
        differ={**_MIXING,
            "family": 0.7, "engine": 0.7, "cell": 0.56, "backend": 0.42, "device": 0.42, "cell class": 0.42,
            "cell kind": 0.42, **_YEAR,
        },
    ),
    "kv": Constant(
        usual=1.3, differ={**_MIXING, "family": 0.7, "engine": 0.7, "cell": 0.7, "backend": 0.7, **_RUN}
    ),
    # Of the peak: few tokens, many tokens, attention.
    "vector": Constant(
        usual=math.log(0.2),
        differ={
            "family": 0.7, "engine": 0.7, "cell": 0.42, "backend": 0.42, "cell class": 0.56, "kind": 0.42, **_YEAR,
        },
    ),
    "matrix": Constant(
        usual=math.log(0.3),
        differ={**_MIXING,
            "family": 0.7, "engine": 0.42, "cell": 0.42, "backend": 0.56, "packing": 0.42, "cell class": 0.35,
            "backend class": 0.35, "device": 0.35, "kind": 0.42, "cell kind": 0.42, "backend kind": 0.42, **_YEAR,
        },
    ),
    "attention": Constant(
        usual=math.log(0.25), differ={**_MIXING, "family": 0.7, "engine": 0.56, "cell": 0.42, "backend": 0.7, **_RUN}
    ),
    "attention_vector": Constant(
        usual=math.log(0.05), differ={**_MIXING, "family": 0.7, "engine": 0.56, "cell": 0.42, "backend": 0.7, **_RUN}
    ),
    # Tokens.
    "reread": Constant(usual=math.log(100), differ={"family": 0.7, "engine": 0.42, "cell": 0.42, "backend": 0.98}),
    "vector_unpack_tokens": Constant(
        usual=math.log(3),
        differ={"family": 0.7, "engine": 0.56, "cell": 0.42, "class": 0.7, "cell class": 0.42, "device": 0.42, **_YEAR},
    ),
    "matrix_unpack_tokens": Constant(
        usual=math.log(60), differ={"family": 1.12, "engine": 0.7, "cell": 0.7, "backend": 1.12}
    ),
    "expert_pad_tokens": Constant(
        usual=math.log(20), differ={"family": 0.7, "engine": 0.7, "cell": 0.7, "backend": 0.7}
    ),
    # Seconds.
    "layer_s": Constant(
        usual=math.log(80e-6),
        differ={
            **_MIXING, "family": 0.7, "engine": 0.56, "cell": 0.42, "backend": 0.42, "kind": 0.42, "device": 0.28,
            **_YEAR,
        },
    ),
    "pass_s": Constant(usual=math.log(100e-6), differ={"engine": 0.7, "cell": 0.42}),
    "reduce_s": Constant(usual=math.log(15e-6), differ={"engine": 0.7, "link": 0.98}),
    "hand_over_s": Constant(usual=math.log(100e-6), differ={}),
    # Exponent and fraction (log-odds).
    "pipeline": Constant(usual=1.0, differ={"cell": 0.7}),
}  # fmt: skip
