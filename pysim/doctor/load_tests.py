"""The load tests in a text, in the form that the serving simulator takes: what was asked of a server, and its means."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from pysim.doctor.find import read
from pysim.doctor.read.run import Latency, Run
from pysim.errors import BadValue
from pysim.serving.results.load_test import LoadTest

OF_A_BURST: Final = 1 / 3
_RATE: Final = re.compile(r"(?:constant|poisson|async)@([\d.]{1,12})\Z")


def load_tests(
    text: str, *, prompt_tokens: float | None = None, output_tokens: float | None = None,
    rate_per_s: float | None = None, at_once: int | None = None,
) -> tuple[LoadTest, ...]:  # fmt: skip
    """Every load test that a text holds; what is given by name replaces what the text says.

    Raises BadValue where it holds none, or one that lacks what the simulator needs.
    """
    runs = [run for run in read(text).runs if run.kind == "service"]
    if not runs:
        raise BadValue("no load test in it: paste what vllm bench serve, bench_serving, GuideLLM or AIPerf printed")
    return tuple(_load_test(run, prompt_tokens, output_tokens, rate_per_s, at_once) for run in runs)


def _load_test(
    run: Run, prompt: float | None, output: float | None, rate: float | None, at_once: int | None
) -> LoadTest:
    prompt, output = prompt or run.prompt_tokens, output or run.output_tokens
    for name, tokens in (("prompts", prompt), ("answers", output)):
        if not tokens:
            raise BadValue(f"line {run.line}: the load test of {run.tool} does not say how long its {name} are")
    if rate is None and at_once is None:
        rate, at_once = _asked(run)
    return LoadTest(
        tool=run.tool, prompt_tokens=prompt or 0, output_tokens=output or 0, requests=run.requests, rate_per_s=rate,
        at_once=at_once, measured=dict(_measured(run)),
    )  # fmt: skip


def _asked(run: Run) -> tuple[float | None, int | None]:
    """A rate, or a number at once, or neither for a burst."""
    if run.concurrency_limit:
        return None, run.concurrency_limit
    rate = run.request_rate_per_s
    labeled = _RATE.match(run.label)
    if rate is None and labeled is not None:
        rate = float(labeled[1])
    if rate is not None and math.isfinite(rate):
        return rate, None
    # Not said: by Little's law, requests/s × seconds of a request are in flight; in a burst, most of all requests.
    speed, whole_s = run.request_throughput_per_s, _mean(run.end_to_end)
    inside = run.sequences or (speed * whole_s if speed and whole_s else None)
    if inside is None or (run.requests and inside > run.requests * OF_A_BURST):
        return None, None
    return None, max(1, round(inside))


def _measured(run: Run) -> Iterator[tuple[str, float]]:
    ttft, tpot = _mean(run.ttft), _mean(run.tpot)
    end, tokens = _mean(run.end_to_end), run.output_tokens
    if tpot is None and None not in (end, ttft, tokens) and (tokens or 0) > 1:
        # Gaps between pieces of a stream may hold several tokens, or half of one; the answer's own time has not.
        tpot = ((end or 0) - (ttft or 0)) / ((tokens or 0) - 1)
    for name, value in (
        ("ttft_mean", ttft),
        ("tpot_mean", tpot),
        ("output_tok_s", run.decode_total_tokens_per_s),
    ):
        if value is not None and value > 0:
            yield name, value


def _mean(latency: Latency | None) -> float | None:
    return None if latency is None else latency.mean_s if latency.mean_s is not None else latency.median_s
