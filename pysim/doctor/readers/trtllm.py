"""What does TensorRT-LLM's benchmark say: `trtllm-bench`'s report, its JSON, and the older programs' lines?

`Average time-to-first-token [TTFT] (ms): 52667.0339` and `[TTFT] P90    : 96583.7187` under `= PERFORMANCE OVERVIEW`:
tensorrt_llm/bench/dataclasses/reporting.py. Before: `[BENCHMARK] avg_time_to_first_token(ms) 41.2`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import NUMBER, count, finite, number, positive, size_bytes
from pysim.doctor.read.run import Gap, Latency, Reading, Run, Setup
from pysim.doctor.read.service.run import tpot_speed, with_doubts
from pysim.doctor.read.text import Text, is_whole

TOOL: Final = "trtllm-bench"
TOOLS: Final = {TOOL: "TensorRT-LLM"}
_HEADS: Final = (
    "= PERFORMANCE OVERVIEW", "= LATENCY OVERVIEW", "= ENGINE DETAILS", "= PYTORCH BACKEND", "= REQUEST DETAILS",
)  # fmt: skip
_LABELS: Final = {
    "Request Throughput (req/sec)": "finished",
    "Total Output Throughput (tokens/sec)": "output",
    "Total Token Throughput (tokens/sec)": "all",
    "Generation Token Throughput (tokens/sec)": "output",
    "Token Throughput (tokens/sec)": "all",
    "Total Latency (ms)": "duration",
    "Average request latency (ms)": "latency",
    "Average time-to-first-token [TTFT] (ms)": "ttft",
    "Average time-per-output-token [TPOT] (ms)": "tpot",
    "Average time-to-first-token (ms)": "ttft",
    "Average inter-token latency (ms)": "tpot",
    "Number of requests": "requests",
    "Number of concurrent requests": "concurrent",
    "Average Input Length (tokens)": "prompt",
    "Average Output Length (tokens)": "answer",
    "TP Size": "tp",
    "PP Size": "pp",
    "Max Runtime Batch Size": "slots",
    "Max Runtime Tokens": "batch",
    "Max Sequence Length": "context",
}
_WORDS: Final = ("Model", "Dtype", "KV Cache Dtype", "Quantization", "TensorRT LLM Version", "TensorRT-LLM Version")
_LINE: Final = re.compile(
    r"(?:^|[\]\s])(" + "|".join(re.escape(word) for word in (*_LABELS, *_WORDS)) + r"):\s{1,40}(\S{1,120})"
)
_BREAKDOWN: Final = re.compile(
    rf"\[(TTFT|TPOT|Latency)\] (MINIMUM|MAXIMUM|AVERAGE|P50|P90|P95|P99)\s{{0,6}}: ({NUMBER})"
)
_GPU: Final = re.compile(rf"^\W{{0,4}}(\S.{{2,60}}), memory ({NUMBER} GB), {NUMBER} GHz")
_STATISTICS: Final = {"MINIMUM": "least_s", "MAXIMUM": "most_s", "AVERAGE": "mean_s", "P50": "median_s",
                      "P90": "p90_s", "P95": "p95_s", "P99": "p99_s"}  # fmt: skip
_OLD: Final = re.compile(rf"\b([a-z_]{{3,40}}(?:\([a-z/]{{1,16}}\))?) ({NUMBER})\b")
_MOST_LINES: Final = 150


@dataclass(slots=True)
class _Report:
    line: int
    last_line: int
    values: dict[str, float] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    latencies: dict[str, dict[str, float]] = field(default_factory=dict)
    gpu: tuple[str, str] | None = None


def read(text: Text) -> Reading:
    """One run per report."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    for report in _reports(text):
        runs.append(_run(report))
        gaps += _missing(report)
    if '"streaming_metrics"' in text.plain or '"request_throughput_req_s"' in text.plain:
        runs += [run for record in text.objects if (run := _from_object(record)) is not None]
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _reports(text: Text) -> list[_Report]:
    reports: list[_Report] = []
    places = text.places(*_HEADS, *_LABELS, "[TTFT]", "[TPOT]", "[Latency]", "GHz", *(f"{word}:" for word in _WORDS))
    if not any(mark in text.plain for mark in ("PERFORMANCE OVERVIEW", "Request Throughput (req/sec)", "[TTFT] ")):
        return []
    report: _Report | None = None
    for at in places:
        line, content = text.lines[at]
        match, breakdown, gpu = _LINE.search(content), _BREAKDOWN.search(content), _GPU.search(content)
        key = _LABELS.get(match[1]) if match is not None else None
        began = "= ENGINE DETAILS" in content or "= PYTORCH BACKEND" in content
        if (
            report is None
            or began
            or (key is not None and key in report.values)
            or line - report.last_line > _MOST_LINES
        ):
            report = _Report(line, line)
            reports.append(report)
        if match is not None and key is not None:
            value = number(match[2])
            if value is not None and is_whole(text, at, match.end(), match[2], decimals=4):
                report.values[key] = value
        elif match is not None:
            report.words.setdefault(match[1], match[2])
        elif breakdown is not None:
            value = number(breakdown[3])
            if value is not None and is_whole(text, at, breakdown.end(), breakdown[3], decimals=4):
                report.latencies.setdefault(breakdown[1], {})[_STATISTICS[breakdown[2]]] = value / 1000
        elif gpu is not None:
            name = gpu[1]
            report.gpu = (name[max(0, name.find("NVIDIA")) :], gpu[2])
        report.last_line = line
    return [
        report
        for report in reports
        if report.values.keys() & {"output", "finished", "ttft", "latency"} or report.latencies
    ]


def _run(report: _Report) -> Run:
    values, words = report.values, report.words
    requests, duration = values.get("requests"), values.get("duration")
    finished = values.get("finished")
    if requests is None and finished and duration:
        requests = finished * duration / 1000
    ttft = _latency(report, "TTFT", "ttft")
    tpot = _latency(report, "TPOT", "tpot")
    prompt, answer = values.get("prompt"), values.get("answer")
    if answer is None and finished and "output" in values:
        answer = values["output"] / finished
    reading = values["all"] - values["output"] if "all" in values and "output" in values else None
    if prompt is None and finished and reading is not None:
        prompt = reading / finished
    quantization = words.get("Quantization")
    cache = words.get("KV Cache Dtype")
    cache = None if cache in (None, "None", "auto") else cache
    return with_doubts(
        Run(
            tool=TOOL,
            kind="service",
            line=report.line,
            last_line=report.last_line,
            engine="tensorrt-llm",
            setup=Setup(
                model=words.get("Model"),
                weights=quantization if quantization not in (None, "None") else words.get("Dtype"),
                kv_keys=cache,
                kv_values=cache,
                device=report.gpu[0] if report.gpu else None,
                device_memory_bytes=size_bytes(report.gpu[1].replace("GB", "GiB")) if report.gpu else None,
                n_devices=_devices(values),
                slots=_whole(values.get("slots")),
                batch_tokens=_whole(values.get("batch")),
                context_tokens=_whole(values.get("context")),
                engine_version=words.get("TensorRT LLM Version", words.get("TensorRT-LLM Version")),
            ),
            prompt_tokens=prompt,
            output_tokens=answer,
            sequences=values.get("concurrent"),
            requests=None if requests is None else round(requests),
            request_throughput_per_s=finished,
            total_s=None if duration is None else duration / 1000,
            total_prefill_tokens_per_s=reading,
            decode_tokens_per_s=tpot_speed(tpot),
            decode_total_tokens_per_s=values.get("output"),
            combined_tokens_per_s=values.get("all"),
            ttft=ttft,
            tpot=tpot,
            end_to_end=_latency(report, "Latency", "latency"),
        )
    )


def _latency(report: _Report, name: str, mean: str) -> Latency | None:
    values = dict(report.latencies.get(name, {}))
    if mean in report.values:
        values.setdefault("mean_s", report.values[mean] / 1000)
    return Latency(**values) if values else None


def _missing(report: _Report) -> list[Gap]:
    named = {"finished": "the request throughput", "output": "the output throughput", "duration": "the total latency"}
    missing = [words for key, words in named.items() if key not in report.values]
    for span in ("TTFT", "TPOT"):
        if span.lower() not in report.values and span not in report.latencies:
            missing.append(f"{span} (not streamed, or cut off)")
    if not missing:
        return []
    return [Gap(line=report.last_line, message=f"missing from the report: {', '.join(missing)}")]


def _devices(values: Mapping[str, float]) -> int | None:
    return round(values["tp"] * values.get("pp", 1.0)) if "tp" in values else None


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)


def _from_object(record: JsonObject) -> Run | None:
    """The report file: engine, world_info, request_info, performance, streaming_metrics."""
    parts: dict[str, Mapping[str, object]] = {}
    for name in ("engine", "machine", "world_info", "request_info", "performance", "streaming_metrics"):
        part = record.value.get(name)
        parts[name] = part if isinstance(part, dict) else {}
    performance, streaming = parts["performance"], parts["streaming_metrics"]
    if "request_throughput_req_s" not in performance:
        return None
    report = _Report(record.line, record.last_line)
    for key, value in (
        ("finished", performance.get("request_throughput_req_s")),
        ("output", performance.get("system_output_throughput_tok_s")),
        ("all", performance.get("system_total_throughput_tok_s")),
        ("duration", performance.get("total_latency_ms")),
        ("latency", performance.get("avg_request_latency_ms")),
        ("ttft", streaming.get("avg_ttft_ms")),
        ("tpot", streaming.get("avg_tpot_ms")),
        ("requests", parts["request_info"].get("num_requests")),
        ("concurrent", parts["request_info"].get("avg_num_concurrent_requests")),
        ("prompt", parts["request_info"].get("avg_input_length")),
        ("answer", parts["request_info"].get("avg_output_length")),
        ("tp", parts["world_info"].get("tp_size")),
        ("pp", parts["world_info"].get("pp_size")),
        ("slots", count(parts["world_info"].get("max_batch_size"))),
        ("batch", count(parts["world_info"].get("max_num_tokens"))),
    ):
        known = finite(value)
        if known is not None:
            report.values[key] = known
    for word, key in (("Model", "model"), ("Dtype", "dtype"), ("Quantization", "quantization"),
                      ("KV Cache Dtype", "kv_cache_dtype"), ("TensorRT LLM Version", "version")):  # fmt: skip
        entry = parts["engine"].get(key)
        if isinstance(entry, str):
            report.words[word] = entry
    gpu, memory = parts["machine"].get("name"), positive(parts["machine"].get("memory.total"))
    if isinstance(gpu, str):
        report.gpu = (gpu, f"{memory or ''} GB")
    for span in ("TTFT", "TPOT"):
        _add_percentiles(report, span, streaming.get(f"{span.lower()}_percentiles"))
    return _run(report)


def _add_percentiles(report: _Report, span: str, percentiles: object) -> None:
    """Add a latency's statistics, which the file has in milliseconds."""
    for word, statistic in _STATISTICS.items():
        known = finite(percentiles.get(word.lower())) if isinstance(percentiles, dict) else None
        if known is not None:
            report.latencies.setdefault(span, {})[statistic] = known * 1e-3
