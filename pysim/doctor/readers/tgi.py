"""What do the lines of Hugging Face's TGI say: its log, and its benchmark's tables?

`total_time="986.5ms" … queue_time="188µs" inference_time="985.6ms" time_per_token="49.2ms"`: router/src/server.rs;
`| Prefill | 1 | 36.30 ms | …` and `| Decode (token) | 1 | 30.45 ms | …` per batch size: text-generation-benchmark.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import DURATION, NUMBER, duration_s, number
from pysim.doctor.read.run import Gap, Latency, Reading, Run, Setup
from pysim.doctor.read.text import Text

LOG: Final = "tgi log"
BENCHMARK: Final = "text-generation-benchmark"
TOOLS: Final = {LOG: "TGI", BENCHMARK: "TGI"}
_TIMES: Final = re.compile(rf'\b(total_time|queue_time|inference_time|time_per_token)="({DURATION})"')
_ROW: Final = re.compile(
    r"\| (Prefill|Decode \(token\)|Decode \(total\)|Decode)? {0,20}\| (\d{1,6})? {0,20}"
    rf"\| ({NUMBER}) (ms|tokens/secs)"
)
_PARAMETER: Final = re.compile(r"\| (Model|Sequence Length|Decode Length) {1,20}\| (\S{1,120})")
_MOST_LINES_APART: Final = 30


def read(text: Text) -> Reading:
    """One run per request of a log, and per batch size of a benchmark."""
    runs = [run for at in text.places("time_per_token=") if (run := _request(text, at)) is not None]
    gaps: list[Gap] = []
    if "| Prefill " in text.plain or "| Decode (token)" in text.plain:
        runs += _benchmark(text, gaps)
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _request(text: Text, at: int) -> Run | None:
    line, content = text.lines[at]
    times = {name: duration_s(shown) for name, shown in _TIMES.findall(content)}
    whole, tpot_s = times.get("inference_time"), times.get("time_per_token")
    if whole is None or not tpot_s:
        return None
    return Run(
        tool=LOG,
        kind="combined",
        line=line,
        last_line=line,
        engine="tgi",
        # Both are printed to the nanosecond, so their ratio is the whole number of tokens.
        output_tokens=round(whole / tpot_s),
        total_s=times.get("total_time"),
        unaccounted_s=times.get("queue_time"),
        combined_tokens_per_s=1 / tpot_s,
        doubts=("the time per token covers the whole answer, including reading",),
    )


def _benchmark(text: Text, gaps: list[Gap]) -> list[Run]:
    words: dict[str, str] = {}
    tables: list[dict[float, dict[str, float]]] = []
    lines: list[dict[float, list[int]]] = []
    last = 0
    step = ""
    batch = 0.0
    for at in text.places("| Model ", "| Sequence Length", "| Decode Length", " ms ", "tokens/secs"):
        line, content = text.lines[at]
        parameter = _PARAMETER.search(content)
        if parameter is not None:
            words[parameter[1]] = parameter[2]
            continue
        row = _ROW.search(content)
        value = None if row is None else number(row[3])
        if row is None or value is None:
            continue
        step, batch = row[1] or step, number(row[2] or "") or batch
        name = f"{step} {row[4]}"
        again = bool(tables) and batch in tables[-1] and name in tables[-1][batch]
        if not tables or again or line - last > _MOST_LINES_APART:
            tables.append({})
            lines.append({})
        tables[-1].setdefault(batch, {})[name] = value
        lines[-1].setdefault(batch, []).append(line)
        last = line
    runs = []
    for table, where in zip(tables, lines, strict=True):
        runs += [_batch(size, values, words, where[size]) for size, values in table.items() if size]
        if not any("Decode (token) ms" in values for values in table.values()):
            gaps.append(Gap(line=max(map(max, where.values())), message="the rows of Decode (token) are missing"))
    return runs


def _batch(batch: float, values: dict[str, float], words: dict[str, str], where: list[int]) -> Run:
    prefill, tpot_ms = values.get("Prefill ms"), values.get("Decode (token) ms")
    prompt = number(words.get("Sequence Length", ""))
    total = values.get("Decode tokens/secs", batch * 1000 / tpot_ms if tpot_ms else None)
    return Run(
        tool=BENCHMARK,
        kind="request",
        line=where[0],
        last_line=where[-1],
        label=f"batch of {batch:.0f}",
        engine="tgi",
        setup=Setup(model=words.get("Model")),
        prompt_tokens=prompt,
        output_tokens=number(words.get("Decode Length", "")),
        sequences=batch,
        prefill_s=None if prefill is None else prefill / 1000,
        decode_s=values["Decode (total) ms"] / 1000 if "Decode (total) ms" in values else None,
        # Its rate of prefill counts sequences, not tokens.
        prefill_tokens_per_s=prompt * batch / prefill * 1000 if prompt and prefill else None,
        decode_tokens_per_s=total / batch if total else None,
        decode_total_tokens_per_s=total,
        tpot=None if tpot_ms is None else Latency(mean_s=tpot_ms / 1000),
    )
