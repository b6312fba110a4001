"""Does the planner count devices from what one replica takes, say why not, and believe a pasted load test?"""

from __future__ import annotations

import math

import pytest

from demos import planner
from demos.kit.declare.controls import Value, start_values
from demos.kit.serving.server import Refused
from demos.planner.simulation import Scene
from pysim.serving.results.one_factor import Calibrated
from tests.demos.reading import read


def scene(**changes: Value) -> Scene:
    return planner.scene(**{**start_values(planner.CONTROLS), **changes})


def shown(at: Scene) -> dict[str, str]:
    return read(planner.frame(at, 0.0)).outputs


def test_devices_are_the_rate_by_what_one_replica_takes() -> None:
    at = scene(rate=20.0)
    assert at.best is not None
    assert at.best.quick is not None
    assert at.best.replicas is not None
    assert at.best.devices is not None
    assert at.best.replicas == math.ceil(20.0 / at.best.quick.rate_per_s)
    assert int(shown(at)["devices"]) == at.best.replicas * at.best.per_replica
    for way in at.ways:
        if way.devices is not None:
            assert way.devices >= at.best.devices or way.budget != at.best.budget
    assert at.low is not None
    assert at.high is not None
    assert at.low <= at.best.devices <= at.high


def test_more_requests_need_more_devices_and_looser_limits_fewer() -> None:
    few, many = (int(shown(scene(rate=rate))["devices"]) for rate in (5.0, 200.0))
    assert many > 5 * few
    strict, loose = (
        int(shown(scene(rate=100.0, limits="own", first_ms=first, pace_ms=pace))["devices"])
        for first, pace in ((500, 20), (10_000, 200))
    )
    assert loose < strict


def test_the_price_of_a_million_tokens_is_arithmetic() -> None:
    at = scene(load="own", prompt_tokens=1000, answer_tokens=200, rate=10.0, price=3.0)
    devices = int(shown(at)["devices"])
    # devices × 3 an hour ÷ 3,600 s ÷ (10 × 200 tokens/s) × 1,000,000
    assert float(shown(at)["price_per_million"]) == pytest.approx(devices * 3 / 3600 / 2000 * 1e6)


def test_limits_that_nothing_meets_are_a_sentence() -> None:
    at = scene(limits="own", first_ms=10, pace_ms=1)
    assert at.best is None
    assert planner.say(at, 0.0).startswith("No number of devices keeps a first token in 0.01 s")
    assert shown(at)["devices"] == "none"


def test_a_model_that_fits_nowhere_says_why() -> None:
    at = scene(model="llama-3.1-405b", device="rtx-4090")
    assert at.best is None
    assert all(way.why_not for way in at.ways)


RESULT = """============ Serving Benchmark Result ============
Successful requests:                     200
Request rate configured (RPS):           4.00
Benchmark duration (s):                  52.00
Total input tokens:                      200000
Total generated tokens:                  40000
Request throughput (req/s):              3.85
Output token throughput (tok/s):         769.23
---------------Time to First Token----------------
Mean TTFT (ms):                          60.00
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          {tpot}
==================================================
"""


def test_a_pasted_test_says_how_fast_this_server_is_and_the_plan_counts_with_it() -> None:
    fast, slow = (scene(result=RESULT.format(tpot=tpot)) for tpot in ("8.00", "24.00"))
    assert isinstance(fast.test, Calibrated)
    assert isinstance(slow.test, Calibrated)
    # With the factor the simulated time per token is the measured one.
    assert slow.test.with_factor["tpot_mean"] == pytest.approx(0.024, rel=0.02)
    assert slow.test.factor > 1.5 * fast.test.factor
    assert float(shown(slow)["highest_rate"]) < float(shown(fast)["highest_rate"]) or slow.best != fast.best


def test_a_text_without_a_load_test_is_told() -> None:
    at = scene(result="hello <b>world</b>")
    assert isinstance(at.test, Refused)
    assert "no load test" in at.test.why.lower()
    assert "<b>" not in planner.frame(at, 0.0)
