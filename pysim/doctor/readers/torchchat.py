"""What do torchchat, gpt-fast and LitGPT say after an answer?

`Time for inference 1: 28.73 sec total, 50 tokens, 1.74 tokens/sec` and `Bandwidth achieved: 27.95 GB/s`; since 2024
torchchat also prints `Time to first token` and `Next token throughput`, torchchat/generate.py.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number, size_bytes
from pysim.doctor.read.run import Gap, Latency, Reading, Run, Setup
from pysim.doctor.read.text import Text

TORCHCHAT: Final = "torchchat"
GPT_FAST: Final = "gpt-fast"
TOOLS: Final = {TORCHCHAT: "torchchat", GPT_FAST: "gpt-fast"}
_TOTAL: Final = re.compile(
    rf"\bTime for inference (\d{{1,6}}): (?:({NUMBER}) prompt tokens ({NUMBER}) tokens generated, )?"
    rf"({NUMBER}) sec total(?:, ({NUMBER}) tokens(?=,))?(?:, ({NUMBER}) tokens/sec)?"
)
_GENERATED: Final = re.compile(rf"\bGenerated ({NUMBER}) tokens\b")
_FIRST: Final = re.compile(rf"\bTime to first token: ({NUMBER}) sec")
_TOTAL_RATE: Final = re.compile(rf"\bTotal throughput: ({NUMBER}) tokens/sec")
_NEXT: Final = re.compile(rf"\bNext token throughput: ({NUMBER}) tokens/sec")
_BANDWIDTH: Final = re.compile(rf"\bBandwidth achieved: ({NUMBER} ?[KMGT]B)/s")
_PREFILL: Final = re.compile(rf"\bPrefill latency: ({NUMBER}) sec")
_DECODE: Final = re.compile(rf"\bDecode latency: ({NUMBER}) sec")
_MEMORY: Final = re.compile(rf"\bMemory used: ({NUMBER} ?[KMGT]B)")
_DEVICE: Final = re.compile(r"\bUsing device=(\w{1,12})[ \t]{0,4}(\S.{0,80})?")
_LOAD: Final = re.compile(rf"\bTime to load model: ({NUMBER}) seconds")
_BEFORE, _AFTER = 4, 14


def read(text: Text) -> Reading:
    """One run per answer."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    places = text.places("Time for inference ")
    devices = text.places("Using device=") if places else []
    loads = text.places("Time to load model") if places else []
    for index, at in enumerate(places):
        match = _TOTAL.search(text.lines[at].text)
        if match is None:
            continue
        end = places[index + 1] if index + 1 < len(places) else len(text.lines)
        before = places[index - 1] if index else -1
        device = _nearest(text, at, devices, _DEVICE)
        # Only the first answer after a load has it.
        since = loads[bisect_left(loads, before) : bisect_left(loads, at)]
        load = _nearest(text, at, since, _LOAD)
        run = _run(text, at, match, max(before + 1, at - _BEFORE), min(end, at + _AFTER), device, load)
        runs.append(run)
        if run.combined_tokens_per_s is None and run.decode_tokens_per_s is None:
            gaps.append(Gap(line=run.line, message="the rate is missing"))
        elif run.ttft is not None and run.decode_tokens_per_s is None:
            gaps.append(Gap(line=run.last_line, message="the throughput of the next tokens is missing"))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _run(
    text: Text,
    at: int,
    match: re.Match[str],
    start: int,
    end: int,
    device: re.Match[str] | None,
    load: re.Match[str] | None,
) -> Run:
    around = "\n".join(line.text for line in text.lines[at:end])
    above = "\n".join(line.text for line in text.lines[start:at])
    repeat, prompt, generated, total, tokens, rate = match.groups()
    first_s = _value(_FIRST, around)
    next_rate = _value(_NEXT, around)
    output = number(generated or tokens or "") or _value(_GENERATED, above)
    prefill, decode = _value(_PREFILL, around), _value(_DECODE, around)
    bandwidth, memory = _BANDWIDTH.search(around), _MEMORY.search(around)
    torchchat = tokens is not None or first_s is not None or device is not None
    doubts = []
    if "cold start" in around:
        doubts.append("the first run, which includes one-time costs such as compiling")
    if first_s is None and prefill is None:
        doubts.append("the rate divides the written tokens by the whole time, including reading")
    seen = first_s if first_s is not None else prefill
    return Run(
        tool=TORCHCHAT if torchchat else GPT_FAST,
        kind="combined" if seen is None else "request",
        line=text.lines[at].number,
        last_line=_last_line(text, at, end),
        label=f"inference {repeat}",
        engine=TORCHCHAT if torchchat else GPT_FAST,
        setup=_setup(device),
        prompt_tokens=number(prompt or ""),
        output_tokens=output,
        sequences=1,
        load_s=number(load[1]) if load is not None else None,
        prefill_s=seen,
        decode_s=decode,
        total_s=number(total),
        decode_tokens_per_s=next_rate if next_rate is not None else _rate(output, decode),
        combined_tokens_per_s=number(rate or "") or _value(_TOTAL_RATE, around),
        ttft=None if first_s is None else Latency(mean_s=first_s),
        achieved_bytes_per_s=size_bytes(bandwidth[1]) if bandwidth is not None else None,
        memory_bytes=size_bytes(memory[1]) if memory is not None else None,
        doubts=tuple(doubts),
    )


def _setup(device: re.Match[str] | None) -> Setup:
    if device is None:
        return Setup()
    name = (device[2] or "").strip()
    return Setup(device=name or None, backend={"mps": "metal"}.get(device[1], device[1]))


def _nearest(text: Text, at: int, places: list[int], pattern: re.Pattern[str]) -> re.Match[str] | None:
    index = bisect_left(places, at)
    return pattern.search(text.lines[places[index - 1]].text) if index else None


def _last_line(text: Text, at: int, end: int) -> int:
    """The last line of the answer's figures."""
    told = ("throughput", "Bandwidth achieved", "Time to first", "latency", "Memory used", "FLOPS")
    lines = [line.number for line in text.lines[at:end] if any(word in line.text for word in told)]
    return lines[-1] if lines else text.lines[at].number


def _value(pattern: re.Pattern[str], content: str) -> float | None:
    match = pattern.search(content)
    return None if match is None else number(match[1])


def _rate(tokens: float | None, time_s: float | None) -> float | None:
    return tokens / time_s if tokens and time_s else None
