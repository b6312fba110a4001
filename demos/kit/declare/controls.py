"""Controls that a demo declares: the values a reader may choose, checked here and nowhere else.

A value arrives as text, from a form, an address or Markdown. `check()` turns a mapping of texts into
the keyword arguments of `scene()` and a list of problems, each naming the value and what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from demos.kit.errors import KitError, nearest
from demos.kit.number import count
from pysim.errors import quoted

Value = int | float | bool | str
WHOLE = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)
DECIMAL = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{0,15})?", re.ASCII)
# A message lists up to so many names; a longer list stands in the form, under the same label.
MOST_NAMED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider:
    """A number between `low` and `high` in steps of `step`; `scale` "log" spreads it by ratios.

    `noun` is what is counted, for messages and the shown value. `shown` maps single values to a word.
    `marks` are (value, label) pairs drawn on the axis.
    """

    name: str
    label: str
    start: float
    low: float
    high: float
    step: float = 1
    scale: str = "linear"
    noun: str = ""
    shown: Mapping[float, str] = field(default_factory=dict)
    marks: tuple[tuple[float, str], ...] = ()

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are allowed."""
        return float(self.step).is_integer() and float(self.low).is_integer()

    def allowed(self) -> str:
        """Return the range and the step for a message."""
        return f"{self.text(self.low)} to {self.text(self.high)} in steps of {self.text(self.step)}"

    def text(self, value: Value) -> str:
        """Return a value as a form or an address carries it."""
        if self.whole:
            return str(int(value))
        decimals = len(f"{self.step:.9f}".rstrip("0").split(".")[1])
        return f"{float(value):.{decimals}f}"

    def show(self, value: Value) -> str:
        """Return a value as it is shown next to the label."""
        word = self.shown.get(float(value))
        number = count(float(value)) if self.whole else self.text(value)
        return word or f"{number} {self.noun}".strip()

    def parse(self, text: str) -> Value:
        """Return the number in a text; raises KitError if it is none, out of range or between steps."""
        if not (WHOLE if self.whole else DECIMAL).fullmatch(text):
            raise KitError(f"{quoted(text)} is not a {'whole ' if self.whole else ''}number")
        value = float(text)
        if not self.low <= value <= self.high:
            raise KitError(f"{quoted(text)} is out of range")
        steps = (value - self.low) / self.step
        if abs(steps - round(steps)) > 1e-6:
            raise KitError(f"{quoted(text)} is between two steps")
        return int(value) if self.whole else round(value, 9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(Slider):
    """A whole number typed into a box, where neighbors mean nothing to each other (a seed)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSpeed(Slider):
    """Words per minute, which the reader may also measure by reading `paragraph`."""

    paragraph: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One choice. `fills` are texts that choosing it puts into other controls; a `group` is a heading in the list."""

    value: str
    label: str
    fills: Mapping[str, str] = field(default_factory=dict)
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of `options`. `otherwise` is the option that stands for "what it fills was changed by hand".

    `also` is taken too, but only listed once it is chosen: by an address, or because it is the reader's machine.
    """

    name: str
    label: str
    start: str
    options: tuple[Option, ...]
    otherwise: str = ""
    also: tuple[Option, ...] = ()

    @property
    def taken(self) -> tuple[Option, ...]:
        """All options, listed or not."""
        return (*self.options, *self.also)

    def allowed(self) -> str:
        """Return the values of the options, or how many there are, for a message."""
        if len(self.options) > MOST_NAMED:
            return f"the {len(self.options)} entries of the list"
        return ", ".join(option.value for option in self.options)

    def text(self, value: Value) -> str:
        """Return a value as a form or an address carries it."""
        return str(value)

    def show(self, value: Value) -> str:
        """Return the label of a value."""
        return next(option.label for option in self.taken if option.value == value)

    def parse(self, text: str) -> Value:
        """Return the text if it is the value of an option; raises KitError with the nearest one otherwise."""
        names = [option.value for option in self.taken]
        if text not in names:
            raise KitError(f"{quoted(text)} is not among the choices{nearest(text, names)}")
        return text

    def fills(self, value: Value) -> Mapping[str, str]:
        """Return the texts that a value puts into other controls, by control."""
        return next(option.fills for option in self.taken if option.value == value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """On or off."""

    name: str
    label: str
    start: bool

    def allowed(self) -> str:
        """Return both values for a message."""
        return "true, false"

    def text(self, value: Value) -> str:
        """Return a value as a form or an address carries it."""
        return "true" if value else "false"

    def show(self, value: Value) -> str:
        """Return a value as it is shown next to the label."""
        return "on" if value else "off"

    def parse(self, text: str) -> Value:
        """Return the value of "true" or "false"; raises KitError otherwise."""
        if text not in {"true", "false"}:
            raise KitError(f"{quoted(text)} is neither true nor false")
        return text == "true"


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Free text of at most `limit` characters; the limit is shown before it is reached.

    A `private` text is the reader's own: it never enters the page's address, is not taken from one, and goes to
    Python once, not with every other change. Where `drop` is set it may come as a file.
    """

    name: str
    label: str
    start: str
    limit: int
    rows: int = 2
    private: bool = False
    placeholder: str = ""
    drop: bool = False

    def allowed(self) -> str:
        """Return the limit for a message."""
        return f"up to {count(self.limit)} characters"

    def text(self, value: Value) -> str:
        """Return a value as a form or an address carries it."""
        return str(value)

    def show(self, value: Value) -> str:
        """Return the length so far and the limit."""
        return f"{count(len(str(value)))} of {count(self.limit)} characters"

    def kept(self, value: Value) -> str:
        """Say which text stays when another one is refused."""
        return self.show(value)

    def parse(self, text: str) -> Value:
        """Return the text with line ends as line feeds; raises KitError if it is too long."""
        if len(text) > self.limit:
            raise KitError(f"the text has {count(len(text))} characters")
        return text.replace("\r\n", "\n").replace("\r", "\n")


Control = Slider | Choice | Switch | Text
Raw = Mapping[str, Sequence[str]]


class Problem(NamedTuple):
    """What is wrong with one given value; `control` is None where no control has that name."""

    control: str | None
    message: str


class Checked(NamedTuple):
    """The values of all controls, and the problems of the given ones."""

    values: dict[str, Value]
    problems: list[Problem]


def start_values(controls: Sequence[Control]) -> dict[str, Value]:
    """Return the declared start values, filled controls filled."""
    return check(controls, {}).values


def check(controls: Sequence[Control], raw: Raw, before: Mapping[str, Value] | None = None) -> Checked:
    """Return the values of all controls and the problems of the given ones.

    `raw` has a list of texts for every given name. A control that is not given keeps its value of
    `before` (default: its start value), and so does one whose given value is refused.
    """
    known = {control.name: control for control in controls}
    values: dict[str, Value] = {control.name: control.start for control in controls}
    values.update(before or {})
    problems: list[Problem] = []
    given: set[str] = set()
    for name, texts in raw.items():
        control = known.get(name)
        if control is None:
            hint = nearest(name, known) or f"; there are: {', '.join(known)}"
            problems.append(Problem(None, f"there is no setting {quoted(name)} here{hint}"))
            continue
        try:
            if len(texts) != 1:
                raise KitError(f"it is given {len(texts)} times")
            values[name] = control.parse(texts[0])
            given.add(name)
        except KitError as error:
            kept = control.kept(values[name]) if isinstance(control, Text) else control.show(values[name])
            wrong = str(error) if str(error).endswith("?") else f"{error}."
            problems.append(Problem(name, f"{control.label}: {wrong} Allowed: {control.allowed()}. Kept: {kept}"))
    for control in controls:
        if isinstance(control, Choice):
            _fill(control, known, values, given, fresh=before is None)
    return Checked(values, problems)


def _fill(
    choice: Choice, known: Mapping[str, Control], values: dict[str, Value], given: set[str], *, fresh: bool
) -> None:
    fills = choice.fills(values[choice.name])
    if fresh or choice.name in given:
        for name, text in fills.items():
            if name not in given:
                values[name] = known[name].parse(text)
    if choice.otherwise and any(values[name] != known[name].parse(text) for name, text in fills.items()):
        values[choice.name] = choice.otherwise
