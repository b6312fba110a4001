"""Does `batching` show the truth: what rises, what flattens it, and what each conversation pays?"""

from __future__ import annotations

import itertools

import pytest

from demos import batching
from demos.batching.plots import curves
from demos.batching.simulation import FEWEST_PASSES, Scene
from demos.kit.declare.controls import Value, start_values
from pysim import Deployment, load_device, load_model
from tests.demos.reading import Read, read

READ_BYTES = 2 * (8_030_261_248 - 128_256 * 4096)  # Llama 3.1 8B in 16 bits, without its input table
KV_BYTES = 32 * 2 * 8 * 128 * 2  # layers × (keys and values) × heads × head size × 2 B, per token
BANDWIDTH = 1008e9  # RTX 4090


def scene(**changes: Value) -> Scene:
    return batching.scene(**{**start_values(batching.CONTROLS), **changes})


def shown(**changes: Value) -> Read:
    return read(batching.frame(scene(**changes), 0.0))


def number(drawn: Read, name: str) -> float:
    return float(drawn.outputs[name])


def test_one_pass_reads_the_weights_once_and_every_cache() -> None:
    drawn = shown(conversations=64, context_tokens=500)
    # 64 × 500 rows (499 read, 1 written, each) and 64 rows of the input table of 4096 × 2 B.
    moved = READ_BYTES + 64 * (500 * KV_BYTES + 8192)
    at = scene(conversations=64, context_tokens=500)
    assert at.cost.moved_bytes == pytest.approx(moved, rel=1e-8)
    # At typical speed a pass takes longer than the best case, and not three times as long.
    pass_s = number(drawn, "pass_s")
    assert moved / BANDWIDTH < pass_s < 3 * moved / BANDWIDTH
    assert pass_s == pytest.approx(at.on.pass_cost(1, 499, 64, speed="typical").time_s)
    assert number(drawn, "total_tokens_per_s") == pytest.approx(64 / pass_s, rel=1e-8)
    assert number(drawn, "per_conversation_tokens_per_s") == pytest.approx(1 / pass_s, rel=1e-8)
    assert number(drawn, "kv_cache_bytes") == 64 * 500 * KV_BYTES


def test_the_total_rises_steeply_while_no_conversation_gets_faster() -> None:
    drawn = [shown(conversations=number) for number in (1, 2, 16, 64, 191, 512)]
    total = [number(frame, "total_tokens_per_s") for frame in drawn]
    of_one = [number(frame, "per_conversation_tokens_per_s") for frame in drawn]
    assert 12 < total[2] / total[0] <= 16
    assert all(later < earlier for earlier, later in itertools.pairwise(of_one))
    # From the ridge on 2.7 times as many conversations bring hardly more tokens.
    assert total[-2] < total[-1] < 1.4 * total[-2]


@pytest.mark.parametrize(
    ("device", "context", "ridge"),
    [
        ("rtx-4090", 500, "543"),  # 163.9 × 15.01e9 / (15.01e9 + 524,288 × 500 - 163.9 × 131,072 × 500)
        ("rtx-4090", 717, "none"),  # 15.01e9 / (163.9 × 131,072 - 524,288) = 716.2
        ("h100-sxm", 394, "none"),  # 15.01e9 / (295.2 × 131,072 - 524,288) = 393.2
        ("rtx-4090", 100, "191"),  # 2,460e9 / (15.01e9 + 0.05e9 - 2.15e9)
    ],
)
def test_the_ridge_in_conversations(device: str, context: int, ridge: str) -> None:
    assert shown(device=device, context_tokens=context).outputs["ridge_batch"] == ridge


def test_it_says_that_memory_ends_the_rise_where_it_does() -> None:
    # (23.52 GiB − 16.06 GB − 0.76 GB) / (500 × 131,072 B) = 128.6
    assert "it holds 128 conversations; the ridge would be at 543" in shown(context_tokens=500).text
    assert shown(context_tokens=500, conversations=128).outputs["fits"] == "true"
    full = shown(context_tokens=500, conversations=129)
    assert full.outputs["fits"] == "false"
    assert "129 do not fit: times are as if they did" in full.text
    assert "memory ends at 23.5 GiB" in full.text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"context_tokens": 100}, "The ridge ends the rise: from 191 conversations on"),
        # 15.01e9 / (1,000 × 131,072) = 114.5 conversations have caches as heavy as the weights.
        ({"context_tokens": 1000, "device": "h100-sxm"}, "The caches end the rise: from 115 on"),
        ({"context_tokens": 1000, "device": "h100-sxm"}, "no batch reaches the ridge"),
        # 80 layers × 8 heads × 128 × 2 numbers of 4.5 bits, 131,072 times: 12.08 GB; the pass reads 41.92 GB of
        # weights, as much as 3.47 caches. So three caches are lighter still, and four are heavier.
        (
            {"model": "llama-3.1-70b", "weights": "q4_k_m", "kv": "q4_0", "context_tokens": 131_072, "device": "b200"},
            "The caches end the rise: from 4 on",
        ),
        ({"model": "llama-3.1-70b"}, "Not even one conversation fits"),
    ],
)
def test_it_says_which_limit_ends_the_rise(changes: dict[str, Value], words: str) -> None:
    assert words in shown(**changes).text


def test_a_smaller_cache_holds_more_conversations_and_moves_the_ridge() -> None:
    plain, small = scene(context_tokens=500), scene(context_tokens=500, kv="q8_0")
    # 8.5 bits instead of 16: 128.6 × 16 / 8.5 = 242.1
    assert (plain.limits.held, small.limits.held) == (128, 242)
    assert (small.limits.ridge or 0) < (plain.limits.ridge or 0)


def test_every_stop_gives_each_conversation_one_token_more() -> None:
    at = scene(conversations=64)
    stops = batching.stops(at)
    assert stops[1] == at.pass_s
    for passes, t_s in enumerate(stops[1:], start=1):
        assert f"{64 * passes:,} in all" in batching.say(at, t_s)
        assert f"{passes} token" in read(batching.frame(at, t_s)).text
    middle = read(batching.frame(at, (stops[3] + stops[4]) / 2)).text
    assert f"{64 * 3:,} tokens in all" in middle


def test_the_lines_are_at_their_true_relative_pace() -> None:
    # By bytes alone each of the others is 1.87 times slower (caches of 13.1 GB next to 15.01 GB); the math adds to it.
    at = scene(conversations=200, context_tokens=500)
    by_bytes = (READ_BYTES + 200 * (500 * KV_BYTES + 8192)) / (READ_BYTES + 500 * KV_BYTES + 8192)
    assert by_bytes == pytest.approx(1.87, abs=0.01)
    slower = at.cost.time_s / at.alone.time_s
    assert by_bytes < slower < 1.5 * by_bytes
    end_s = batching.stops(at)[-1]
    alone = round(end_s / float(at.alone.time_s) - 0.5)
    assert alone / at.passes == pytest.approx(slower, rel=0.07)
    assert f"against {alone} alone" in read(batching.frame(at, end_s)).text


def test_even_the_slowest_batch_shows_a_few_passes() -> None:
    at = scene(conversations=512, context_tokens=131_072)
    assert at.passes == FEWEST_PASSES


def test_curves_bend_exactly_at_the_ridge_and_break_where_memory_ends() -> None:
    model, device = load_model("llama-3.1-8b"), load_device("rtx-4090")
    on = Deployment(model, device)
    limits = on.batch_limits(100)
    drawn = curves(on, 100, limits, 512)
    assert limits.ridge in [number for number, _ in drawn.total]
    assert (drawn.total[0], drawn.of_one[0][0]) == ((1.0, drawn.of_one[0][1]), 1.0)
    short_of_room = curves(on, 500, on.batch_limits(500), 512)
    assert 128.0 in [number for number, _ in short_of_room.total]
    assert short_of_room.held == 128
