"""What does inference-perf's report of a stage say, `stage_0_lifecycle_metrics.json` or the summary of all stages?

`load_summary`, `successes` with `latency` in seconds, `throughput` and lengths, and `failures`:
https://github.com/kubernetes-sigs/inference-perf/blob/main/inference_perf/reportgen/base.py, summarize_requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import count, finite, positive
from pysim.doctor.read.run import Gap, Latency, Reading, Run
from pysim.doctor.read.service.run import tpot_speed, with_doubts
from pysim.doctor.read.text import Text

TOOL: Final = "inference-perf"
TOOLS: Final = {TOOL: "inference-perf"}
_NAMES: Final = {"mean_s": "mean", "median_s": "median", "least_s": "min", "most_s": "max", "p90_s": "p90",
                 "p95_s": "p95", "p99_s": "p99"}  # fmt: skip


def read(text: Text) -> Reading:
    """One run per report."""
    if '"successes"' not in text.plain or '"load_summary"' not in text.plain:
        return Reading(runs=())
    records = [record for record in text.objects if {"successes", "load_summary"} <= record.value.keys()]
    gaps = tuple(
        Gap(line=record.last_line, message="the report of inference-perf is cut off")
        for record in records
        if not record.whole
    )
    return Reading(runs=tuple(_run(record) for record in records), gaps=gaps, lines=len(text.lines))


def _run(record: JsonObject) -> Run:
    load, done = _table(record.value, "load_summary"), _table(record.value, "successes")
    latency, speed = _table(done, "latency"), _table(done, "throughput")
    prompt = finite(_table(done, "prompt_tokens").get("mean", _table(done, "prompt_len").get("mean")))
    output = finite(_table(done, "output_len").get("mean"))
    ttft, end = _latency(latency, "time_to_first_token"), _latency(latency, "request_latency")
    return with_doubts(
        Run(
            tool=TOOL,
            kind="service",
            line=record.line,
            last_line=record.last_line,
            requests=count(done.get("count")),
            failed_requests=count(_table(record.value, "failures").get("count")),
            prompt_tokens=prompt,
            output_tokens=output,
            request_rate_per_s=positive(load.get("requested_rate")),
            concurrency_limit=count(load.get("concurrency")),
            request_throughput_per_s=positive(speed.get("requests_per_sec")),
            total_prefill_tokens_per_s=positive(speed.get("input_tokens_per_sec")),
            decode_tokens_per_s=tpot_speed(_tpot(ttft, end, output)),
            decode_total_tokens_per_s=positive(speed.get("output_tokens_per_sec")),
            combined_tokens_per_s=positive(speed.get("total_tokens_per_sec")),
            ttft=ttft,
            tpot=_tpot(ttft, end, output),
            itl=_latency(latency, "inter_token_latency"),
            end_to_end=end,
        )
    )


def _tpot(ttft: Latency | None, end: Latency | None, output: float | None) -> Latency | None:
    """From the whole request: its gaps were between pieces of a stream, of which two made a token in some versions."""
    first_s, last_s = (None if known is None else known.mean_s for known in (ttft, end))
    if first_s is None or last_s is None or output is None or output <= 1 or last_s <= first_s:
        return None
    return Latency(mean_s=(last_s - first_s) / (output - 1))


def _latency(latencies: Mapping[str, object], name: str) -> Latency | None:
    values = _table(latencies, name)
    known = {field: value for field, key in _NAMES.items() if (value := finite(values.get(key))) is not None}
    return Latency(**known) if known else None


def _table(value: Mapping[str, object], name: str) -> dict[str, object]:
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}
