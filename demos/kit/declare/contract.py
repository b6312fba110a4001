"""The contract of a demo: which names and functions its file must have, and of what kind.

What can be seen without drawing is checked here, as a demo is loaded, so its author reads one line with the file
and what it lacks. `demos/kit/host/first_drawing.py` draws it once, and `tests/demos/test_contract.py` at every corner.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import ModuleType

from demos.kit.declare.control_starts import bad_start
from demos.kit.declare.controls import Choice, Slider, Switch, Text
from demos.kit.declare.readouts import Readout
from demos.kit.errors import KitError, nearest
from pysim.errors import quoted

TEXTS = ("TITLE", "LEAD")
# Each function with what it takes by position; `scene` takes the controls' values by name.
FUNCTIONS = {
    "scene": (),
    "stops": ("scene",),
    "frame": ("scene", "t_s"),
    "say": ("scene", "t_s"),
    "explain": ("scene",),
    "table": ("scene",),
}
CONTROLS = (Slider, Choice, Switch, Text)


def check_contract(module: ModuleType, file: str) -> None:
    """Raise KitError, one line that names `file`, unless `module` has everything that a demo must have."""
    wanted = ("__doc__", *TEXTS, "CONTROLS", "READOUTS", *FUNCTIONS)
    lacking = [name for name in wanted if not getattr(module, name, None)]
    if lacking:
        likely = [f"{name}{nearest(name, _own_names(module, wanted, name))}".removesuffix("?") for name in lacking]
        raise KitError(f"{file} lacks {', '.join(likely)}")
    for name in TEXTS:
        if not isinstance(getattr(module, name), str):
            raise KitError(f"{file}: {name} must be a text, not {quoted(getattr(module, name))}")
    _check_entries(file, "CONTROLS", module.CONTROLS, CONTROLS)
    _check_entries(file, "READOUTS", module.READOUTS, (Readout,))
    _check_main(file, module)
    for name, taken in FUNCTIONS.items():
        _check_function(file, name, getattr(module, name), taken)
    for control in module.CONTROLS:
        if problem := bad_start(control, module.CONTROLS):
            raise KitError(f"{file}: CONTROLS, {control.name}: {problem}")
    _check_scene(file, module)


def _own_names(module: ModuleType, wanted: Sequence[str], lacking: str) -> list[str]:
    """Return the module's other names that are written like the lacking one: capitals or small letters."""
    own = [name for name in vars(module) if name not in wanted and not name.startswith("_")]
    return [name for name in own if (name.isupper(), name.islower()) == (lacking.isupper(), lacking.islower())]


def _check_entries(file: str, name: str, entries: object, kinds: tuple[type, ...]) -> None:
    """Check that a declared tuple holds entries of the right kinds, each under its own name."""
    allowed = " or ".join(kind.__name__ for kind in kinds)
    if not isinstance(entries, tuple):
        raise KitError(f"{file}: {name} must be a tuple of {allowed}, not {quoted(entries)}")
    names: set[str] = set()
    for entry in entries:
        if not isinstance(entry, kinds):
            raise KitError(f"{file}: {name} has {quoted(entry)}; allowed: {allowed}")
        own_name: str = getattr(entry, "name")  # noqa: B009 (every one of the kinds has it)
        if own_name in names:
            raise KitError(f"{file}: {name} has {quoted(own_name)} twice")
        names.add(own_name)


def _check_main(file: str, module: ModuleType) -> None:
    """Check that MAIN, where a demo declares it, names the demo's own controls."""
    main, names = getattr(module, "MAIN", ()), [control.name for control in module.CONTROLS]
    if not isinstance(main, tuple):
        raise KitError(f"{file}: MAIN must be a tuple of names of controls, not {quoted(main)}")
    for name in main:
        if name not in names:
            raise KitError(f"{file}: MAIN names {quoted(name)}, which is no control{nearest(str(name), names)}")


def _check_function(file: str, name: str, function: object, taken: Sequence[str]) -> None:
    if not callable(function):
        raise KitError(f"{file}: {name} must be a function, not {quoted(function)}")
    code = getattr(function, "__code__", None)  # a cached function has none, and is taken as it is
    if code is not None and taken and code.co_argcount != len(taken):
        raise KitError(f"{file}: {name} takes {code.co_argcount} values; it must take {', '.join(taken)}")


def _check_scene(file: str, module: ModuleType) -> None:
    """Check that `scene` takes every control's value by its name, and nothing else without a default."""
    names = [control.name for control in module.CONTROLS]
    parameters = inspect.signature(module.scene)
    try:
        parameters.bind(**dict.fromkeys(names))
    except TypeError as error:
        taken = ", ".join(parameters.parameters) or "nothing"
        raise KitError(f"{file}: scene takes {taken}; it must take the controls by name: {', '.join(names)}") from error
