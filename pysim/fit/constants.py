"""Constants of the fit: which are there, and how far may groups differ in each?

Chosen by cross-validation (`python -m pysim.fit.validate`): a level stays where leaving it out
makes predictions of groups that were not fitted worse.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from pysim.fit.hierarchy import Constant

CONSTANTS: Final[Mapping[str, Constant]] = {
    # Fractions (log-odds): of the bandwidth for weights, and for the cache.
    "weights": Constant(
        usual=2.0, differ={"family": 0.5, "engine": 0.5, "cell": 0.4, "backend": 0.3, "device": 0.3, "cell class": 0.3}
    ),
    "kv": Constant(usual=0.0, differ={"family": 0.5, "engine": 0.5, "cell": 0.5, "backend": 0.5}),
    # Of the peak: few tokens, many tokens, attention.
    "vector": Constant(
        usual=math.log(0.2),
        differ={"family": 0.5, "engine": 0.5, "cell": 0.3, "backend": 0.3, "cell class": 0.4, "kind": 0.3},
    ),
    "matrix": Constant(
        usual=math.log(0.3),
        differ={
            "family": 0.5, "engine": 0.3, "cell": 0.3, "backend": 0.4, "packing": 0.3, "cell class": 0.25,
            "backend class": 0.25, "device": 0.25, "kind": 0.3, "cell kind": 0.3,
        },
    ),
    "attention": Constant(usual=math.log(0.2), differ={"family": 0.5, "engine": 0.4, "cell": 0.3, "backend": 0.5}),
    # Tokens.
    "reread": Constant(usual=math.log(100), differ={"family": 0.5, "engine": 0.3, "cell": 0.3, "backend": 0.7}),
    "vector_unpack_tokens": Constant(
        usual=math.log(3),
        differ={"family": 0.5, "engine": 0.4, "cell": 0.3, "class": 0.5, "cell class": 0.3, "device": 0.3},
    ),
    "matrix_unpack_tokens": Constant(
        usual=math.log(60), differ={"family": 0.8, "engine": 0.5, "cell": 0.5, "backend": 0.8, "kind": 0.7}
    ),
    # Seconds.
    "layer_s": Constant(
        usual=math.log(80e-6),
        differ={"family": 0.5, "engine": 0.4, "cell": 0.3, "backend": 0.3, "kind": 0.3, "device": 0.2},
    ),
    "pass_s": Constant(usual=math.log(100e-6), differ={"engine": 0.5, "cell": 0.3}),
    "reduce_s": Constant(usual=math.log(15e-6), differ={"engine": 0.5}),
    # Exponent and fraction (log-odds).
    "pipeline": Constant(usual=1.0, differ={"cell": 0.5}),
    "serial": Constant(usual=2.0, differ={}),
}  # fmt: skip
