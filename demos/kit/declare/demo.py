"""A demo: the declarations and functions of one module, bound to the demo's id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol, cast

from demos.kit.declare.contract import check_contract
from demos.kit.declare.controls import Checked, Control, Raw, Value, check
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Readout
from demos.kit.errors import KitError, nearest
from pysim.errors import quoted

Scene = Any
PLAY_S = 10.0


class DemoModule(Protocol):
    """What every demo declares and defines, in its file or its folder's `__init__.py`."""

    TITLE: str
    LEAD: str
    CONTROLS: tuple[Control, ...]
    READOUTS: tuple[Readout, ...]

    def scene(self, **values: Value) -> Scene:
        """Compute, by pysim, what the values lead to; the same values give the same scene."""

    def stops(self, scene: Scene) -> Sequence[float]:
        """Return ascending moments in simulated seconds, the first 0: where Step halts."""

    def frame(self, scene: Scene, t_s: float) -> str:
        """Return the HTML of the picture and the readouts at a moment."""

    def say(self, scene: Scene, t_s: float) -> str:
        """Return one sentence for the status line at a moment."""

    def explain(self, scene: Scene) -> Sequence[Formula]:
        """Return the formulas behind the numbers shown."""

    def table(self, scene: Scene) -> Sequence[Sequence[Cell]]:
        """Return the numbers as rows, the first one with the names of the columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named setting, offered as a button; values as texts, like an address gives them.

    `recorded` presets get their own recordings, so they play before Python has started.
    """

    label: str
    values: Mapping[str, str] = field(default_factory=dict)
    recorded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """One demo: its id, its module and what the module declares.

    `main`: names of the controls at first sight, which carry the demo's question; empty stands for all of them.
    """

    demo_id: str
    module: DemoModule
    question: str
    word: str
    presets: tuple[Preset, ...]
    asked: tuple[str, ...] = ()
    main: tuple[str, ...] = ()

    @classmethod
    def of(cls, demo_id: str, module: ModuleType, file: str) -> Demo:
        """Bind a module; raises KitError naming what its file lacks."""
        check_contract(module, file)
        return cls(
            demo_id=demo_id,
            module=cast(DemoModule, module),
            question=(module.__doc__ or "").strip().splitlines()[0],
            word=getattr(module, "WORD", "Run"),
            presets=getattr(module, "PRESETS", ()),
            asked=getattr(module, "ASKED", ()),
            main=getattr(module, "MAIN", ()),
        )

    def check(self, raw: Raw, before: Mapping[str, Value] | None = None) -> Checked:
        """Return checked values and problems for given texts."""
        return check(self.module.CONTROLS, raw, before)

    def options(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return the values for options written in Markdown; raises KitError for the first bad one."""
        raw = {name: [_text(name, value)] for name, value in given.items()}
        checked = self.check(raw)
        if checked.problems:
            control, message = checked.problems[0]
            raise KitError(f"{self.demo_id}, option {control}: {message}" if control else f"{self.demo_id}: {message}")
        return checked.values

    def rate(self, scene: Scene) -> float:
        """Return simulated seconds per real second while playing at normal speed.

        A demo's own `play_rate(scene)` decides; without one the run takes about ten seconds.
        """
        own = getattr(self.module, "play_rate", None)
        if own is not None:
            return float(own(scene))
        end_s = self.module.stops(scene)[-1]
        return end_s / PLAY_S if end_s > 0 else 1.0

    def texts(self, values: Mapping[str, Value]) -> dict[str, str]:
        """Return every control's value as a form or an address carries it."""
        return {c.name: c.text(values[c.name]) for c in self.module.CONTROLS}

    def shown(self, values: Mapping[str, Value]) -> dict[str, str]:
        """Return every control's value as it is shown next to its label."""
        return {c.name: c.show(values[c.name]) for c in self.module.CONTROLS}


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return value
    raise KitError(f"option {quoted(name)} must be a number, a text, true or false, not {quoted(value)}")


def unknown_demo(name: str, ids: Sequence[str]) -> KitError:
    """Return the error for a demo that does not exist."""
    return KitError(f"unknown demo {quoted(name)}{nearest(name, ids) or '; there are: ' + ', '.join(ids)}")
