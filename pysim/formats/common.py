"""Common formats of weights and caches: those that people choose from, widest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonFormat:
    """A format that people choose.

    `key`: its name in any list. `bits`: of an element, as people round them. `name`: what it is called next to
    them, "" where the bits say it all. `ready_made`: whether people find nearly every model stored this way.
    """

    key: str
    bits: int
    name: str = ""
    ready_made: bool = False


COMMON_WEIGHTS: Final = (
    CommonFormat(key="f16", bits=16, ready_made=True),
    CommonFormat(key="fp8", bits=8, name="FP8"),
    CommonFormat(key="q8_0", bits=8, name="Q8_0", ready_made=True),
    CommonFormat(key="q6_k", bits=6, name="Q6_K", ready_made=True),
    CommonFormat(key="q5_k_m", bits=5, name="Q5_K_M", ready_made=True),
    CommonFormat(key="q4_k_m", bits=4, name="Q4_K_M", ready_made=True),
    CommonFormat(key="awq-int4", bits=4, name="AWQ"),
    CommonFormat(key="mxfp4", bits=4, name="MXFP4"),
    CommonFormat(key="q3_k_m", bits=3, name="Q3_K_M", ready_made=True),
    CommonFormat(key="q2_k", bits=2, name="Q2_K", ready_made=True),
    CommonFormat(key="iq2_xxs", bits=2, name="IQ2_XXS"),
)
COMMON_CACHES: Final = (
    CommonFormat(key="f16", bits=16, ready_made=True),
    CommonFormat(key="fp8", bits=8, name="FP8"),
    CommonFormat(key="q8_0", bits=8, name="Q8_0", ready_made=True),
    CommonFormat(key="q4_0", bits=4, name="Q4_0", ready_made=True),
)
READY_MADE_WEIGHTS: Final = tuple(common.key for common in COMMON_WEIGHTS if common.ready_made)
READY_MADE_CACHES: Final = tuple(common.key for common in COMMON_CACHES if common.ready_made)
