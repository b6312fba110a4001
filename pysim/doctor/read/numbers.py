"""What does a number in a tool's output mean: "1,764.61", "1m2.5s", "59.02 GiB", "625.58 ± 109.36"?

Every function returns None for what it cannot read: no reader has to guard against a bad number.
"""

from __future__ import annotations

import math
import re
from typing import Final

# To build a reader's pattern with: a number as tools print it, thousands separators included.
NUMBER: Final = r"[-+]?(?:\d(?:[\d,]{0,23}\d)?(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][-+]?\d{1,3})?"
# Go prints "1m2.5s" and "850µs"; both letters that look like a mu are in use.
DURATION: Final = r"(?:\d{1,12}(?:\.\d{1,18})?(?:ns|us|µs|μs|ms|h|m|s)){1,4}"

_WHOLE: Final = re.compile(rf"\s*({NUMBER})\s*\Z")
_SEPARATED: Final = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?\Z")
_DURATION_PART: Final = re.compile(
    r"(\d[\d,]{0,24}(?:\.\d{1,18})?)\s{0,3}(ns|nanoseconds?|us|µs|μs|microseconds?|ms|msecs?|milliseconds?"
    r"|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-zA-Z])\s{0,3}"
    r"|(\d{1,12}(?:\.\d{1,18})?)(ns|us|µs|μs|ms|h|m)(?=\d)"
)
_SECONDS: Final = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "mic": 1e-6, "ms": 1e-3, "mil": 1e-3}
_SIZE: Final = re.compile(rf"\s*({NUMBER})\s{{0,20}}([kKMGTP]?)(i?)(B|b|bytes?|Bytes?)?(?![a-zA-Z])")
_COUNT: Final = re.compile(rf"\s*({NUMBER})\s{{0,20}}([kKMBT]?)(?![a-zA-Z])")
_POWER: Final = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "B": 3, "T": 4, "P": 5}
# The last forms are what a wrong code page makes of the sign.
_WITH_DEVIATION: Final = re.compile(rf"\s*({NUMBER})\s{{0,8}}(?:±|\+/?-|Â±|┬▒|\\u00b1|�{{1,3}})\s{{0,8}}({NUMBER})")


def number(text: str) -> float | None:
    """A finite number of a text that holds nothing else; commas are taken as thousands separators where they can be."""
    match = _WHOLE.match(text)
    if match is None:
        return None
    digits = match[1]
    if "," in digits:
        if not _SEPARATED.match(digits):
            return None
        digits = digits.replace(",", "")
    value = float(digits)
    return value if math.isfinite(value) else None


def whole(text: str) -> int | None:
    """A whole number, or None for anything else."""
    value = number(text)
    return int(value) if value is not None and value.is_integer() else None


def finite(value: object) -> float | None:
    """A finite number of a value that came out of JSON, also of one written as text; of true and false none."""
    if isinstance(value, str):
        return number(value) if len(value) < 40 else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def positive(value: object) -> float | None:
    """As `finite`, and None for zero and less: a speed or a time that was not measured."""
    known = finite(value)
    return known if known is not None and known > 0 else None


def count(value: object) -> int | None:
    """As `finite`, for a whole number that is not negative."""
    known = finite(value)
    return int(known) if known is not None and known >= 0 and known.is_integer() and known < 1e15 else None


def duration_s(text: str) -> float | None:
    """Seconds of "204.563ms", "1m2.5s", "850µs", "2 min 5 s" or "3 hours"; None without a unit."""
    text = text.strip()
    parts: list[float] = []
    at = 0
    while at < len(text):
        match = _DURATION_PART.match(text, at)
        if match is None or len(parts) > 8:
            return None
        amount, unit = (match[1], match[2]) if match[1] else (match[3], match[4])
        value = number(amount)
        if value is None:
            return None
        parts.append(value * _unit_s(unit))
        at = match.end()
    return math.fsum(parts) if parts else None


def _unit_s(unit: str) -> float:
    for length in (3, 2, 1):
        if unit[:length] in _SECONDS:
            return _SECONDS[unit[:length]]
    return {"h": 3600.0, "m": 60.0}.get(unit[0], 1.0)


def size_bytes(text: str) -> float | None:
    """Bytes of "59.02 GiB", "3825.07 MB", "126976 MiB" or "3.6G"; a bare number is none."""
    match = _SIZE.match(text)
    if match is None or not (match[2] or match[4]):
        return None
    value = number(match[1])
    return None if value is None else value * (1024.0 if match[3] else 1000.0) ** _POWER[match[2]]


def amount(text: str) -> float | None:
    """A count such as "116.83 B" or "630M" (of parameters) or "131k"."""
    match = _COUNT.match(text)
    value = number(match[1]) if match else None
    return None if match is None or value is None else value * 1000.0 ** _POWER[match[2]]


def with_deviation(text: str) -> tuple[float | None, float | None]:
    """The mean and the deviation of "625.58 ± 109.36"; a lone number has no deviation."""
    match = _WITH_DEVIATION.match(text)
    if match is None:
        return number(text), None
    return number(match[1]), number(match[2])
