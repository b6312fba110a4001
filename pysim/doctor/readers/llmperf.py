"""What does LLMPerf's token benchmark say?

`ttft_s` and other names, each followed by lines such as `mean = 0.345`: token_benchmark_ray.py. Its inter-token
latency has the first token's time in it, so what follows from TTFT and the whole request is taken instead.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Latency, Reading, Run, Setup
from pysim.doctor.read.service.run import model_above, with_doubts
from pysim.doctor.read.text import Text, is_whole

TOOL: Final = "llmperf"
TOOLS: Final = {TOOL: "LLMPerf"}
_START: Final = "inter_token_latency_s"
_NAMES: Final = ("ttft_s", "end_to_end_latency_s", "number_input_tokens", "number_output_tokens", _START)
_VALUE: Final = re.compile(rf"\b(mean|p50|p90|p95|p99|min|max|stddev) {{0,4}}= {{0,4}}({NUMBER})\s*\Z")
_WHOLE: Final = re.compile(
    rf"(Overall Output Throughput|Number Of Completed Requests|Number Of Errored Requests): {{0,4}}({NUMBER})"
)
_MODEL: Final = re.compile(r"token benchmark for (\S{2,160}) queried")
_FIELDS: Final = {"mean": "mean_s", "p50": "median_s", "p90": "p90_s", "p95": "p95_s", "p99": "p99_s", "min": "least_s",
                  "max": "most_s", "stddev": "deviation_s"}  # fmt: skip
_LINES: Final = 90


def read(text: Text) -> Reading:
    """One run per benchmark."""
    places = text.places(_START)
    runs = []
    for start, end in pairwise([*places, len(text.lines)]):
        values: dict[str, dict[str, float]] = {}
        section, last = "", start
        for at in range(start, min(end, start + _LINES)):
            content = text.lines[at].text.rstrip()
            match = _VALUE.search(content) or _WHOLE.search(content)
            value = number(match[2]) if match is not None and is_whole(text, at, len(content), match[2]) else None
            if content.endswith(_NAMES):
                section = content.split()[-1]
            elif match is not None and value is not None:
                values.setdefault(section if match[1] in _FIELDS else match[1], {})[_FIELDS.get(match[1], "")] = value
                last = at
        if "ttft_s" in values:
            runs.append(_run(text, start, last, values))
    return Reading(runs=tuple(runs))


def _run(text: Text, start: int, last: int, values: dict[str, dict[str, float]]) -> Run:
    def one(name: str, field: str = "") -> float | None:
        return values.get(name, {}).get(field)

    done, failed = one("Number Of Completed Requests"), one("Number Of Errored Requests")
    named = (_MODEL.search(line.text) for line in text.lines[max(0, start - 6) : start])
    end = values.get("end_to_end_latency_s")
    return with_doubts(
        Run(
            tool=TOOL,
            kind="service",
            line=text.lines[start].number,
            last_line=text.lines[last].number,
            setup=Setup(model=next((match[1] for match in named if match), None) or model_above(text, start)),
            requests=None if done is None else round(done),
            failed_requests=round(failed) if failed else None,
            prompt_tokens=one("number_input_tokens", "mean_s"),
            output_tokens=one("number_output_tokens", "mean_s"),
            decode_total_tokens_per_s=one("Overall Output Throughput"),
            ttft=Latency(**values["ttft_s"]),
            end_to_end=Latency(**end) if end else None,
            doubts=("its inter-token latency includes the time to the first token, so it is ignored",),
        )
    )
