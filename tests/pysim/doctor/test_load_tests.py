"""Are load tests taken from what generators print, with the load that they really had?"""

from __future__ import annotations

import pytest

from pysim.doctor.load_tests import load_tests
from pysim.errors import BadValue
from tests.pysim.doctor.samples import sample


def test_a_rate_a_limit_and_a_burst_are_told_apart() -> None:
    (vllm,) = load_tests(sample("vllm_serve.txt"))
    assert (vllm.at_once, vllm.rate_per_s, vllm.requests) == (8, None, 200)
    assert (vllm.prompt_tokens, vllm.output_tokens) == (1024, 128)
    assert vllm.measured == pytest.approx({"ttft_mean": 0.5, "tpot_mean": 0.025, "output_tok_s": 256})
    (perf,) = load_tests(sample("inference_perf.json"))
    assert (perf.at_once, perf.rate_per_s) == (None, 2.0)
    synchronous, constant = load_tests(sample("guidellm.txt"))
    assert (synchronous.at_once, synchronous.rate_per_s) == (1, None)
    assert (constant.at_once, constant.rate_per_s) == (None, 4.0)
    # AIPerf's JSON has no load: 2.5 requests/s of 0.816 s each are 2 at a time, by Little's law.
    (ai,) = load_tests(sample("aiperf.json"))
    assert (ai.at_once, ai.rate_per_s) == (2, None)
    # 120 requests in 10 s that take 8 s each: 96 of 120 at a time came all at once.
    burst = sample("aiperf.json").replace('"avg": 2.5', '"avg": 12').replace('"avg": 10.0}', '"avg": 120.0}')
    (all_at_once,) = load_tests(burst.replace('"avg": 816.0', '"avg": 8000.0'))
    assert (all_at_once.at_once, all_at_once.rate_per_s) == (None, None)


def test_what_is_given_replaces_what_the_text_says() -> None:
    (test,) = load_tests(sample("vllm_serve.txt"), prompt_tokens=10, output_tokens=20, rate_per_s=3)
    assert (test.prompt_tokens, test.output_tokens, test.rate_per_s, test.at_once) == (10, 20, 3, None)


def test_a_text_without_a_load_test_is_refused() -> None:
    with pytest.raises(BadValue, match="no load test in it"):
        load_tests("eval rate: 20 tokens/s")
