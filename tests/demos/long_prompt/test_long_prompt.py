"""Does `long-prompt` show who waits for whom: gaps of the others, the newcomer's wait, pieces, a second machine?"""

from __future__ import annotations

import pytest

from demos import long_prompt
from demos.kit.declare.controls import Value, start_values
from demos.kit.serving.server import Refused
from demos.long_prompt.simulation import PROMPT_TOKENS, Scene
from pysim.roofline.cost_of_pass import pass_cost
from tests.demos.reading import read


def scene(**changes: Value) -> Scene:
    return long_prompt.scene(**{**start_values(long_prompt.CONTROLS), **changes})


def number(at: Scene, name: str) -> float:
    return float(read(long_prompt.frame(at, 0.0)).outputs[name])


def test_all_at_once_everybody_waits_for_one_step() -> None:
    at = scene(policy="whole", late_prompt_tokens=16_000)
    assert at.served is not None
    # 8 answers of 200 + about 40 tokens each get their next token in the pass that reads all 16,000.
    step = pass_cost(at.served.on, 1, PROMPT_TOKENS + 40, 8, mixed=[(16_000, 0)], speed="typical").time_s
    assert number(at, "worst_gap_s") == pytest.approx(step, rel=0.01)
    assert number(at, "newcomer_ttft_s") == pytest.approx(step, rel=0.02)


def test_in_pieces_the_gap_shrinks_with_the_piece_and_the_newcomer_pays() -> None:
    gaps, waits = [], []
    for budget in (8192, 2048, 512):
        at = scene(policy="chunked", token_budget=budget)
        gaps.append(number(at, "worst_gap_s"))
        waits.append(number(at, "newcomer_ttft_s"))
        # A piece is the budget less a token for each of the 8 answers.
        assert sum(bar.reads for bar in at.bars) == -(-16_000 // (budget - 8))
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.1 * number(scene(policy="whole"), "worst_gap_s")
    assert waits == sorted(waits)


def test_first_means_that_the_others_wait_for_all_pieces() -> None:
    first, pieces = scene(policy="prefill-first"), scene(policy="chunked")
    assert number(first, "worst_gap_s") > number(first, "newcomer_ttft_s") - first.alone_s
    assert number(first, "worst_gap_s") > 5 * number(pieces, "worst_gap_s")


def test_a_second_machine_spares_the_others_and_sends_the_rows() -> None:
    at = scene(policy="second-machine")
    # 131,072 bytes of rows per token of Llama 3.1 8B, over 95% of 400 Gbit/s, and 20 µs.
    assert at.late.sent_s is not None
    assert at.late.sent_s - at.late.first_s == pytest.approx(16_000 * 131_072 / 47.5e9 + 20e-6, rel=1e-9)
    assert number(at, "worst_gap_s") < 2 * at.alone_s


def test_what_does_not_fit_is_a_sentence() -> None:
    at = scene(model="llama-3.1-70b", device="rtx-4090")
    assert isinstance(at.run, Refused)
    drawn = read(long_prompt.frame(at, 0.0))
    assert set(drawn.outputs.values()) == {"none"}
    long = scene(device="rtx-4090", late_prompt_tokens=100_000)
    assert isinstance(long.run, Refused)
    assert "never fits" in long.run.why


def test_the_sentence_follows_the_clock() -> None:
    at = scene()
    assert "token every" in long_prompt.say(at, 0.0)
    arrives = at.late.request.arrive_s - at.begin_s
    assert long_prompt.say(at, arrives + 0.1).startswith("0 of 16,000 prompt tokens are read")
    assert "The others wait up to" in long_prompt.say(at, at.end_s - at.begin_s)
