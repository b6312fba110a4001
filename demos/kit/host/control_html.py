"""A control as HTML: a native form control inside its label, its name the control's name."""

from __future__ import annotations

import itertools
import math
from functools import singledispatch

from simple_html import Node, SafeString, button, div, input_, label, optgroup, option, p, select, span, textarea

from demos.kit.declare.controls import Choice, Number, Option, ReadingSpeed, Slider, Switch, Text, Value
from demos.kit.html import Attributes, data_json, element
from demos.kit.number import length, percent

LOG_STEPS = 1000
MARKS_IN_LINE = 3
# A name longer than this is cut in half a column, so that its choice takes a whole line.
LONGEST_IN_HALF = 18


@singledispatch
def control_html(control: object, value: Value) -> SafeString:
    """Return the label, control and shown value of one control."""
    raise TypeError(f"no drawing for {control!r}")


@control_html.register
def _slider(control: Slider, value: Value) -> SafeString:
    numbers: Attributes = {
        "min": control.text(control.low),
        "max": control.text(control.high),
        "step": control.text(control.step),
    }
    field: Attributes = {"name": control.name, "value": control.text(value), **numbers}
    name = span({"class": "control-label"}, control.label)
    if control.scale == "log":
        place = log_place(control, float(value))
        hint: Attributes = {
            "type": "range",
            "class": "control-log",
            "data-log-for": control.name,
            "min": "0",
            "max": str(LOG_STEPS),
            "step": "1",
            "value": str(round(LOG_STEPS * place)),
            "aria-label": f"{control.label}, slider",
            "aria-valuetext": control.show(value),
        }
        box = input_({"type": "number", "inputmode": "numeric", **field})
        row = span({"class": "control-row"}, label(name, box), span({"class": "control-noun"}, control.noun))
        return element(span, {"class": "control control-slider control-grow"}, row, input_(hint), *_marks(control))
    # No <output>: as the first labelable element it would take the label from the slider.
    shown = span({"class": "control-value", "data-for": control.name}, control.show(value))
    head = span({"class": "control-row"}, name, shown)
    spoken: Attributes = {"type": "range", "aria-label": control.label, "aria-valuetext": control.show(value)}
    return element(label, {"class": "control control-slider"}, head, input_({**spoken, **field}), *_marks(control))


@control_html.register
def _reading_speed(control: ReadingSpeed, value: Value) -> SafeString:
    words = str(len(control.paragraph.split()))
    start = button({"type": "button", "data-do": "reading-start"}, "Measure it with a short paragraph")
    text = p({"class": "reading-text", "data-part": "reading-text", "hidden": None}, control.paragraph)
    done = button({"type": "button", "data-do": "reading-done", "hidden": None}, "I have read it")
    box = {"class": "reading", "data-reading-for": control.name, "data-words": words}
    return element(
        div, {"class": "control-grow control-reading"}, _slider(control, value), element(div, box, start, text, done)
    )


@control_html.register
def _number(control: Number, value: Value) -> SafeString:
    box: Attributes = {
        "type": "number",
        "inputmode": "numeric",
        "name": control.name,
        "min": control.text(control.low),
        "max": control.text(control.high),
        "value": control.text(value),
    }
    return element(
        label, {"class": "control control-number"}, span({"class": "control-label"}, control.label), input_(box)
    )


@control_html.register
def _choice(control: Choice, value: Value) -> SafeString:
    drawn: list[Node] = []
    for group, members in itertools.groupby(control.options, lambda entry: entry.group):
        options = [_option(entry, selected=entry.value == value) for entry in members]
        drawn += [element(optgroup, {"label": group}, *options)] if group else options
    box: Attributes = {"name": control.name}
    if control.otherwise:
        box["data-otherwise"] = control.otherwise
    wide = any(len(entry.label) > LONGEST_IN_HALF for entry in control.options)
    classes = f"control control-choice{' control-grow' if wide else ''}"
    return element(label, {"class": classes}, span({"class": "control-label"}, control.label), select(box, *drawn))


def _option(entry: Option, *, selected: bool) -> SafeString:
    attributes: dict[str, str | None] = {"value": entry.value}
    if entry.fills:
        attributes["data-fills"] = data_json(dict(entry.fills))
    if selected:
        attributes["selected"] = None
    return element(option, attributes, entry.label)


@control_html.register
def _switch(control: Switch, value: Value) -> SafeString:
    box: Attributes = {"type": "checkbox", "name": control.name, "value": "true"}
    if value:
        box["checked"] = None
    return element(
        label, {"class": "control control-switch"}, input_(box), span({"class": "control-label"}, control.label)
    )


@control_html.register
def _text(control: Text, value: Value) -> SafeString:
    box: Attributes = {
        "name": control.name,
        "rows": str(control.rows),
        "data-limit": str(control.limit),
        "spellcheck": "false",
        **({"placeholder": control.placeholder} if control.placeholder else {}),
        **({"data-private": "", "autocomplete": "off"} if control.private else {}),
    }
    # A newline right after <textarea> is dropped by HTML parsers, so one is always written.
    body = textarea(box, SafeString("\n"), str(value))
    count = span({"class": "control-count"}, control.show(value))
    head = span({"class": "control-row"}, span({"class": "control-label"}, control.label), count)
    drawn = element(label, {"class": "control control-text control-grow"}, head, body)
    if not control.drop:
        return drawn
    # Without a name: the file is put into the box above and goes nowhere itself.
    # A model may come in several files.
    spoken = f"{control.label}: choose a file"
    file = input_({"type": "file", "data-file-for": control.name, "multiple": None, "aria-label": spoken})
    return element(
        div,
        {"class": "control-grow"},
        drawn,
        label({"class": "control-file"}, "… or choose a file, or drop one ", file),
    )


def log_place(control: Slider, value: float) -> float:
    """Return a value's place on a logarithmic axis, from 0 to 1."""
    return math.log(value / control.low) / math.log(control.high / control.low)


def _marks(control: Slider) -> list[SafeString]:
    """Return the marks under a slider; where there are many, the first and every second name stand a line lower."""
    if not control.marks:
        return []
    many = len(control.marks) > MARKS_IN_LINE
    drawn = [_mark(control, value, text, many and index % 2 == 0) for index, (value, text) in enumerate(control.marks)]
    return [element(span, {"class": f"control-marks{' two-lines' if many else ''}", "aria-hidden": "true"}, *drawn)]


def _mark(control: Slider, value: float, text: str, lower: bool) -> SafeString:
    linear = (value - control.low) / (control.high - control.low)
    place = log_place(control, value) if control.scale == "log" else linear
    classes = "mark lower" if lower else "mark"
    return element(span, {"class": classes, "style": f"--at:{percent(place)}", "data-at": length(value)}, text)
