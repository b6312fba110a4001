"""Measured efficiency: what published measurements show for runs like one.

A constant is the sum of one number that all runs share and of what each group that a run belongs to
(its family, its engine, its device, ...) adds to it; groups that nobody measured add nothing.
fit/constants.json holds the numbers, and `python -m pysim.fit` makes them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from pysim.arrays.numeric import exponential
from pysim.engines.constants import CONSTANTS, constants
from pysim.engines.efficiency import Efficiency
from pysim.engines.groups import PACKED, PLAIN, group_names
from pysim.engines.load import find_engine
from pysim.engines.names import TYPICAL

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric

# Constants between 0 and 1 are added up as log-odds, all others as logarithms.
FRACTIONS: Final = frozenset({"weights", "kv", "pipeline"})
# No kernel multiplies faster than its device; 16-bit runs reach 1.02 of the peak of a GeForce's datasheet.
FASTEST: Final = 1.05
_OF_PEAK: Final = frozenset({"matrix", "vector", "attention"})
# What unpacking costs in long passes at least, as a logarithm.
LEAST_LOSS: Final = -0.01
# Constants fitted by their inverse, so that large means fast.
INVERSE: Final = frozenset({"reread"})


def measured_efficiency(facts: Mapping[str, str]) -> Efficiency:
    """The efficiency of a run; an engine that nobody measured is taken for a typical one.

    Unpacking to 16 bits only ever costs: where measurements of packed weights came from luckier runs than those of
    16-bit ones, the matrices of packed ones are held to what their class loses elsewhere. An engine that multiplies
    them in 8 bits may be faster.
    """
    own = _capped(_sums(facts))
    if facts["class"] in PACKED and not _multiplies_in_8_bits(facts):
        plain = _capped(_sums({**facts, "class": PLAIN, "packing": PLAIN}))
        classes = _mapping(_tables("constants")["matrix"].get("packing", {}))
        loss = min(LEAST_LOSS, _number(classes.get(facts["class"], 0.0)) - _number(classes.get(PLAIN, 0.0)))
        own["matrix"] = min(own["matrix"], plain["matrix"] + loss)
    return efficiency_of(own)


def _multiplies_in_8_bits(facts: Mapping[str, str]) -> bool:
    """Does the engine multiply such weights in 8 bits on such devices? Formats of other engines' files are unpacked."""
    engine = find_engine(facts["engine"])
    if engine is None or engine.weights is None or facts["class"] == "packed":
        return False
    return facts["family"] in engine.weights.eight_bit_kernels


def _capped(sums: dict[str, float]) -> dict[str, float]:
    """The constants of a run whose kernels multiply no faster than their device."""
    most = math.log(FASTEST)
    return {name: min(total, most) if name in _OF_PEAK else total for name, total in sums.items()}


def efficiency_of(sums: Mapping[str, Numeric]) -> Efficiency:
    """Logarithms and log-odds, one of each constant or arrays of them, as the numbers they stand for."""
    values = {}
    for name, total in sums.items():
        if name in FRACTIONS:
            values[name] = 1 / (1 + exponential(-total))
        else:
            values[name] = exponential(-total if name in INVERSE else total)
    return Efficiency(**values, apart=True)


def _sums(facts: Mapping[str, str]) -> dict[str, float]:
    """The constants as logarithms and log-odds."""
    groups = group_names(facts if facts["engine"] in _items(constants()["engines"]) else {**facts, "engine": TYPICAL})
    values = {}
    for name, table in _tables("constants").items():
        total = _number(_mapping(table["all"])[""])
        for level, group in groups.items():
            total += _number(_mapping(table.get(level, {})).get(group, 0.0))
        values[name] = total
    return values


def _tables(name: str) -> Mapping[str, Mapping[str, object]]:
    tables = constants()[name]
    if not isinstance(tables, dict):
        raise TypeError(f"{CONSTANTS.name}: {name} must be an object")
    return tables


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{CONSTANTS.name}: {value!r} must be a number")
    return float(value)


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []
