"""Are the files that load generators save read right?"""

import pytest

from pysim.doctor.read.run import Run
from pysim.doctor.read.text import clean
from pysim.doctor.readers import (
    guidellm_json,
    inference_perf,
)
from tests.pysim.doctor.samples import sample


def _mean_s(run: Run) -> tuple[float | None, ...]:
    return tuple(
        None if latency is None else latency.mean_s for latency in (run.ttft, run.tpot, run.itl, run.end_to_end)
    )


def test_inference_perf_is_timed_by_whole_requests_since_its_gaps_may_be_halves_of_tokens() -> None:
    (run,) = inference_perf.read(clean(sample("inference_perf.json"))).runs
    assert (run.requests, run.failed_requests, run.request_rate_per_s) == (120, 2, 2.0)
    assert (run.prompt_tokens, run.output_tokens, run.decode_total_tokens_per_s) == (500, 201, 402)
    # (4.1 s - 0.1 s) / 200 gaps
    assert _mean_s(run) == pytest.approx((0.1, 0.02, 0.01, 4.1))


def test_guidellms_json_has_a_run_for_each_load() -> None:
    other = (
        ', {"args": {"strategy": {"type_": "concurrent", "streams": 8}}, '
        '"metrics": {"request_latency": {"successful": {"mean": 2.5}}}}]}'
    )
    text = sample("guidellm.json").rstrip().removesuffix("]}") + other
    constant, concurrent = guidellm_json.read(clean(text)).runs
    assert (constant.label, constant.request_rate_per_s, constant.concurrency_limit) == ("constant", 3.0, None)
    assert (constant.requests, constant.failed_requests, constant.setup.model) == (180, 2, "Qwen/Qwen3-8B")
    assert (constant.prompt_tokens, constant.output_tokens, constant.sequences) == (512, 101, 11.6)
    assert _mean_s(constant) == pytest.approx((0.4, 0.036, 0.036, 4.0))
    assert (concurrent.request_rate_per_s, concurrent.concurrency_limit) == (None, 8)
