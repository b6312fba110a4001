"""Measured efficiency and spread: what published measurements show for runs like one.

A constant is the sum of one number that all runs share and of what each group that a run belongs to
(its family, its engine, its device, ...) adds to it; groups that nobody measured add nothing.
fit/constants.json holds the numbers, and `python -m pysim.fit` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pysim.arrays.numeric import exponential
from pysim.engines.constants import CONSTANTS, constants
from pysim.engines.efficiency import Efficiency
from pysim.engines.groups import PACKED, PLAIN, format_class, group_names
from pysim.engines.names import TYPICAL, backend_name, engine_name

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.formats.names import WeightFormat
    from pysim.hardware.device import Device

# Constants between 0 and 1 are added up as log-odds, all others as logarithms.
FRACTIONS: Final = frozenset({"weights", "kv", "serial", "pipeline"})
# Constants fitted by their inverse, so that large means fast.
INVERSE: Final = frozenset({"reread"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How far measured times lie from predicted ones.

    `prefill` and `decode`: the logarithms of their ratios that one run in ten falls below and one in ten above.
    `batched_prefill` and `batched_decode`: how many times further batched runs scatter.
    `fitted` says whether runs of this engine on this family were measured; where not, the spread is
    that of runs predicted without their like.
    """

    prefill: tuple[float, float]
    decode: tuple[float, float]
    batched_prefill: float
    batched_decode: float
    fitted: bool


def facts_of(device: Device, engine: str, backend: str | None, stored: WeightFormat, *, is_moe: bool) -> dict[str, str]:
    """The facts that decide which groups a run belongs to."""
    name, kernel = engine_name(engine), format_class(stored)
    return {
        "engine": name,
        "family": device.family,
        "backend": backend_name(backend, device.family) if name != TYPICAL else "",
        "device": device.entry,
        "class": kernel,
        "packing": kernel if kernel == PLAIN or kernel in PACKED else "",
        "kind": "experts" if is_moe else "dense",
    }


def measured_efficiency(facts: Mapping[str, str]) -> Efficiency:
    """The efficiency of a run; an engine that nobody measured is taken for a typical one.

    Unpacking only ever costs: where measurements of packed weights came from luckier runs than those
    of 16-bit ones, the matrices of packed ones are held to what their class loses elsewhere.
    """
    own = _sums(facts)
    if facts["class"] in PACKED:
        plain = _sums({**facts, "class": PLAIN, "packing": PLAIN})
        classes = _mapping(_tables("constants")["matrix"].get("packing", {}))
        loss = min(0.0, _number(classes.get(facts["class"], 0.0)) - _number(classes.get(PLAIN, 0.0)))
        own["matrix"] = min(own["matrix"], plain["matrix"] + loss)
    return efficiency_of(own)


def efficiency_of(sums: Mapping[str, Numeric]) -> Efficiency:
    """Logarithms and log-odds, one of each constant or arrays of them, as the numbers they stand for."""
    values = {}
    for name, total in sums.items():
        if name in FRACTIONS:
            values[name] = 1 / (1 + exponential(-total))
        else:
            values[name] = exponential(-total if name in INVERSE else total)
    return Efficiency(**values)


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


def spread(facts: Mapping[str, str]) -> Spread:
    """How far runs with these facts scatter."""
    table = _tables("spread")
    cell = f"{facts['engine']}/{facts['family']}"
    same_device = facts["device"] in _items(constants()["devices"])
    scales = {phase: _scale(table[phase], cell, same_device=same_device) for phase in table}
    return Spread(
        prefill=scales["prefill"],
        decode=scales["decode"],
        batched_prefill=_number(table["prefill"]["batched"]),
        batched_decode=_number(table["decode"]["batched"]),
        fitted=cell in _mapping(table["decode"]["cells"]) or cell in _mapping(table["prefill"]["cells"]),
    )


def _scale(of_phase: Mapping[str, object], cell: str, *, same_device: bool) -> tuple[float, float]:
    cells = _mapping(of_phase["cells"])
    scale = _number(cells[cell] if cell in cells else of_phase["unknown"])
    if cell in cells and not same_device:
        scale *= _number(of_phase["other_device"])
    low, high = (_number(quantile) for quantile in _items(of_phase["quantiles"]))
    return low * scale, high * scale


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
