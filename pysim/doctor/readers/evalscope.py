"""What does the summary of EvalScope's load generator say, as a table or as lines?

`| Average time to first token (s) | 0.31 |`, before 2025 `Average time to first token: 0.310`:
evalscope/perf/benchmark.py and utils/benchmark_util.py.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Latency, Reading, Run, Setup
from pysim.doctor.read.service.run import model_above, with_doubts
from pysim.doctor.read.text import Text, is_whole

TOOL: Final = "evalscope perf"
TOOLS: Final = {TOOL: "EvalScope"}
_START: Final = "Time taken for tests"
_LINES: Final = 90
_ENTRY: Final = re.compile(
    r"(Time taken for tests|Number of concurrency|Total requests|Succeed requests|Failed requests|Average QPS"
    r"|Output token throughput|Throughput\(average output tokens per second\)|Total token throughput"
    r"|Request throughput|Average latency|Average time to first token|Average time per output token"
    r"|Average inter-token latency|Average input tokens per request|Average output tokens per request)"
    rf"(?: \((?:s|tok/s|req/s)\))?\s{{0,60}}[|:]\s{{0,60}}({NUMBER})(?![\d.])"
)


def read(text: Text) -> Reading:
    """One run per summary."""
    runs = []
    places = text.places(_START)
    for start, end in pairwise([*places, len(text.lines)]):
        values: dict[str, float] = {}
        last = start
        for at in range(start, min(end, start + _LINES)):
            match = _ENTRY.search(text.lines[at].text)
            value = None if match is None else number(match[2])
            if match is None or not is_whole(text, at, match.end(), match[2]):
                continue
            if value is not None and match[1] not in values:
                values[match[1]] = value
                last = at
        if len(values) > 3:
            runs.append(_run(text, start, last, values))
    return Reading(runs=tuple(runs))


def _run(text: Text, start: int, last: int, values: dict[str, float]) -> Run:
    get = values.get
    end, first, tpot = (
        _latency(get(f"Average {name}")) for name in ("latency", "time to first token", "time per output token")
    )
    output = get("Average output tokens per request")
    doubts = []
    if end is not None and first is not None and tpot is not None and output and output > 1:
        apart = ((end.mean_s or 0) - (first.mean_s or 0)) / (output - 1)
        if apart > 0 and not 0.5 < (tpot.mean_s or 0) / apart < 2:
            doubts.append(
                "the printed time per output token contradicts latency, first token and length, so it is ignored"
            )
            tpot = Latency(mean_s=apart)
    done, rate = get("Succeed requests"), get("Request throughput", get("Average QPS"))
    prompt = get("Average input tokens per request")
    return with_doubts(
        Run(
            tool=TOOL,
            kind="service",
            line=text.lines[start].number,
            last_line=text.lines[last].number,
            setup=Setup(model=model_above(text, start)),
            requests=None if done is None else round(done),
            failed_requests=round(get("Failed requests", 0)) or None,
            prompt_tokens=prompt,
            output_tokens=output,
            request_throughput_per_s=rate,
            concurrency_limit=round(get("Number of concurrency", 0)) or None,
            total_s=get(_START),
            total_prefill_tokens_per_s=prompt * rate if prompt and rate else None,
            decode_tokens_per_s=1 / tpot.mean_s if tpot is not None and tpot.mean_s else None,
            decode_total_tokens_per_s=get(
                "Output token throughput", get("Throughput(average output tokens per second)")
            ),
            combined_tokens_per_s=get("Total token throughput"),
            ttft=first,
            tpot=tpot,
            itl=_latency(get("Average inter-token latency")),
            end_to_end=end,
            doubts=tuple(doubts),
        )
    )


def _latency(mean_s: float | None) -> Latency | None:
    return None if mean_s is None else Latency(mean_s=mean_s)
