"""What do the lines of TensorRT-LLM's older benchmark programs say?

gptManagerBenchmark prints `[BENCHMARK] avg_time_to_first_token(ms) 465.21`, a figure a line; benchmark.py all in one:
`[BENCHMARK] model_name llama_7b … batch_size 8 … input_length 128 output_length 128 … latency(ms) 998.2 …`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Gap, Latency, Reading, Run, Setup
from pysim.doctor.read.service.run import tpot_speed, with_doubts
from pysim.doctor.read.text import Text

MANAGER: Final = "gptManagerBenchmark"
BENCHMARK: Final = "tensorrt-llm benchmark.py"
TOOLS: Final = {MANAGER: "TensorRT-LLM", BENCHMARK: "TensorRT-LLM"}
_PAIR: Final = re.compile(rf"\b([a-z][\w.]{{2,40}}(?:\([\w/]{{1,16}}\))?) ({NUMBER})(?![\w.])")
_MODEL: Final = re.compile(r"\bmodel_name (\S{2,80})")
_PRECISION: Final = re.compile(r"\bprecision (float16|bfloat16|float32|fp16|bf16|fp8)\b")
_STATISTICS: Final = {"avg": "mean_s", "max": "most_s", "min": "least_s", "p99": "p99_s", "p90": "p90_s",
                      "p50": "median_s"}  # fmt: skip
_MOST_LINES_APART: Final = 10


def read(text: Text) -> Reading:
    """One run per program run."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    group: dict[str, float] = {}
    first = last = 0
    for at in text.places("[BENCHMARK] "):
        line, content = text.lines[at]
        if at == len(text.lines) - 1:
            # Nothing follows the last figure, so it may lack digits.
            content = content.rsplit(" ", 1)[0]
        content = content[content.find("[BENCHMARK] ") + 12 :]
        pairs = {name: value for name, shown in _PAIR.findall(content) if (value := number(shown)) is not None}
        model = _MODEL.search(content)
        if model is not None and "batch_size" in pairs:
            precision = _PRECISION.search(content)
            runs.append(_one_line(line, model[1], pairs, None if precision is None else precision[1]))
            continue
        if group and (pairs.keys() & group.keys() or line - last > _MOST_LINES_APART):
            _finish(group, first, last, runs, gaps)
            group = {}
        if pairs:
            first = first if group else line
            last = line
            group |= pairs
    _finish(group, first, last, runs, gaps)
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _one_line(line: int, model: str, pairs: dict[str, float], precision: str | None) -> Run:
    batch, output = pairs.get("batch_size"), pairs.get("output_length")
    total, writing = pairs.get("latency(ms)"), pairs.get("generation_time(ms)")
    separate = bool(total and writing and writing < total)
    memory = pairs.get("gpu_peak_mem(gb)")
    devices = pairs.get("world_size")
    run = Run(
        tool=BENCHMARK,
        kind="request" if separate else "combined",
        line=line,
        last_line=line,
        engine="tensorrt-llm",
        setup=Setup(
            model=model,
            weights=None if precision is None else precision.replace("float", "fp").replace("bfp", "bf"),
            n_devices=None if devices is None else round(devices),
        ),
        prompt_tokens=pairs.get("input_length"),
        output_tokens=output,
        sequences=batch,
        total_s=None if total is None else total / 1000,
        combined_tokens_per_s=pairs.get("tokens_per_sec"),
        memory_bytes=memory * 1e9 if memory else None,
        doubts=() if separate else ("the rate divides the written tokens by the whole time, including reading",),
    )
    return _with_phases(run, total, writing, pairs) if separate and total and writing else run


def _with_phases(run: Run, total_ms: float, writing_ms: float, pairs: dict[str, float]) -> Run:
    """The same with both phases: what is not writing is reading."""
    reading_s, writing_s = (total_ms - writing_ms) / 1000, writing_ms / 1000
    batch = run.sequences or 1
    written = pairs.get("total_generated_tokens")
    rate = pairs.get("generation_tokens_per_second") or (written / writing_s if written else None)
    return replace(
        run,
        prefill_s=reading_s,
        prefill_tokens_per_s=run.prompt_tokens * batch / reading_s if run.prompt_tokens else None,
        decode_s=writing_s,
        decode_passes=written / batch if written else None,
        decode_tokens_per_s=None if rate is None else rate / batch,
        decode_total_tokens_per_s=rate if batch > 1 else None,
    )


def _finish(group: dict[str, float], first: int, last: int, runs: list[Run], gaps: list[Gap]) -> None:
    ttft = _latency(group, "time_to_first_token(ms)")
    tpot = _latency(group, "inter_token_latency(ms)")
    total = group.get("total_latency(ms)")
    requests = group.get("num_samples")
    if ttft is None and "token_throughput(token/sec)" not in group:
        return
    runs.append(
        with_doubts(
            Run(
                tool=MANAGER,
                kind="service",
                line=first,
                last_line=last,
                engine="tensorrt-llm",
                requests=None if requests is None else round(requests),
                failed_requests=round(group.get("num_error_samples", 0)) or None,
                request_throughput_per_s=group.get("seq_throughput(seq/sec)"),
                total_s=None if total is None else total / 1000,
                decode_tokens_per_s=tpot_speed(tpot),
                decode_total_tokens_per_s=group.get("token_throughput(token/sec)"),
                ttft=ttft,
                tpot=tpot,
                end_to_end=_latency(group, "sequence_latency(ms)"),
            )
        )
    )
    if ttft is None:
        gaps.append(
            Gap(line=last, message="no time to the first token: the answers were not streamed, or it is cut off")
        )


def _latency(group: dict[str, float], name: str) -> Latency | None:
    known = {field: group[f"{word}_{name}"] / 1000 for word, field in _STATISTICS.items() if f"{word}_{name}" in group}
    return Latency(**known) if known else None
