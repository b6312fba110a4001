"""Readouts: a number, text or flag of a demo in the page, for a reader and for a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simple_html import SafeString, dd, div, dl, dt, render, span

from demos.kit import number
from demos.kit.errors import KitError
from demos.kit.html import Attributes, output
from pysim import units
from pysim.errors import quoted

OWN_UNITS = ("×", "%", "price")


@dataclass(frozen=True, slots=True, kw_only=True)
class Readout:
    """A value that a demo shows at every moment.

    `unit` is one of pysim's ("s", "B", "tokens/s"), "×" for a ratio, "%" for a share of one or
    "price" for one in any currency; `counts` is a
    count's noun ("pass").
    `texts` maps the allowed values of a text readout to what is shown for them.
    Raises KitError naming the readout for any other unit.
    """

    name: str
    label: str
    unit: str = ""
    counts: str = ""
    texts: Mapping[str, str] | None = None
    flag: bool = False

    def __post_init__(self) -> None:
        """Check the unit where it is written, not where the number is first drawn."""
        allowed = (*units.units(), *OWN_UNITS)
        if self.unit and self.unit not in allowed:
            raise KitError(f"readout {self.name}: unknown unit {quoted(self.unit)}; allowed: {', '.join(allowed)}")


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that does not exist here, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Banded:
    """A typical value and the band that eight of ten measured runs fall in (p10 to p90), same unit."""

    value: float
    low: float
    high: float


ReadoutValue = float | str | bool | Missing | Banded


def readouts(declared: Sequence[Readout], values: Mapping[str, ReadoutValue]) -> SafeString:
    """Return the definition list of all `declared` readouts, each an `<output>` with its raw SI value.

    Raises ValueError if a value is missing, undeclared, of the wrong kind or not finite.
    """
    names = {readout.name for readout in declared}
    if names != set(values):
        lacking, extra = (", ".join(sorted(some)) for some in (names - set(values), set(values) - names))
        told = [f"no value is given for {lacking}"] if lacking else []
        told += [f"{extra} is given but not declared"] if extra else []
        raise ValueError(f"READOUTS declares {', '.join(sorted(names))}; {', and '.join(told)}")
    return SafeString(render(dl({"class": "readouts"}, *[_item(r, values[r.name]) for r in declared])))


def _item(readout: Readout, value: ReadoutValue) -> SafeString:
    raw, shown = texts_of(readout, value)
    attributes: Attributes = {"data-readout": readout.name, "data-value": raw}
    note = ""
    if isinstance(value, Missing):
        note = value.reason
    elif isinstance(value, Banded):
        low, high = (shown_in(readout.unit, bound, 2) for bound in (value.low, value.high))
        note = f"{low} to {high}"
    notes = [span({"class": "readout-reason"}, note)] if note else []
    item = div(dt(readout.label), dd(output(attributes, shown), *notes))
    return SafeString(render(item))


def texts_of(readout: Readout, value: ReadoutValue) -> tuple[str, str]:
    """Return the raw text (SI, "none" for a missing value) and the shown text of a readout's value."""
    if isinstance(value, Missing):
        return "none", "none"
    if isinstance(value, Banded):
        return texts_of(readout, value.value)
    if readout.flag:
        if not isinstance(value, bool):
            raise ValueError(f"{readout.name} is a flag, not {value!r}")
        return ("true", "yes") if value else ("false", "no")
    if readout.texts is not None:
        if value not in readout.texts:
            raise ValueError(f"{readout.name} may be {', '.join(readout.texts)}, not {value!r}")
        return str(value), readout.texts[str(value)]
    if isinstance(value, bool | str):
        raise ValueError(f"{readout.name} is a number, not {value!r}")
    if readout.counts:
        return number.raw(value), number.plural(int(value), readout.counts)
    return number.raw(value), shown_in(readout.unit, value)


def shown_in(unit: str, value: float, digits: int = 4) -> str:
    """Return a value with its unit; a ratio as "18.5×", a price in any currency as "1.25"."""
    if unit == "%":
        return number.share(value)
    if unit == "price":
        return f"{value:,.2f}"
    if unit == "×":
        return f"{value:,.1f}×"
    return units.show(value, unit, digits=min(digits, 3) if unit in ("tokens/s", "requests/s") else digits)
