"""What a demo shows at given settings, for `=…` in Markdown: a page's sentence and its picture say the same number."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser

import pysim
from demos.kit.declare.readouts import OWN_UNITS
from demos.kit.errors import KitError, nearest
from demos.kit.facts.fact import Fact
from demos.kit.host.registry import load
from pysim.errors import quoted


class _Outputs(HTMLParser):
    """The readouts of a frame by name."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("data-readout")
        if name:
            self.values[name] = given.get("data-value") or ""


def readout(demo_id: str, name: str, **options: str | float | bool) -> Fact:
    """A readout of a demo after its run, its other controls as they start; raises PysimError for what it has not."""
    try:
        demo = load(demo_id)
        frozen = tuple(sorted(options.items()))
        values = _shown(demo_id, frozen)
    except KitError as error:
        raise pysim.PysimError(str(error)) from error
    declared = {each.name: each for each in demo.module.READOUTS}
    if name not in declared:
        raise pysim.PysimError(f"{demo_id} has no readout {quoted(name)}{nearest(name, declared)}")
    try:
        value = float(values[name])
    except ValueError as error:
        raise pysim.PysimError(f"{demo_id} shows no number as {name} here, but {quoted(values[name])}") from error
    unit = declared[name].unit
    return Fact(
        value=value,
        unit="" if unit in OWN_UNITS else unit,
        formula=f"{declared[name].label}, as the demo shows it",
        about=", ".join(f"{key} {value}" for key, value in frozen),
        source=demo.question,
    )


@cache
def _shown(demo_id: str, options: tuple[tuple[str, str | float | bool], ...]) -> dict[str, str]:
    demo = load(demo_id)
    scene = demo.module.scene(**demo.options(dict(options)))
    reader = _Outputs()
    reader.feed(demo.module.frame(scene, demo.module.stops(scene)[-1]))
    return reader.values
