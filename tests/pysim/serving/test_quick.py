"""Is the quick look near the long search, and does it say why a rate is too high?"""

from __future__ import annotations

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.serving.load.traffic import traffic_named
from pysim.serving.plan.limits import limits_named
from pysim.serving.plan.quick import quick_rate
from pysim.serving.plan.search import highest_rate
from pysim.serving.plan.server import Server

ON = Deployment(load_model("llama-3.1-8b"), load_device("h100-sxm"), engine="vLLM")
CHAT = traffic_named("azure-2023-conv", seed=1)
LIMITS = limits_named("mlperf-llama-3.1-8b-server")


def test_it_is_within_a_third_of_a_long_search() -> None:
    server = Server(on=ON)
    quick = quick_rate(server, CHAT, LIMITS)
    long = highest_rate(server, CHAT, LIMITS, seconds=60)
    assert 0.67 < quick.rate_per_s / long.rate_per_s < 1.6


def test_what_breaks_first_is_named_and_rates_ascend() -> None:
    quick = quick_rate(Server(on=ON), CHAT, LIMITS)
    rates = [each.rate_per_s for each in quick.tried]
    assert rates == sorted(rates)
    assert quick.breaks_first is not None
    assert "limit" in quick.breaks_first or "backlog" in quick.breaks_first


def test_limits_that_nothing_meets_give_a_rate_of_nothing() -> None:
    limits = limits_named("mlperf-deepseek-r1-interactive")
    slow = Server(on=ON).slower(50.0)
    assert quick_rate(slow, CHAT, limits).rate_per_s == 0.0
