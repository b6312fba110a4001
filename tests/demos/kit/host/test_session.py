"""The session between page and Python: what each of its four calls answers, without a browser."""

from __future__ import annotations

import json
from typing import Any

import pytest

from demos.kit.declare.demo import Demo
from demos.kit.host import session
from demos.kit.host.registry import load


@pytest.fixture(autouse=True)
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page on which no figure has been shown yet."""
    monkeypatch.setattr(session, "_figures", {})


def shown(figure: str, demo_id: str, t_s: float = 0.0, **texts: str) -> dict[str, Any]:
    """Show a demo with the given texts and return the answer."""
    answer = session.show(figure, demo_id, json.dumps({name: [text] for name, text in texts.items()}), t_s)
    decoded: dict[str, Any] = json.loads(answer)
    return decoded


def start(demo: Demo) -> Any:
    return demo.module.scene(**demo.options({}))


def test_showing_answers_with_values_texts_timing_and_the_frame_of_the_moment() -> None:
    demo = load("two-phases")
    scene = start(demo)
    stops = demo.module.stops(scene)
    answer = shown("f", "two-phases", stops[1])
    assert answer["values"] == demo.texts(demo.options({}))
    assert answer["problems"] == []
    assert (answer["stops"], answer["end_s"]) == (list(stops), stops[-1])
    assert answer["says"] == [demo.module.say(scene, stop) for stop in stops]
    assert answer["frame"] == demo.module.frame(scene, stops[1])
    assert answer["say"] == demo.module.say(scene, stops[1])


def test_a_moment_beyond_the_run_shows_its_end_and_one_before_it_its_beginning() -> None:
    answer = shown("f", "two-phases", 1e9)
    assert json.loads(session.draw("f", answer["end_s"])) == {"frame": answer["frame"], "say": answer["say"]}
    assert json.loads(session.draw("f", -1.0)) == json.loads(session.draw("f", 0.0))


def test_a_refused_value_keeps_what_was_shown_and_names_the_control() -> None:
    shown("f", "kv-memory", context_tokens="4000")
    answer = shown("f", "kv-memory", context_tokens="no number")
    ((control, message),) = [tuple(problem.values()) for problem in answer["problems"]]
    assert control == "context_tokens"
    assert 'Context length: "no number" is not a whole number' in message
    assert answer["values"]["context_tokens"] == "4000"


def test_a_scene_is_kept_while_its_values_stay_and_made_anew_when_one_changes() -> None:
    shown("f", "kv-memory", context_tokens="4000")
    kept = session._figures["f"].scene
    shown("f", "kv-memory", context_tokens="4000")
    assert session._figures["f"].scene is kept
    shown("f", "kv-memory", context_tokens="5000")
    assert session._figures["f"].scene is not kept


def test_two_figures_of_one_demo_do_not_touch_each_other() -> None:
    shown("one", "kv-memory", context_tokens="4000")
    shown("two", "kv-memory", context_tokens="9000")
    assert shown("one", "kv-memory")["values"]["context_tokens"] == "4000"
    assert json.loads(session.draw("one", 0.0)) != json.loads(session.draw("two", 0.0))


def test_a_private_text_goes_to_python_and_never_comes_back() -> None:
    answer = shown("f", "doctor", text="a secret line", example="own")
    assert "text" not in answer["values"]
    assert answer["values"]["example"] == "own"
    assert session._figures["f"].values["text"] == "a secret line"


def test_the_math_and_the_table_are_those_of_the_scene_shown() -> None:
    demo = load("kv-memory")
    shown("f", "kv-memory", context_tokens="4000")
    scene = demo.module.scene(**demo.options({"context_tokens": 4000}))
    assert session.explain("f") == session.explained(demo, scene)
    rows = session.table("f").splitlines()
    assert rows[0] == "context_tokens,kv_cache_bytes,weights_bytes,tpot_s"
    assert rows[-1].startswith("4000,")
    assert len(rows) == len(demo.module.table(scene))
