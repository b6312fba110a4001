"""Is the factor found that a load test was made with, and said what it does not explain?"""

from __future__ import annotations

import pytest

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.errors import BadValue, UnknownName
from pysim.serving.plan.server import Server
from pysim.serving.results.load_test import LoadTest
from pysim.serving.results.one_factor import calibrated, means

SERVER = Server(on=Deployment(load_model("llama-3.1-8b"), load_device("h100-sxm"), engine="vLLM"))


def measured(factor: float, *, rate_per_s: float | None, at_once: int | None) -> LoadTest:
    """What a server would measure that takes `factor` times as long as a typical one."""
    asked = LoadTest(
        tool="test", prompt_tokens=800, output_tokens=100, requests=200, rate_per_s=rate_per_s, at_once=at_once,
        measured={"tpot_mean": 1.0},
    )  # fmt: skip
    found = means(SERVER.slower(factor).run(asked.load(), at_once=at_once))
    return LoadTest(
        tool="test", prompt_tokens=800, output_tokens=100, requests=200, rate_per_s=rate_per_s, at_once=at_once,
        measured=found,
    )  # fmt: skip


@pytest.mark.parametrize("factor", [0.8, 1.25, 2.0])
@pytest.mark.parametrize(("rate_per_s", "at_once"), [(5.0, None), (None, 16), (None, None)])
def test_the_factor_that_a_test_was_made_with_is_found(
    factor: float, rate_per_s: float | None, at_once: int | None
) -> None:
    found = calibrated(SERVER, measured(factor, rate_per_s=rate_per_s, at_once=at_once))
    assert found.factor == pytest.approx(factor, rel=0.01)
    assert (found.taken_from, found.met, found.unexplained) == ("tpot_mean", True, {})
    assert found.with_factor == pytest.approx(found.measured, rel=0.02)


def test_any_one_figure_is_enough() -> None:
    known = measured(1.5, rate_per_s=None, at_once=16).measured
    for name, value in known.items():
        alone = LoadTest(
            tool="test", prompt_tokens=800, output_tokens=100, requests=200, at_once=16, measured={name: value}
        )
        assert calibrated(SERVER, alone).factor == pytest.approx(1.5, rel=0.02), name


def test_a_wait_that_speed_does_not_explain_is_said() -> None:
    known = dict(measured(1.0, rate_per_s=None, at_once=16).measured)
    known["ttft_mean"] *= 4
    test = LoadTest(tool="test", prompt_tokens=800, output_tokens=100, requests=200, at_once=16, measured=known)
    assert calibrated(SERVER, test).unexplained == {"ttft_mean": pytest.approx(4)}


def test_tests_that_say_nothing_are_refused() -> None:
    with pytest.raises(BadValue, match="nothing is measured"):
        LoadTest(tool="test", prompt_tokens=1, output_tokens=1)
    with pytest.raises(BadValue, match="is not a number above 0"):
        LoadTest(tool="test", prompt_tokens=1, output_tokens=1, measured={"tpot_mean": float("nan")})
    with pytest.raises(BadValue, match="prompt_tokens 0 is not from 1"):
        LoadTest(tool="test", prompt_tokens=0, output_tokens=1, measured={"tpot_mean": 1})
    test = LoadTest(tool="test", prompt_tokens=5, output_tokens=1, measured={"tpot_mean": 1})
    with pytest.raises(BadValue, match="was not measured"):
        calibrated(SERVER, test)
    with pytest.raises(UnknownName):
        calibrated(SERVER, test, "itl")
