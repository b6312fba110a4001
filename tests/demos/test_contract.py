"""The contract of every demo: a new file or folder in `demos/` is tested here without a line of its own."""

from __future__ import annotations

import gzip
import itertools
import json
import math
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from demos.kit.declare.config_box import ConfigText
from demos.kit.declare.controls import Choice, Number, Slider, Switch, Text, Value, start_values
from demos.kit.declare.csv_rows import csv_text
from demos.kit.declare.demo import Demo
from demos.kit.host.figure import figure_html
from demos.kit.host.first_drawing import check_first_drawing
from demos.kit.host.recording import recording
from demos.kit.host.registry import demo_ids, load
from demos.kit.host.session import explained
from tests.demos.reading import read

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&<b>\u202eabc\x00\ud800👩‍👩‍👧"
FRAME_TAGS_NEVER = {"script", "img", "iframe", "style", "link", "a", "form", "input"}
# What demos/runtime/page/frame_buttons.js hears: a button that does nothing else, in no form.
BUTTONS_DO = ("data-sets", "data-adds", "data-copies")
MOST_RECORDED_BYTES = 60 * 1024
MOST_ELEMENTS = 700

every_demo = pytest.mark.parametrize("demo", [load(demo_id) for demo_id in demo_ids()], ids=demo_ids())


@cache
def start_scene(demo_id: str) -> Any:
    """Return the scene of a demo's start values, computed once for all tests that only look at it."""
    module = load(demo_id).module
    return module.scene(**start_values(module.CONTROLS))


def settings(demo: Demo) -> Iterator[dict[str, Value]]:
    """All corners of the numbers, every choice, the edges of texts, and seeded mixtures of all.

    Each setting goes through the demo's own check, as every setting of a reader does.
    """
    edges: dict[str, list[str]] = {}
    for control in demo.module.CONTROLS:
        match control:
            case Number() | Slider():
                edges[control.name] = [control.text(control.low), control.text(control.high)]
            case Choice():
                edges[control.name] = [option.value for option in control.options]
            case Switch():
                edges[control.name] = ["false", "true"]
            case ConfigText():
                edges[control.name] = ["", config_called(HOSTILE)]
            case Text():
                edges[control.name] = ["", HOSTILE, "a " * (control.limit // 2)]
    numbers = [c.name for c in demo.module.CONTROLS if isinstance(c, Slider) and not isinstance(c, Number)]
    chosen = [dict(zip(numbers, corner, strict=True)) for corner in itertools.product(*(edges[n] for n in numbers))]
    chosen += [{name: text} for name, texts in edges.items() for text in texts]
    chance = random.Random(7)
    for _ in range(24):
        chosen.append({name: texts[int(chance.random() * len(texts))] for name, texts in edges.items()})
    for texts in chosen:
        checked = demo.check({name: [text] for name, text in texts.items()})
        assert checked.problems == []
        yield checked.values


def config_called(name: str) -> str:
    """The config.json of a small model that gives itself a name: such a box refuses what is no config."""
    sizes = {"hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4}
    sizes |= {"num_key_value_heads": 2, "vocab_size": 1000, "max_position_embeddings": 512}
    return json.dumps({"_name_or_path": name, "model_type": "llama", **sizes})


def some_moments(stops: list[float]) -> list[float]:
    middle = len(stops) // 2
    between = [(a + b) / 2 for a, b in itertools.pairwise(stops[:3] + stops[-2:])]
    return sorted({0.0, stops[middle], stops[-1], *between})


@every_demo
def test_each_function_returns_what_the_contract_says(demo: Demo) -> None:
    check_first_drawing(demo)


@every_demo
def test_a_demo_draws_at_every_corner_of_its_controls_and_keeps_the_rules(demo: Demo) -> None:
    names = {readout.name for readout in demo.module.READOUTS}
    for values in settings(demo):
        scene = demo.module.scene(**values)
        stops = list(demo.module.stops(scene))
        assert stops[0] == 0.0
        assert stops == sorted(stops)
        for t_s in some_moments(stops):
            frame = read(demo.module.frame(scene, t_s))
            assert set(frame.outputs) == names
            assert len(frame.elements) <= MOST_ELEMENTS, values
            assert not FRAME_TAGS_NEVER & {tag for tag, _ in frame.elements}
            for tag, attributes in frame.elements:
                if tag == "button":
                    assert attributes["type"] == "button"
                    assert any(name in attributes for name in BUTTONS_DO)
                    assert attributes.get("data-sets") in {None, *(control.name for control in demo.module.CONTROLS)}
            assert not any("id" in attributes for _, attributes in frame.elements)
            assert not any(name.startswith("on") for _, attributes in frame.elements for name in attributes)
            check_readouts(demo, frame.outputs, frame.shown)
            sentence = demo.module.say(scene, t_s)
            assert sentence
            assert "\n" not in sentence


def check_readouts(demo: Demo, outputs: dict[str, str], shown: dict[str, str]) -> None:
    for readout in demo.module.READOUTS:
        raw = outputs[readout.name]
        assert shown[readout.name].strip(), readout.name
        if readout.name.startswith("measured_"):
            assert raw == "none"
        elif readout.flag:
            assert raw in {"true", "false", "none"}
        elif readout.texts is not None:
            assert raw in {*readout.texts, "none"}
        elif raw != "none":
            assert math.isfinite(float(raw))
            assert readout.unit or readout.counts


@every_demo
def test_same_values_give_the_same_scene_and_the_same_frame(demo: Demo) -> None:
    first, second = start_scene(demo.demo_id), demo.module.scene(**start_values(demo.module.CONTROLS))
    middle_s = demo.module.stops(first)[-1] / 2
    assert demo.module.frame(first, middle_s) == demo.module.frame(second, middle_s)
    assert demo.module.stops(first) == demo.module.stops(second)


@every_demo
def test_totals_do_not_follow_the_clock(demo: Demo) -> None:
    scene = start_scene(demo.demo_id)
    stops = demo.module.stops(scene)
    begun, ended = (read(demo.module.frame(scene, t_s)).outputs for t_s in (stops[0], stops[-1]))
    for name in {"ttft_s", "tpot_s", "total_s", "speed_ratio"} & set(begun):
        assert begun[name] == ended[name]


@every_demo
def test_hostile_text_comes_out_as_text(demo: Demo) -> None:
    for control in demo.module.CONTROLS:
        if isinstance(control, Text):
            text = config_called("<i>x</i>") if isinstance(control, ConfigText) else "<i>x</i>"
            values = {**start_values(demo.module.CONTROLS), control.name: text}
            html = figure_html(demo, figure_id="f", options={control.name: text}, recording_url=None, python_url="p")
            assert "&lt;i&gt;x&lt;/i&gt;" in html
            scene = demo.module.scene(**values)
            assert "<i>x" not in demo.module.frame(scene, demo.module.stops(scene)[-1])


@every_demo
def test_the_recording_is_small_and_replays_to_the_drawn_frames(demo: Demo) -> None:
    values = start_values(demo.module.CONTROLS)
    text = recording(demo, values)
    assert len(gzip.compress(text.encode(), 9)) <= MOST_RECORDED_BYTES
    recorded = json.loads(text)
    scene = start_scene(demo.demo_id)
    shown: list[int] = []
    for frame in recorded["frames"]:
        for start, gone, new in frame["cut"]:
            shown[start : start + gone] = new
        assert "".join(recorded["pieces"][k] for k in shown) == demo.module.frame(scene, frame["t"])
    assert {frame["t"] for frame in recorded["frames"]} >= set(demo.module.stops(scene))


@every_demo
def test_the_math_and_the_table_can_be_read(demo: Demo) -> None:
    scene = start_scene(demo.demo_id)
    math_panel = read(explained(demo, scene))
    assert "Source:" in math_panel.text
    rows = list(demo.module.table(scene))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}
    assert csv_text(rows).count("\r\n") == len(rows)


@every_demo
def test_every_preset_is_a_setting_that_the_controls_allow(demo: Demo) -> None:
    for preset in demo.presets:
        assert demo.check({name: [text] for name, text in preset.values.items()}).problems == []


@every_demo
def test_no_button_but_the_transport_carries_its_words(demo: Demo) -> None:
    words = ("run", "pause", "step", "reset", "play", "send")
    for preset in demo.presets:
        assert not any(word in preset.label.lower() for word in words), preset.label


@every_demo
def test_the_figure_is_well_formed_and_labelled(demo: Demo) -> None:
    html = figure_html(demo, figure_id="twice", options={}, recording_url="r.js", python_url="p.html")
    figure = read(html)
    tag, attributes = figure.elements[0]
    assert (tag, attributes["id"], attributes["aria-labelledby"]) == ("figure", "twice", "twice-title")
    names = [a["name"] for t, a in figure.elements if t in {"input", "select", "textarea"} and "name" in a]
    declared = [control.name for control in demo.module.CONTROLS]
    # The main controls come first; apart from that the order is the declared one.
    assert names == sorted(declared, key=lambda name: bool(demo.main) and name not in demo.main)
