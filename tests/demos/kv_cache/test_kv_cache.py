"""Does `kv-cache` count the work, the rows and the time of both ways, and draw what becomes of the rows?"""

from __future__ import annotations

import itertools
import math
import re

import pytest

import pysim
from demos import kv_cache
from demos.kit.declare.controls import Choice, Value, start_values
from demos.kit.host.registry import load
from demos.kv_cache.controls import MOST_OUTPUT_TOKENS, MOST_PROMPT_TOKENS
from demos.kv_cache.simulation import Scene
from tests.demos.reading import Read, read

# A short text, whose every token can be counted by hand; the demo itself starts with a longer one.
SHORT = {"prompt_tokens": 6, "output_tokens": 16}
START = start_values(kv_cache.CONTROLS) | SHORT
LLAMA, RTX_4090 = pysim.load_model("llama-3.1-8b"), pysim.load_device("rtx-4090")
KV_BYTES = 32 * 2 * 8 * 128 * 2  # layers × keys and values × KV heads × head size × 2 bytes = 131,072


def scene_of(**changes: Value) -> Scene:
    return kv_cache.scene(**{**START, **changes})


def frame_at(scene: Scene, t_s: float) -> Read:
    return read(kv_cache.frame(scene, t_s))


def end_of(**changes: Value) -> dict[str, str]:
    scene = scene_of(**changes)
    return frame_at(scene, kv_cache.stops(scene)[-1]).outputs


def states(frame: Read) -> list[str]:
    """What becomes of the drawn rows, in the order of the text; rows still to come are left out."""
    rows = [attributes["class"] or "" for tag, attributes in frame.elements if tag == "b"]
    units = [
        attributes["class"] or ""
        for _, attributes in frame.elements
        if (attributes.get("class") or "").startswith("token-row")
    ]
    states = [row.removeprefix("kv-row ") for row in rows if row.startswith("kv-row")]
    return [state for unit, state in zip(units[1:], states, strict=True) if "to-come" not in unit]


def looks(frame: Read) -> list[int]:
    return [int((a["style"] or "").removeprefix("--look:")) for _, a in frame.elements if a.get("class") == "look"]


def test_without_the_cache_16_tokens_after_6_are_216_computations_and_nothing_is_kept() -> None:
    # 16 × 6 + 16 × 15 / 2 = 96 + 120
    shown = end_of()
    assert (shown["tokens_computed"], shown["tokens_computed_without_cache"]) == ("216", "216")
    assert (shown["kv_rows"], shown["kv_cache_bytes"]) == ("0", "0")
    assert shown["time_s"] == shown["time_without_cache_s"]


def test_with_the_cache_they_are_21_and_leave_21_rows() -> None:
    # 6 + 16 - 1: the last token is never fed back
    shown = end_of(cache=True)
    assert (shown["tokens_computed"], shown["tokens_computed_without_cache"]) == ("21", "216")
    assert (shown["kv_rows"], shown["kv_cache_bytes"]) == ("21", str(21 * KV_BYTES))


@pytest.mark.parametrize("answer", [1, 2, 24, 512])
def test_from_one_token_n_tokens_are_the_sum_of_1_to_n_against_n(answer: int) -> None:
    shown = end_of(prompt_tokens=1, output_tokens=answer, cache=True)
    assert shown["tokens_computed"] == str(answer)
    assert shown["tokens_computed_without_cache"] == str(answer * (answer + 1) // 2)


@pytest.mark.parametrize(("prompt", "answer"), [(6, 16), (1000, 48), (2048, 512)])
def test_times_are_sums_of_typical_passes(prompt: int, answer: int) -> None:
    again = math.fsum(
        pysim.pass_cost(pysim.Deployment(LLAMA, RTX_4090), prompt + i, 0, speed="typical").time_s for i in range(answer)
    )
    first = pysim.pass_cost(pysim.Deployment(LLAMA, RTX_4090), prompt, 0, speed="typical").time_s
    later = math.fsum(
        pysim.pass_cost(pysim.Deployment(LLAMA, RTX_4090), 1, prompt + i, speed="typical").time_s
        for i in range(answer - 1)
    )
    shown = end_of(prompt_tokens=prompt, output_tokens=answer, cache=True)
    assert float(shown["time_without_cache_s"]) == pytest.approx(again, rel=1e-8)
    assert float(shown["time_s"]) == pytest.approx(first + later, rel=1e-8)


def test_below_the_ridge_ten_times_the_work_takes_hardly_more_time() -> None:
    shown = end_of(cache=True)
    assert int(shown["tokens_computed_without_cache"]) > 10 * int(shown["tokens_computed"])
    assert float(shown["time_without_cache_s"]) < 1.01 * float(shown["time_s"])


def test_above_the_ridge_the_time_follows_the_work() -> None:
    # 1,000 tokens are 1000 / 176 = 5.7 times the ridge of this pair: a pass takes over 5 times as long.
    shown = end_of(prompt_tokens=1000, output_tokens=48, cache=True)
    assert float(shown["time_without_cache_s"]) > 5 * float(shown["time_s"])


def test_counters_follow_the_time_and_stand_at_the_same_answer_token_both_ways() -> None:
    scene = scene_of(cache=True)
    shown = frame_at(scene, kv_cache.stops(scene)[3]).outputs
    # 3 passes: 6 + 1 + 1 against 6 + 7 + 8
    assert (shown["tokens_computed"], shown["tokens_computed_without_cache"], shown["kv_rows"]) == ("8", "21", "8")
    begun = frame_at(scene, 0.0).outputs
    assert {begun[name] for name in ("tokens_computed", "kv_rows", "time_s", "time_without_cache_s")} == {"0"}


def test_the_time_shown_is_the_moment_and_the_pass_the_one_at_work() -> None:
    scene = scene_of(cache=True, prompt_tokens=1000)
    first, second = scene.kept.pass_s[:2]
    during = frame_at(scene, first + second / 2).outputs
    assert float(during["time_s"]) == pytest.approx(first + second / 2, rel=1e-8)
    assert float(during["pass_s"]) == pytest.approx(second, rel=1e-8)
    assert float(frame_at(scene, first).outputs["pass_s"]) == pytest.approx(first, rel=1e-8)


def test_without_the_cache_every_row_is_computed_again_and_thrown_away() -> None:
    scene = scene_of()
    stops = kv_cache.stops(scene)
    assert states(frame_at(scene, 0.0)) == ["none"] * 6
    assert states(frame_at(scene, (stops[0] + stops[1]) / 2)) == ["first"] * 6
    # After a pass the token that it wrote has no row yet.
    assert states(frame_at(scene, stops[1])) == ["spent"] * 6 + ["none"]
    assert states(frame_at(scene, (stops[1] + stops[2]) / 2)) == ["again"] * 6 + ["first"]
    assert "7 tokens through 32 layers, 6 of them again" in frame_at(scene, (stops[1] + stops[2]) / 2).text


def test_with_the_cache_rows_stay_and_only_the_newest_is_computed() -> None:
    scene = scene_of(cache=True)
    stops = kv_cache.stops(scene)
    assert states(frame_at(scene, stops[1])) == ["kept"] * 6 + ["none"]
    assert states(frame_at(scene, (stops[1] + stops[2]) / 2)) == ["kept"] * 6 + ["first"]
    assert "1 token through 32 layers; 6 rows kept from before" in frame_at(scene, (stops[1] + stops[2]) / 2).text


@pytest.mark.parametrize("cache", [False, True])
def test_the_looks_of_the_newest_token_make_one_whole(cache: bool) -> None:
    for changes in ({}, {"prompt_tokens": 700, "output_tokens": 40}):
        scene = scene_of(cache=cache, **changes)
        for stop in kv_cache.stops(scene)[1:]:
            # Whole percents of up to 24 shares: each is off by half a percent at most.
            assert 88 <= sum(looks(frame_at(scene, stop))) <= 112


def test_both_ways_draw_the_same_text_the_same_looks_and_say_so() -> None:
    off, on = scene_of(output_tokens=40), scene_of(output_tokens=40, cache=True)
    for at_off, at_on in zip(kv_cache.stops(off)[1:], kv_cache.stops(on)[1:], strict=True):
        without, kept = frame_at(off, at_off), frame_at(on, at_on)
        assert looks(without) == looks(kept)
        assert "the same tokens" in without.text
        assert "the same tokens" in kept.text


def test_a_long_text_is_counted_where_it_is_not_drawn() -> None:
    scene = scene_of(prompt_tokens=2048, output_tokens=512)
    frame = frame_at(scene, kv_cache.stops(scene)[-1])
    hidden = re.search(r"… ([\d,]+) earlier …", frame.text)
    assert hidden
    assert int(hidden[1].replace(",", "")) + len(states(frame)) - 1 == 2048 + 512
    assert len(frame.elements) <= 350


def test_within_a_pass_only_the_field_around_the_rows_changes() -> None:
    scene = scene_of()
    stops = kv_cache.stops(scene)
    early, late = (kv_cache.frame(scene, stops[8] + share * (stops[9] - stops[8])) for share in (0.3, 0.7))
    field = re.compile(r'<div class="token-rows" style="[^"]*">(.*?)</div>')
    texts = [field.search(frame) for frame in (early, late)]
    assert texts[0]
    assert texts[1]
    assert texts[0][0] != texts[1][0]
    assert texts[0][1] == texts[1][1]


def test_both_ways_play_at_one_pace() -> None:
    off, on = (scene_of(cache=cache, prompt_tokens=1000) for cache in (False, True))
    assert kv_cache.play_rate(off) == kv_cache.play_rate(on)
    assert kv_cache.stops(off)[-1] / kv_cache.play_rate(off) == pytest.approx(12)


def test_every_model_offered_fits_on_every_device_offered() -> None:
    offered = {c.name: [o.value for o in c.options] for c in kv_cache.CONTROLS if isinstance(c, Choice)}
    longest = MOST_PROMPT_TOKENS + MOST_OUTPUT_TOKENS
    for model, device in itertools.product(offered["model"], offered["device"]):
        assert pysim.max_context_tokens(pysim.Deployment(pysim.load_model(model), pysim.load_device(device))) >= longest


def test_the_sentence_tells_what_became_of_the_rows_and_what_both_ways_cost() -> None:
    off, on = scene_of(), scene_of(cache=True)
    assert kv_cache.say(off, 0.0) == "6 prompt tokens before the first pass; the cache is off."
    third = kv_cache.say(off, kv_cache.stops(off)[3])
    assert third.startswith("Pass 3 of 16 is over: 8 rows computed, all thrown away.")
    assert "21 tokens without the cache, 8 tokens with it" in third
    last = kv_cache.say(on, kv_cache.stops(on)[-1])
    assert last.startswith("Pass 16 of 16 is over: the cache keeps 21 rows.")
    assert "216 tokens in" in last
    assert "21 tokens in" in last


def test_the_math_puts_the_numbers_in() -> None:
    steps = kv_cache.explain(scene_of(prompt_tokens=1000, output_tokens=48))
    inserted = [(step.inserted, step.result) for step in steps]
    assert inserted[0] == ("48 × 1,000 + 48 × 47 / 2", "49,128")  # 48,000 + 1,128
    assert inserted[1] == ("1,000 + 48 − 1", "1,047")
    assert inserted[2] == ("1,047 × 131.1 kB", "137.2 MB")
    assert "compute-bound" in steps[3].result
    assert "memory-bound" in steps[4].result


def test_the_table_has_a_row_per_pass_with_both_ways() -> None:
    rows = kv_cache.table(scene_of())
    assert len(rows) == 1 + 16
    third = dict(zip(rows[0], rows[3], strict=True))
    assert (third["tokens_in_without_cache"], third["tokens_in_with_cache"]) == (8, 1)
    assert (third["tokens_computed_without_cache"], third["tokens_computed_with_cache"]) == (21, 8)
    assert (third["kv_rows"], third["kv_cache_bytes"]) == (8, 8.0 * KV_BYTES)


def test_the_word_is_play_and_the_cache_starts_off() -> None:
    demo = load("kv-cache")
    assert demo.word == "Play"
    assert START["cache"] is False
