"""Start values of controls: is what a demo declares a value that the control itself allows?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from demos.kit.declare.controls import Choice, Control, Slider, Switch
from demos.kit.errors import KitError, nearest
from pysim.errors import quoted


def bad_start(control: Control, controls: Sequence[Control]) -> str | None:
    """Return what is wrong with a control's bounds, start or fills, and what is allowed; None where nothing is."""
    match control:
        case Slider():
            return _bad_bounds(control) or _refused(control, _as_typed(control.start), "start")
        case Switch():
            return None if isinstance(control.start, bool) else f"start must be True or False, not {control.start!r}"
        case Choice():
            return _refused(control, control.start, "start") or _bad_fills(control, controls)
        case _:
            return _refused(control, control.start, "start")


def _bad_bounds(slider: Slider) -> str | None:
    for name in ("low", "high", "step", "start"):
        value: object = getattr(slider, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return f"{name} must be a number, not {quoted(value)}"
    if slider.step <= 0:
        return f"step must be more than 0, not {slider.step:g}"
    return None if slider.low < slider.high else f"low must be less than high, not {slider.low:g} to {slider.high:g}"


def _as_typed(number: float) -> str:
    """Return a number as a reader types it: a start of 2.5 is no whole number, though it would be shown as one."""
    return str(int(number)) if float(number).is_integer() else f"{number:.9f}".rstrip("0")


def _bad_fills(choice: Choice, controls: Sequence[Control]) -> str | None:
    known = {control.name: control for control in controls}
    if choice.otherwise and (refused := _refused(choice, choice.otherwise, "otherwise")):
        return refused
    for option in choice.options:
        for name, text in option.fills.items():
            if name not in known:
                near = nearest(name, known) or f"; there are: {', '.join(known)}"
                return f"option {quoted(option.value)} fills {quoted(name)}, which is no control{near}"
            if refused := _refused(known[name], text, f"option {quoted(option.value)} fills {name}"):
                return refused
    return None


def _refused(control: Control, text: object, what: str) -> str | None:
    if not isinstance(text, str):
        return f"{what} must be a text, not {quoted(text)}"
    try:
        control.parse(text)
    except KitError as error:
        return f"{what}: {str(error).removesuffix('?')}; allowed: {control.allowed()}"
    return None
