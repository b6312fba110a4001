"""Are the frames that the browser draws the same texts as those drawn natively?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Page

from demos.kit.declare.controls import Choice, Control, Slider, Switch, Text
from demos.kit.host import session
from demos.kit.host.registry import demo_ids, load
from tests.browser.figures import Figure
from tests.browser.kept import KeptPages

TEXT = "naïve Größe 🌈 <b>&amp;</b> \u05e9\u05dc\u05d5\u05dd " * 20
PLACES = (0.0, 1 / 3, 0.5, 0.999, 1.0)  # of the run
ASK = """async ([calls]) => {
    await TwoSpeeds.python.start({numpy: true});
    const answers = [];
    for (const [call, args] of calls) answers.push(await TwoSpeeds.python.ask(call, args));
    return answers;
}"""


def other_value(control: Control) -> str:
    """A value far from the start value."""
    match control:
        case Choice():
            return control.options[-1].value
        case Switch():
            return control.text(not control.start)
        case Text():
            return TEXT[: control.limit]
        case Slider():
            steps = round((control.high - control.low) / control.step)
            return control.text(control.low + control.step * (steps * 7 // 10))


def settings(demo_id: str) -> Iterator[Mapping[str, list[str]]]:
    """The start values, every control changed alone, all changed at once, and the settings to try."""
    demo = load(demo_id)
    others = {control.name: [other_value(control)] for control in demo.module.CONTROLS}
    yield {}
    yield from ({name: value} for name, value in others.items())
    yield others
    yield from ({name: [value] for name, value in preset.values.items()} for preset in demo.presets)


def told(call: str, answer: str) -> Any:
    """What a reader gets to see of an answer."""
    if call not in {"show", "draw"}:
        return answer
    given = json.loads(answer)
    return {name: given[name] for name in ("frame", "say", "says", "values", "texts", "problems") if name in given}


@pytest.fixture
def python_page(kept: KeptPages) -> Page:
    page = kept()
    Figure(page).wait_for_python()
    return page


@pytest.mark.parametrize("demo_id", demo_ids())
def test_the_browser_draws_what_python_draws_natively(python_page: Page, demo_id: str) -> None:
    for index, raw in enumerate(settings(demo_id)):
        key = f"{demo_id}-{index}"
        shown = session.show(key, demo_id, json.dumps(raw), 0.0)
        end_s = json.loads(shown)["end_s"]
        calls = [
            ("show", [key, demo_id, json.dumps(raw), "0"]),
            *(("draw", [key, repr(end_s * place)]) for place in PLACES),
            ("explain", [key]),
            ("table", [key]),
        ]
        natively = [shown] + [getattr(session, call)(*args) for call, args in calls[1:]]
        browsers = python_page.evaluate(ASK, [calls])
        for (call, args), ours, theirs in zip(calls, natively, browsers, strict=True):
            assert told(call, theirs) == told(call, ours), (call, args, raw)
