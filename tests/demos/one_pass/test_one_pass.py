"""Does `one-pass` say rightly which job waits, and draw it so?"""

from __future__ import annotations

import re

import pytest

from demos import one_pass
from demos.kit.declare.controls import Value, start_values
from demos.kit.number import share
from pysim import load_device, load_model, pass_cost
from pysim.deployment import Deployment
from tests.demos.reading import Read, read

READ_PARAMS = 8_030_261_248 - 128_256 * 4096  # Llama 3.1 8B without the input table, of which a pass reads rows
KV_BYTES = 32 * 2 * 8 * 128 * 2  # layers × (keys and values) × heads × head size × 2 B, per token
BANDWIDTH, PEAK = 1008e9, 165.2e12  # RTX 4090


def shown(**changes: Value) -> Read:
    return read(one_pass.frame(one_pass.scene(**{**start_values(one_pass.CONTROLS), **changes}), 0.0))


def number(drawn: Read, name: str) -> float:
    return float(drawn.outputs[name])


def test_one_token_reads_all_weights_for_almost_no_math() -> None:
    drawn = shown()
    # Every weight once, a row of the input table, 1,000 rows of the cache read and one written.
    moved = 2 * READ_PARAMS + 2 * 4096 + 1001 * KV_BYTES
    assert number(drawn, "memory_s") == pytest.approx(moved / BANDWIDTH, rel=1e-8)
    flop = 2 * READ_PARAMS + 32 * 4 * 32 * 128 * 1001  # and 4 FLOP per head element and row that is looked at
    assert number(drawn, "compute_s") == pytest.approx(flop / PEAK, rel=1e-8)
    assert number(drawn, "pass_s") == number(drawn, "memory_s")
    assert number(drawn, "arithmetic_intensity_flop_per_byte") == pytest.approx(flop / moved, rel=1e-8)
    assert drawn.outputs["bound"] == "memory"
    # 15.0 ms a token are 66.6 tokens a second.
    assert number(drawn, "tokens_per_s") == pytest.approx(BANDWIDTH / moved, rel=1e-8)


def test_a_whole_prompt_waits_for_the_math() -> None:
    drawn = shown(tokens_in_pass=4096)
    assert drawn.outputs["bound"] == "compute"
    assert number(drawn, "pass_s") == number(drawn, "compute_s") > 20 * number(drawn, "memory_s")


def test_the_walk_takes_about_the_same_time_for_one_plate_or_a_hundred_and_cooking_does_not() -> None:
    one, hundred = shown(), shown(tokens_in_pass=100)
    # 99 more rows of 131,072 B in the cache and of 8,192 B in the input table, beside 15 GB of weights: 0.1%
    assert number(hundred, "memory_s") / number(one, "memory_s") == pytest.approx(1, abs=0.001)
    # The output table (7% of the math) works for the last token only, so a hundred cost a little less than 100 times.
    assert 90 < number(hundred, "compute_s") / number(one, "compute_s") < 100


@pytest.mark.parametrize("device", ["snapdragon-8-gen-3", "rtx-4090", "h100-sxm"])
@pytest.mark.parametrize("weights", ["f16", "q4_k_m"])
def test_the_bound_changes_at_the_shown_ridge(device: str, weights: str) -> None:
    ridge = int(shown(device=device, weights=weights).outputs["ridge_tokens"])
    assert shown(device=device, weights=weights, tokens_in_pass=max(1, ridge - 1)).outputs["bound"] == "memory"
    assert shown(device=device, weights=weights, tokens_in_pass=ridge + 1).outputs["bound"] == "compute"


def test_both_pictures_show_the_same_numbers() -> None:
    for tokens in (1, 171, 4096):
        cook, chip = (shown(tokens_in_pass=tokens, picture=picture) for picture in ("cook", "chip"))
        assert cook.outputs == chip.outputs
        assert ("Kitchen" in cook.text, "Math units" in cook.text) == (True, False)
        assert ("Kitchen" in chip.text, "Math units" in chip.text) == (False, True)


@pytest.mark.parametrize(("tokens", "drawn_items"), [(1, 1), (120, 120), (121, 61), (8192, 119)])
def test_each_plate_is_drawn_until_there_are_too_many(tokens: int, drawn_items: int) -> None:
    # 121 in groups of two are 61, 8,192 in groups of ceil(8192 / 120) = 69 are ceil(118.7) = 119.
    html = one_pass.frame(one_pass.scene(**{**start_values(one_pass.CONTROLS), "tokens_in_pass": tokens}), 0.0)
    items = re.search(r'<div class="work-items[^>]*>(.*?)</div>', html)
    assert items is not None
    assert items[1].count("<b") == drawn_items


def widths(drawn: Read, kind: str) -> list[float]:
    styles = [a.get("style") or "" for _, a in drawn.elements if a.get("class") == kind]
    return [float(style.removeprefix("width:").removesuffix("%")) for style in styles if style.startswith("width:")]


@pytest.mark.parametrize("tokens", [1, 32, 171, 340, 4096])
def test_the_lanes_are_to_one_scale_and_the_shorter_one_waits_for_the_rest(tokens: int) -> None:
    cost = pass_cost(Deployment(load_model("llama-3.1-8b"), load_device("rtx-4090")), tokens, 1000, speed="datasheet")
    drawn = shown(tokens_in_pass=tokens)
    memory, compute = sum(widths(drawn, "mem") + widths(drawn, "kvr")), sum(widths(drawn, "math"))
    assert memory / compute == pytest.approx(float(cost.memory_s) / float(cost.compute_s), rel=0.02)
    waiting = sum(widths(drawn, "wait"))
    assert min(memory, compute) + waiting == pytest.approx(max(memory, compute), abs=0.05)
    # The picture of reading stands still at half the width until the math needs more than all of it.
    assert memory == pytest.approx(50, abs=0.05) or compute == pytest.approx(100, abs=0.05)


def test_the_cache_is_drawn_apart_and_grows_with_the_text_so_far() -> None:
    short, long = shown(), shown(context_tokens=131_072)
    assert sum(widths(short, "kvr")) < 1
    # 131,073 rows of 131,072 B are 17.18 GB beside 15.01 GB of weights: 53% of what is read.
    assert sum(widths(long, "kvr")) / 50 == pytest.approx(17.18 / (17.18 + 15.01), abs=0.002)


def test_the_sentence_names_who_waits() -> None:
    def said(tokens: int) -> str:
        return one_pass.say(one_pass.scene(**{**start_values(one_pass.CONTROLS), "tokens_in_pass": tokens}), 0.0)

    assert "the math waits 99.3% of the time" in said(1)
    assert "the reading waits" in said(4096)
    assert "in balance" in said(171)


@pytest.mark.parametrize(
    ("fraction", "text"),
    [(0, "0%"), (0.0284, "2.8%"), (0.42, "42%"), (0.9937, "99.3%"), (0.99999, "99.9%"), (1, "100%")],
)
def test_a_share_is_never_rounded_to_all_of_it(fraction: float, text: str) -> None:
    assert share(fraction) == text
