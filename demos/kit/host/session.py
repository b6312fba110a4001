"""The session between page and Python: calls with strings in and out, one scene kept per figure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from demos.kit.declare.controls import Text, Value
from demos.kit.declare.csv_rows import csv_text
from demos.kit.declare.demo import Demo, Scene
from demos.kit.declare.formulas import formulas
from demos.kit.declare.machines import machine_of
from demos.kit.errors import KitError
from demos.kit.facts.expression import NumberError, asked
from demos.kit.facts.vocabulary import FACTS
from demos.kit.host.registry import load
from pysim.gguf.digest import digest_text


@dataclass(slots=True)
class Shown:
    """What one figure of the page shows."""

    demo: Demo
    values: dict[str, Value]
    scene: Scene


_figures: dict[str, Shown] = {}


def show(figure_key: str, demo_id: str, raw_json: str, t_s: float) -> str:
    """Compute the scene for new control values and draw it at a moment; answers as JSON text.

    `raw_json` has a list of texts for every given control. A refused value leaves the shown one.
    """
    demo = load(demo_id)
    before = _figures.get(figure_key)
    raw: Mapping[str, list[str]] = json.loads(raw_json)
    checked = demo.check(raw, before.values if before else None)
    kept = before is not None and before.values == checked.values
    scene = before.scene if before and kept else demo.module.scene(**checked.values)
    _figures[figure_key] = Shown(demo, checked.values, scene)
    return json.dumps(
        {
            "values": public_texts(demo, checked.values),
            "texts": demo.shown(checked.values),
            "problems": [problem._asdict() for problem in checked.problems],
            **timing(demo, scene),
            **_drawn(demo, scene, t_s),
        }
    )


def public_texts(demo: Demo, values: Mapping[str, Value]) -> dict[str, str]:
    """Return every value as text but the private ones, which may be long and which the page has itself."""
    private = {control.name for control in demo.module.CONTROLS if isinstance(control, Text) and control.private}
    return {name: text for name, text in demo.texts(values).items() if name not in private}


def timing(demo: Demo, scene: Scene) -> dict[str, object]:
    """Return what the player needs of a run: its stops, their sentences, its end and its rate."""
    stops = list(demo.module.stops(scene))
    measure = getattr(demo.module, "measure", None)
    return {
        "stops": stops,
        "end_s": stops[-1],
        "rate": demo.rate(scene),
        "says": [demo.module.say(scene, stop) for stop in stops],
        "measure": measure(scene) if measure else {},
    }


def draw(figure_key: str, t_s: float) -> str:
    """Draw the shown run of a figure at another moment; answers as JSON text."""
    shown = _figures[figure_key]
    return json.dumps(_drawn(shown.demo, shown.scene, t_s))


def explain(figure_key: str) -> str:
    """Return the HTML of the math behind the numbers shown."""
    shown = _figures[figure_key]
    return explained(shown.demo, shown.scene)


def explained(demo: Demo, scene: Scene) -> str:
    """Return the HTML of the math of a scene."""
    return formulas(demo.module.explain(scene), getattr(demo.module, "MATH_NOTE", "")).safe_str


def table(figure_key: str) -> str:
    """Return the numbers shown as CSV text."""
    shown = _figures[figure_key]
    return csv_text(shown.demo.module.table(shown.scene))


def numbers(machine_json: str, asks_json: str) -> str:
    """Return what expressions of a page give on the reader's machine, as JSON text: answers, or one problem."""
    try:
        own = machine_of(json.loads(machine_json))
    except KitError as problem:
        return json.dumps({"problem": str(problem)})
    answers: list[dict[str, object]] = []
    for expression in json.loads(asks_json):
        try:
            given = asked(expression, FACTS, own)
        except NumberError as problem:
            answers.append({"text": "", "story": [], "value": None, "problem": str(problem)})
        else:
            answers.append({"text": given.text, "story": list(given.story), "value": given.value, "problem": ""})
    return json.dumps({"answers": answers, "problem": ""})


class Bytes(Protocol):
    """Bytes of a file as the page hands them over."""

    def to_bytes(self) -> bytes:
        """Return them as Python's own."""


def digest(name: str, data: Bytes) -> str:
    """Return what the first bytes of a GGUF file give, as JSON text: its digest, the bytes needed, or an error."""
    return digest_text(name, data.to_bytes())


def _drawn(demo: Demo, scene: Scene, t_s: float) -> dict[str, str]:
    moment_s = min(max(float(t_s), 0.0), demo.module.stops(scene)[-1])
    return {"frame": demo.module.frame(scene, moment_s), "say": demo.module.say(scene, moment_s)}
