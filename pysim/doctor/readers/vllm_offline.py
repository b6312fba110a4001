"""What do `vllm bench throughput` and `vllm bench latency` say, which time whole batches?

`Throughput: 12.34 requests/s, 5678.90 total tokens/s, 1234.50 output tokens/s`, before 2024 with one rate only, and
`Avg latency: 2.35 seconds`: vllm/benchmarks/throughput.py and latency.py; and the JSON that both save.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import NUMBER, count, finite, number, positive
from pysim.doctor.read.run import Gap, Latency, Reading, Run, Setup
from pysim.doctor.read.service.run import model_above
from pysim.doctor.read.text import Text, is_whole

THROUGHPUT: Final = "vllm bench throughput"
LATENCY: Final = "vllm bench latency"
TOOLS: Final = {THROUGHPUT: "vLLM", LATENCY: "vLLM"}
_RATES: Final = re.compile(
    rf"Throughput: ({NUMBER}) requests/s, ({NUMBER}) (?:total )?tokens/s(?:, ({NUMBER}) output tokens/s)?"
)
_TOKENS: Final = re.compile(rf"Total num (prompt|output) tokens: {{1,4}}({NUMBER})")
_AVERAGE: Final = re.compile(rf"\bAvg latency: ({NUMBER}) seconds")
_PERCENTILE: Final = re.compile(rf"\b(10|25|50|75|90|99)% percentile latency: ({NUMBER}) seconds")
_DEVIATION: Final = re.compile(rf"\bStd latency: ({NUMBER}) seconds")
_OPTION: Final = re.compile(r"(?:--|\b)(input[-_]len|output[-_]len|batch[-_]size)[= ]{1,4}(\d{1,9})\b")
_PERCENTILES: Final = {"50": "median_s", "90": "p90_s", "99": "p99_s"}
_WHOLE_BATCH: Final = "whole batches were timed, not reading and writing separately"


def read(text: Text) -> Reading:
    """One run per result."""
    runs = [run for at in text.places("Throughput: ") if (run := _throughput(text, at)) is not None]
    gaps: list[Gap] = []
    for at in text.places("Avg latency: "):
        run = _latency(text, at)
        if run is not None:
            runs.append(run)
            if run.prompt_tokens is None:
                message = "the number and length of the prompts are not printed: paste the command too"
                gaps.append(Gap(line=run.line, message=message))
    if '"elapsed_time"' in text.plain or '"avg_latency"' in text.plain:
        runs += [run for record in text.objects if (run := _from_object(record)) is not None]
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _throughput(text: Text, at: int) -> Run | None:
    line, content = text.lines[at]
    match = _RATES.search(content) or _RATES.search(f"{content} {text.joined(at + 1, 1)}")
    if match is None:
        return None
    finished, together, writing = number(match[1]), number(match[2]), number(match[3] or "")
    totals: dict[str, float] = {}
    last = line
    for place, below in enumerate(text.lines[at + 1 : at + 4], start=at + 1):
        tokens = _TOKENS.search(below.text)
        if tokens is None or not is_whole(text, place, tokens.end(), tokens[2]):
            continue
        value = number(tokens[2])
        if value is not None:
            totals[tokens[1]] = value
            last = below.number
    total_s = totals["output"] / writing if "output" in totals and writing else None
    requests = round(total_s * finished) if total_s and finished else None
    return Run(
        tool=THROUGHPUT,
        kind="combined",
        line=line,
        last_line=last,
        engine="vllm",
        setup=Setup(model=model_above(text, at)),
        prompt_tokens=totals["prompt"] / requests if requests and "prompt" in totals else None,
        output_tokens=writing / finished if writing and finished else None,
        requests=requests,
        request_throughput_per_s=finished,
        total_s=total_s,
        total_prefill_tokens_per_s=together - writing if together is not None and writing is not None else None,
        decode_total_tokens_per_s=writing,
        combined_tokens_per_s=together,
        doubts=(_WHOLE_BATCH,),
    )


def _latency(text: Text, at: int) -> Run | None:
    line, content = text.lines[at]
    average = _AVERAGE.search(content)
    mean = None if average is None else number(average[1])
    if mean is None:
        return None
    values = {"mean_s": mean}
    last = line
    for below in text.lines[at + 1 : at + 9]:
        percentile, deviation = _PERCENTILE.search(below.text), _DEVIATION.search(below.text)
        name = _PERCENTILES.get(percentile[1]) if percentile is not None else "deviation_s"
        match = percentile if percentile is not None else deviation
        value = number(match[match.lastindex or 0]) if match is not None else None
        if value is not None:
            last = below.number
            if name is not None:
                values[name] = value
    command = "\n".join(line.text for line in text.lines[max(0, at - 80) : at] if "len" in line.text)
    options = {name.replace("_", "-"): number(shown) for name, shown in _OPTION.findall(command)}
    batch, output = options.get("batch-size"), options.get("output-len")
    return Run(
        tool=LATENCY,
        kind="combined",
        line=line,
        last_line=last,
        engine="vllm",
        setup=Setup(model=model_above(text, at)),
        prompt_tokens=options.get("input-len"),
        output_tokens=output,
        sequences=batch,
        total_s=mean,
        end_to_end=Latency(**values),
        doubts=(_WHOLE_BATCH,),
    )


def _from_object(record: JsonObject) -> Run | None:
    value = record.value
    duration, requests = positive(value.get("elapsed_time")), count(value.get("num_requests"))
    if duration is not None and requests is not None and "tokens_per_second" in value:
        return Run(
            tool=THROUGHPUT,
            kind="combined",
            line=record.line,
            last_line=record.last_line,
            engine="vllm",
            requests=requests,
            request_throughput_per_s=finite(value.get("requests_per_second")),
            total_s=duration,
            combined_tokens_per_s=finite(value.get("tokens_per_second")),
            doubts=(_WHOLE_BATCH,),
        )
    mean, percentiles = positive(value.get("avg_latency")), value.get("percentiles")
    if mean is None or not isinstance(percentiles, dict):
        return None
    known = {
        field: figure for key, field in _PERCENTILES.items() if (figure := finite(percentiles.get(key))) is not None
    }
    return Run(
        tool=LATENCY,
        kind="combined",
        line=record.line,
        last_line=record.last_line,
        engine="vllm",
        total_s=mean,
        end_to_end=Latency(mean_s=mean, **known),
        doubts=(_WHOLE_BATCH,),
    )
