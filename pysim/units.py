"""Units: how does "3.35 TB/s" become 3.35e12, and the other way round?

Decimal prefixes are powers of 1000 (GB), binary ones powers of 1024 (GiB); the two are never mixed.
"""

from __future__ import annotations

import math
import re
from typing import Final

from pysim.checks import shown
from pysim.errors import BadValue, quoted

KIB: Final = 2**10
MIB: Final = 2**20
GIB: Final = 2**30

_DECIMAL: Final = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_SMALL: Final = {"m": 1e-3, "µ": 1e-6, "μ": 1e-6, "u": 1e-6, "n": 1e-9}
_BINARY: Final = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40}
_PREFIXES: Final[dict[str, dict[str, float]]] = {
    "B": _DECIMAL | _BINARY,
    "B/s": _DECIMAL | _BINARY,
    "FLOP": _DECIMAL,
    "FLOP/s": _DECIMAL,
    "FLOP/B": {"": 1.0},
    "s": {"": 1.0} | _SMALL,
    "Hz": _DECIMAL,
    "tokens": {"": 1.0, "k": 1e3, "M": 1e6},
    "tokens/s": {"": 1.0, "k": 1e3, "M": 1e6},
    "requests/s": {"": 1.0},
}
# How data sheets print the same units.
_SPELLINGS: Final = {
    "FLOP/s": ("FLOP/s", "FLOPS", "OP/s", "OPS"),
    "tokens": ("tokens", "token"),
    "tokens/s": ("tokens/s", "token/s", "tok/s", "t/s"),
}
_QUANTITY: Final = re.compile(r"\s*([+-]?[0-9][0-9_,]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?)\s*(\S*)\s*\Z")


def units() -> tuple[str, ...]:
    """The units that `parse` and `show` know."""
    return tuple(_PREFIXES)


def parse(text: str, unit: str) -> float:
    """The SI value of a printed quantity: 3.35e12 of "3.35 TB/s" in "B/s".

    Raises BadValue for anything that is not one finite number with the asked unit.
    """
    _known(unit)
    if not isinstance(text, str):
        raise BadValue(f'a quantity is text such as "3.35 T{unit}", not {shown(text)}')
    match = _QUANTITY.match(text)
    if match is None:
        raise BadValue(f'{quoted(text)} is not a quantity in {unit}; write a number and a unit, such as "3.35 {unit}"')
    number, suffix = match.groups()
    for spelling in _SPELLINGS.get(unit, (unit,)):
        prefix = suffix.removesuffix(spelling)
        if suffix.endswith(spelling) and prefix in _PREFIXES[unit]:
            value = float(number.replace(",", "").replace("_", "")) * _PREFIXES[unit][prefix]
            if math.isfinite(value):
                return value
    allowed = ", ".join(f"{prefix}{unit}" for prefix in _PREFIXES[unit])
    if others := [spelling for spelling in _SPELLINGS.get(unit, ()) if spelling != unit]:
        allowed += (
            f"; {unit} is also written {', '.join(others)}, as in {'T' if 'T' in _PREFIXES[unit] else ''}{others[0]}"
        )
    raise BadValue(f"{quoted(text)} is not in {unit}; allowed: {allowed}")


def show(value: float, unit: str, *, digits: int = 4, binary: bool = False) -> str:
    """The printed form of an SI value, with the prefix that reads best: "16.00 GB" of 1.6e10 in "B".

    binary=True shows bytes in KiB, MiB, GiB. `digits` counts significant digits; a whole number that
    needs no prefix keeps all its digits.
    """
    _known(unit)
    if not math.isfinite(value):
        return "none" if math.isnan(value) else f"{'-' if value < 0 else ''}∞ {unit}"
    if value == 0:
        return f"0 {unit}"
    scale = _scale(unit, binary)
    # Compared after rounding, so that 999.96 GB does not show as 1000 GB.
    fitting = ((prefix, factor) for prefix, factor in scale if _rounded(abs(value) / factor, digits) >= 1)
    prefix, factor = next(fitting, scale[-1])
    if factor == 1 and float(value).is_integer():
        return f"{value:,.0f} {unit}"
    scaled = _rounded(value / factor, digits)
    return f"{scaled:,.{_decimals(scaled, digits)}f} {prefix}{unit}"


def _known(unit: str) -> None:
    if unit not in _PREFIXES:
        raise BadValue(f"unknown unit {quoted(unit)}; allowed: {', '.join(_PREFIXES)}")


def _scale(unit: str, binary: bool) -> list[tuple[str, float]]:
    """Prefixes to try, largest first; the last one is taken for anything smaller."""
    known = _PREFIXES[unit]
    if binary and "Gi" not in known:
        raise BadValue(f"binary prefixes are for bytes, not for {unit}")
    if unit == "s":
        return [("", 1.0), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9)]
    if unit in ("tokens", "tokens/s", "requests/s"):
        return [("", 1.0)]
    names = ("Ti", "Gi", "Mi", "Ki", "") if binary else ("P", "T", "G", "M", "k", "")
    return [(name, known[name]) for name in names if name in known]


def _rounded(value: float, digits: int) -> float:
    if value == 0:
        return 0.0
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def _decimals(value: float, digits: int) -> int:
    whole = 1 if abs(value) < 1 else math.floor(math.log10(abs(value))) + 1
    if value != 0 and abs(value) < 1:
        return max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return max(0, digits - whole)
