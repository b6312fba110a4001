"""Do limits count what they say, by request together and each for itself?"""

from __future__ import annotations

import pytest

from pysim.errors import BadValue, UnknownName
from pysim.serving.plan.limits import Limits, limits_from, limits_named, presets
from pysim.serving.request import Outcome, Request


def outcome(ttft_s: float, tpot_s: float, tokens: int = 11) -> Outcome:
    asked = Request(number=0, arrive_s=5.0, prompt_tokens=10, output_tokens=tokens)
    first_s = 5.0 + ttft_s
    finish_s = first_s + tpot_s * (tokens - 1)
    return Outcome(request=asked, admitted_s=5.0, first_s=first_s, finish_s=finish_s, evictions=0, recomputed_tokens=0)


# Of ten requests, one is late with its first token and another one is slow after it.
TEN = [outcome(0.2, 0.02)] * 8 + [outcome(3.0, 0.02), outcome(0.2, 0.5)]


def test_goodput_counts_requests_within_all_limits_and_mlperf_each_limit_for_itself() -> None:
    both = Limits(ttft_s=1, tpot_s=0.1, share=0.85)
    assert both.share_within(TEN) == 0.8
    assert both.broken(TEN) is not None
    # At 85%, the rank is 0.85 × 9 = 7.65 of the values sorted from 0: all before the ninth are small.
    apart = Limits(ttft_s=1, tpot_s=0.1, share=0.85, together=False)
    assert apart.worst(TEN) == {"ttft_s": pytest.approx(0.2), "tpot_s": pytest.approx(0.02)}
    assert apart.broken(TEN) is None
    # At 95%, it is 8.55: between the ninth, 0.2 s, and the tenth, 3 s.
    assert Limits(ttft_s=1, share=0.95, together=False).worst(TEN)["ttft_s"] == pytest.approx(0.2 + 0.55 * 2.8)


def test_the_limit_that_is_exceeded_by_most_is_named() -> None:
    # Of ten requests, at 99%: 0.91 × the largest + 0.09 × the next. TTFT 2.748 s of 1 s; TPOT 0.4568 s of 0.1 s.
    limits = Limits(ttft_s=1, tpot_s=0.1, together=False)
    assert limits.broken(TEN) == "tpot_s"
    assert limits.words("tpot_s", TEN) == "TPOT at p99 is 457 ms, the limit is 100 ms"


def test_of_all_limits_together_the_one_that_most_requests_exceed_is_named() -> None:
    late = [outcome(3.0, 0.02)] * 2 + TEN
    limits = Limits(ttft_s=1, tpot_s=0.1, share=0.9)
    assert limits.broken(late) == "ttft_s"
    # 8 of 12
    assert limits.words("ttft_s", late) == (
        "only 66.7% of the requests stay within all limits, 90% should; most of the others exceed the TTFT of 1 s"
    )


def test_an_answer_of_one_token_has_no_time_per_token_to_exceed() -> None:
    assert Limits(tpot_s=0.001).within(outcome(9.0, 0.0, tokens=1))
    assert Limits(tpot_s=0.001).broken([outcome(9.0, 0.0, tokens=1)]) is None


def test_presets_are_mlperfs_and_other_values_change_them() -> None:
    # mlcommons/inference, LLM_LATENCY_LIMITS: llama2-70b-99, Interactive: 450 ms and 40 ms.
    found = limits_named("mlperf-llama-2-70b-interactive")
    assert (found.ttft_s, found.tpot_s, found.share, found.together) == (0.45, 0.04, 0.99, False)
    assert all(each.ttft_s and each.tpot_s for each in presets().values())
    changed = limits_from({"preset": "mlperf-llama-2-70b-interactive", "tpot_s": 0.1})
    assert (changed.ttft_s, changed.tpot_s) == (0.45, 0.1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("mlperf-lama-2-70b-server", "did you mean"),
        ({"ttft": 1}, 'unknown limit "ttft"'),
        ({"ttft_s": 0}, "the limit ttft_s 0 is not a number of seconds above 0"),
        ({"ttft_s": float("nan")}, "is not a number of seconds"),
        ({"ttft_s": True}, "is not a number"),
        ({"tpot_s": "fast"}, "is not a number"),
        ({"share": 0}, "the share 0 of requests"),
        ({"share": 1.5}, "the share 1.5 of requests"),
    ],
)
def test_limits_that_make_no_sense_are_refused(given: dict[str, object] | str, message: str) -> None:
    with pytest.raises((BadValue, UnknownName), match=message):
        limits_from(given)
