"""Numbers written into a page so that every machine writes the same text.

Transcendental functions differ in their last bits between WebAssembly and native libraries.
Nine significant digits hide that; lengths and coordinates need no more than two decimals.
"""

from __future__ import annotations

import math

SIGNIFICANT_DIGITS = 9
EXACT_LIMIT = 2.0**53


def raw(value: float) -> str:
    """Return the text of `value` for `data-value`: whole numbers exactly, others to 9 significant digits.

    Raises ValueError for a value that is not finite: such a readout has to be "none".
    """
    if isinstance(value, int):
        return str(value)
    if not math.isfinite(value):
        raise ValueError(f"a readout must be finite, not {value}")
    if value == math.floor(value) and abs(value) < EXACT_LIMIT:
        return str(int(value))
    return format(value, f".{SIGNIFICANT_DIGITS}g")


def length(value: float) -> str:
    """Return a length or coordinate with at most two decimals: 33.333… gives "33.33", 20.0 gives "20"."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def percent(fraction: float) -> str:
    """Return a CSS percentage of a fraction from 0 to 1; values outside are clamped."""
    return f"{length(100 * min(1.0, max(0.0, fraction)))}%"


def share(fraction: float) -> str:
    """Return a share for reading, finer near none and near all of it: "2.8%", "42%", "99.3%"; never rounded to all."""
    part = 100 * min(1.0, max(0.0, fraction))
    if part < 10:
        return f"{length(round(part, 1))}%"
    return f"{part:.0f}%" if part < 98.5 else f"{length(math.floor(part * 10) / 10)}%"


def count(value: float) -> str:
    """Return a whole number with thousands separators: 131072 gives "131,072"."""
    return f"{value:,.0f}"


def plural(number: int, noun: str) -> str:
    """Return "1 token", "2 tokens", "3 passes"."""
    ending = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{count(number)} {noun}{ending}"
