"""What does an answer of an OpenAI-like interface say about its time?

`"usage": {"prompt_tokens": 24, "completion_tokens": 53}` counts tokens and times nothing; some services add times:
Groq `prompt_time` and `completion_time` in `usage`, Cerebras the same in `time_info`, others `time_to_first_token`
and `generation_tokens_per_second`, LocalAI `timing_prompt_processing` and `timing_token_generation` in ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import count, finite, positive
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.text import Text

TOOL: Final = "openai usage"
TOOLS: Final = {TOOL: "OpenAI's API"}
# Answers with figures of their own belong to the readers of those tools.
_OTHERS: Final = ("timings", "stats", "eval_duration", "total_duration", "info")


def read(text: Text) -> Reading:
    """One run per answer with times; one without is a gap that says where times can be had."""
    if '"completion_tokens"' not in text.plain:
        return Reading(runs=())
    runs: list[Run] = []
    gaps: list[Gap] = []
    for record in text.objects:
        usage = record.value.get("usage")
        if (
            not isinstance(usage, dict)
            or "completion_tokens" not in usage
            or any(name in record.value for name in _OTHERS)
        ):
            continue
        if any(name in usage for name in ("eval_duration", "response_token/s")):
            continue
        times = record.value.get("time_info", usage)
        names = ("prompt_time", "time_to_first_token")
        seen = [positive(times.get(name)) for name in names] if isinstance(times, dict) else []
        prefill = next((seconds for seconds in seen if seconds is not None), None)
        if prefill is None and (prompt_ms := positive(usage.get("timing_prompt_processing"))) is not None:
            # LocalAI hands on llama.cpp's milliseconds.
            prefill = prompt_ms / 1000
            written_ms = positive(usage.get("timing_token_generation"))
            times = {"completion_time": written_ms / 1000 if written_ms else None}
        if isinstance(times, dict) and prefill is not None:
            runs.append(_run(record, usage, times, prefill))
            continue
        prompt, output = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
        message = f"an answer that counts its tokens ({prompt or '?'} read, {output or '?'} written) but times nothing"
        if record.value.get("system_fingerprint") == "fp_ollama":
            message += ": ask ollama's own /api/chat, or run `ollama run --verbose`"
        gaps.append(Gap(line=record.line, message=message))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _run(record: JsonObject, usage: Mapping[str, object], times: Mapping[str, object], prefill: float) -> Run:
    prompt, output = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    decode, queue = positive(times.get("completion_time")), finite(times.get("queue_time"))
    model = record.value.get("model")
    speed = positive(usage.get("generation_tokens_per_second"))
    return Run(
        tool=TOOL,
        kind="request",
        line=record.line,
        last_line=record.last_line,
        setup=Setup(model=model if isinstance(model, str) else None),
        prompt_tokens=prompt,
        output_tokens=output,
        prefill_s=prefill,
        decode_s=decode,
        total_s=positive(times.get("total_time")),
        unaccounted_s=queue,
        prefill_tokens_per_s=prompt / prefill if prompt else None,
        decode_tokens_per_s=output / decode if output and decode else speed,
        doubts=("one token was written: its time says nothing about the speed of writing",) if output == 1 else (),
    )
