"""What does SGLang's test of a single batch say?

`Prefill. latency: 0.28894 s, throughput:  28351.92 token/s`, a `Decode.` line per step and their median:
python/sglang/bench_one_batch.py, and its lines of JSON.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import NUMBER, finite, number, positive
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.service.run import model_above
from pysim.doctor.read.statistics import deviation as scatter
from pysim.doctor.read.text import Text

TOOL: Final = "sglang bench_one_batch"
TOOLS: Final = {TOOL: "SGLang"}
_LINE: Final = re.compile(
    rf"\b(Prefill|Decode|Total)(?: (\d{{1,9}}))?\. {{1,3}}(?:Batch size: (\d{{1,6}}), )?"
    rf"(median |avg )?latency: {{0,8}}({NUMBER}) s, "
    rf"(?:median |avg )?throughput: {{0,12}}({NUMBER}) token/s"
)
_BATCH: Final = re.compile(r"--batch(?:-size)?[ =]{1,3}(\d{1,6})\b")
_INPUT: Final = re.compile(r"--input(?:-len)?[ =]{1,3}(\d{1,9})\b")
_OUTPUT: Final = re.compile(r"--output(?:-len)?[ =]{1,3}(\d{1,9})\b")
_WARM_UP: Final = "the warm-up, which includes one-time costs"


def read(text: Text) -> Reading:
    """One run per batch that was tested; the warm-up is one too and says so."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    group: list[tuple[int, re.Match[str]]] = []
    for at in text.places("Prefill. latency:", "Decode.", "Decode ", "Total. latency:"):
        record = _LINE.search(text.lines[at].text)
        if record is None:
            continue
        if group and (record[1] == "Prefill" or group[-1][1][1] == "Total"):
            _finish(group, text, runs, gaps)
            group = []
        group.append((at, record))
    if group:
        _finish(group, text, runs, gaps)
    if '"median_decode_throughput"' in text.plain or '"prefill_throughput"' in text.plain:
        runs += [_from_object(record) for record in text.objects if "prefill_throughput" in record.value]
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _finish(group: list[tuple[int, re.Match[str]]], text: Text, runs: list[Run], gaps: list[Gap]) -> None:
    first, last = group[0][0], group[-1][0]
    prefill = next((match for _, match in group if match[1] == "Prefill"), None)
    total = next((match for _, match in group if match[1] == "Total"), None)
    steps = [match for _, match in group if match[1] == "Decode" and not match[4]]
    middle = next((match for _, match in group if match[1] == "Decode" and match[4]), None)
    decode = middle if middle is not None else (steps[-1] if steps else None)
    warm = any("armup" in line.text or "arm up" in line.text for line in text.lines[max(0, first - 2) : first])
    command = "\n".join(line.text for line in text.lines[max(0, first - 60) : first] if "--" in line.text)
    batch = number(decode[3] or "") if decode is not None else None
    batch = batch or (None if warm else _last(_BATCH, command))
    total_rate = number(decode[6]) if decode is not None else None
    each_s = number(decode[5]) if decode is not None else None
    if batch is None and total_rate and each_s:
        # One step writes one token for each sequence.
        batch = float(round(total_rate * each_s)) or None
    reading_s = number(prefill[5]) if prefill is not None else None
    reading = number(prefill[6]) if prefill is not None else None
    prompt = round(reading * reading_s / batch) if reading and reading_s and batch else None
    speeds = [value for match in steps[1:] if (value := number(match[6])) is not None]
    runs.append(
        _run(
            text.lines[first].number,
            text.lines[last].number,
            batch=batch,
            prompt=prompt,
            output=None if warm else _last(_OUTPUT, command),
            reading_s=reading_s,
            reading=reading,
            writing=total_rate,
            deviation=scatter(speeds) if middle is not None and len(speeds) > 2 else None,
            total_s=number(total[5]) if total is not None else None,
            together=number(total[6]) if total is not None else None,
            model=model_above(text, first),
            doubts=(_WARM_UP,) if warm else (),
        )
    )
    for name, there in (("Prefill", prefill), ("Decode", decode)):
        if there is None:
            gaps.append(Gap(line=text.lines[last].number, message=f"the line of {name} is missing"))


def _run(
    line: int,
    last_line: int,
    *,
    batch: float | None,
    prompt: float | None,
    output: float | None,
    reading_s: float | None,
    reading: float | None,
    writing: float | None,
    deviation: float | None,
    total_s: float | None,
    together: float | None,
    model: str | None,
    doubts: tuple[str, ...],
) -> Run:
    return Run(
        tool=TOOL,
        kind="request",
        line=line,
        last_line=last_line,
        engine="sglang",
        setup=Setup(model=model),
        prompt_tokens=prompt,
        output_tokens=output,
        sequences=batch,
        prefill_s=reading_s,
        total_s=total_s,
        decode_s=total_s - reading_s if total_s is not None and reading_s is not None else None,
        decode_passes=output - 1 if output and output > 1 else None,  # the first token came out of the prompt
        prefill_tokens_per_s=reading,
        decode_tokens_per_s=writing / batch if writing and batch else None,
        decode_deviation=deviation / batch if deviation is not None and batch else None,
        decode_total_tokens_per_s=writing,
        combined_tokens_per_s=together,
        doubts=doubts,
    )


def _from_object(record: JsonObject) -> Run:
    value = record.value
    batch = positive(value.get("batch_size"))
    return _run(
        record.line,
        record.last_line,
        batch=batch,
        prompt=positive(value.get("input_len")),
        output=positive(value.get("output_len")),
        reading_s=positive(value.get("prefill_latency")),
        reading=positive(value.get("prefill_throughput")),
        writing=positive(value.get("median_decode_throughput")),
        deviation=None,
        total_s=finite(value.get("total_latency")),
        together=finite(value.get("overall_throughput")),
        model=None,
        doubts=(),
    )


def _last(pattern: re.Pattern[str], content: str) -> float | None:
    values = pattern.findall(content)
    return number(values[-1]) if values else None
