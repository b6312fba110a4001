"""What does the last JSON object of an answer from ollama's API say?

`/api/generate` and `/api/chat` end with `"eval_count": 11, "eval_duration": 290096000` in nanoseconds; front ends hand
the same names on inside `usage` or `info`. https://github.com/ollama/ollama/blob/main/docs/api.md
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import count, finite
from pysim.doctor.read.ollama.phases import completed
from pysim.doctor.read.ollama.setup import setup
from pysim.doctor.read.run import Gap, Reading, Run
from pysim.doctor.read.text import Text

TOOL: Final = "ollama API"
TOOLS: Final = {TOOL: "ollama"}
_NAMES: Final = ("total_duration", "load_duration", "prompt_eval_count", "prompt_eval_duration", "eval_count",
                 "eval_duration")  # fmt: skip


def read(text: Text) -> Reading:
    """One run per object with times; a stream that broke off before it is a gap."""
    if not any(word in text.plain for word in ('"total_duration"', '"created_at"', '"eval_duration"')):
        return Reading(runs=())
    runs: list[Run] = []
    gaps: list[Gap] = []
    open_stream = None
    known = setup(text)
    for record in text.objects:
        times = _times(record.value)
        if times is None:
            if "created_at" in record.value and record.value.get("done") is False:
                open_stream = record.last_line
            continue
        open_stream = None
        model = record.value.get("model")
        run = _run(record, times)
        name = model if isinstance(model, str) else known.model
        runs.append(replace(run, setup=replace(known, model=name)))
        missing = [name for name in _NAMES if name not in times]
        if not record.whole and missing:
            gaps.append(Gap(line=record.last_line, message=f"the answer is cut off: {', '.join(missing)} missing"))
    if open_stream is not None:
        gaps.append(Gap(line=open_stream, message="the stream ends before its last object, which has the times"))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _times(value: Mapping[str, object]) -> Mapping[str, object] | None:
    for inner in (value, value.get("usage"), value.get("info"), value.get("metrics")):
        if isinstance(inner, dict) and ("eval_duration" in inner or "prompt_eval_duration" in inner):
            return inner
        if isinstance(inner, dict) and "total_duration" in inner and "load_duration" in inner:
            return inner
    return None


def _run(record: JsonObject, times: Mapping[str, object]) -> Run:
    embedding = "embeddings" in record.value or "embedding" in record.value
    values = {name: finite(times.get(name)) for name in _NAMES}
    run = completed(
        Run(
            tool=TOOL,
            kind="prompt" if embedding else "request",
            line=record.line,
            last_line=record.last_line,
            engine="llama.cpp",
            prompt_tokens=count(times.get("prompt_eval_count")),
            output_tokens=count(times.get("eval_count")),
            sequences=1,
            load_s=_seconds(values["load_duration"]),
            prefill_s=_seconds(values["prompt_eval_duration"]) or None,
            decode_s=_seconds(values["eval_duration"]) or None,
            total_s=_seconds(values["total_duration"]),
        ),
        cached=record.whole and not embedding and not values["prompt_eval_duration"] and bool(values["eval_duration"]),
    )
    if embedding:
        return replace(
            run, doubts=(*run.doubts, "an embedding: nothing is written, and reading is not timed separately")
        )
    return run


def _seconds(nanoseconds: float | None) -> float | None:
    return None if nanoseconds is None else nanoseconds * 1e-9
