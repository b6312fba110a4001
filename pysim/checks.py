"""Checks of a value: is it one that pysim can work with, and if not, what should it have been?"""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Final

from pysim.errors import BadValue, quoted

MOST: Final = 10**12  # far above any published size, far below where floats lose whole numbers


def count(value: object, name: str, *, least: int = 1, most: int = MOST) -> int:
    """A whole number in [least, most]; bools, floats, NaN and texts are refused by name."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise BadValue(f"{name} must be a whole number from {least} to {most:,}, not {shown(value)}")
    number = int(value)
    if not least <= number <= most:
        raise BadValue(f"{name} must be from {least} to {most:,}, not {shown(value)}")
    return number


def amount(value: object, name: str, *, least: float = 0.0, above: bool = False) -> float:
    """A finite real number of at least `least` (more than `least` if above)."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadValue(f"{name} must be a number, not {shown(value)}")
    number = float(value)
    if not math.isfinite(number) or number < least or (above and number == least):
        bound = "more than" if above else "at least"
        raise BadValue(f"{name} must be {bound} {least:g} and finite, not {shown(value)}")
    return number


def text(value: object, name: str) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise BadValue(f"{name} must be a text, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """A bad value as an error names it: short, and safe for numbers too long to print."""
    if isinstance(value, str):
        return f"the text {quoted(value, 40)}"
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, Integral) and abs(int(value)) > MOST:
        return f"a number of {int(value).bit_length()} bits"
    if isinstance(value, Real):
        return repr(value)[:40]
    return typed(value)


def typed(value: object) -> str:
    """A value by its type, with the article that goes before it."""
    name = type(value).__name__
    # "An ndarray", as one says it; of the letters that look like vowels, u often sounds like none (a uint8).
    return f"{'an' if name[0] in 'aeioAEIO' or name == 'ndarray' else 'a'} {name}"


def instance(value: object, kind: type, name: str, load: str) -> None:
    """Refuse what is not of a type of pysim's own, with the function `load` that gives one."""
    if isinstance(value, kind):
        return
    if isinstance(value, str):
        raise BadValue(f"{name} must be a {kind.__name__}, not {quoted(value)}: {load}({quoted(value)}) gives one")
    key = getattr(value, "key", None)
    told = f"the {type(value).__name__} {quoted(key)}" if isinstance(key, str) else shown(value)
    raise BadValue(f"{name} must be a {kind.__name__}, not {told}: {load}(...) gives one")
