"""What do LMDeploy's profilers of 2023 and 2024 print?

`first token latency(s)(min, max, ave): 0.068, 4.066, 0.285`, `token throughput (completion token): 5016.9 token/s`:
benchmark/profile_throughput.py and profile_restful_api.py; newer ones print vLLM's block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Gap, Latency, Reading, Run
from pysim.doctor.read.service.run import with_doubts
from pysim.doctor.read.text import Text

TOOL: Final = "lmdeploy profiler"
TOOLS: Final = {TOOL: "LMDeploy"}
_FIRST: Final = re.compile(
    rf"first[ _]token latency(?:\(s\))? ?\(min, max, ave\): ({NUMBER})s?, ({NUMBER})s?, ({NUMBER})(?![\d.])"
)
_VALUE: Final = re.compile(
    r"\b(concurrency|elapsed_time|number of prompt tokens|number of completion tokens|number of failed requests"
    r"|token throughput \(completion token\)|token throughput \(prompt \+ completion token\)"
    r"|[RP]PS \(request per second\))"
    rf": ({NUMBER})(?=s| token/s| req/s|\s|\Z)"
)
_WORDS: Final = ("token throughput (", "elapsed_time:", "number of prompt tokens:", "number of completion tokens:",
                 "token latency", "(request per second):", "concurrency:", "number of failed requests:")  # fmt: skip
_MOST_LINES_APART: Final = 8


@dataclass(slots=True)
class _Block:
    line: int
    last_line: int
    values: dict[str, float] = field(default_factory=dict)
    first: Latency | None = None


def read(text: Text) -> Reading:
    """One run per block."""
    if "token throughput (" not in text.plain and "number of completion tokens" not in text.plain:
        return Reading(runs=())
    blocks: list[_Block] = []
    for at in text.places(*_WORDS):
        line, content = text.lines[at]
        if at == len(text.lines) - 1:
            # Nothing follows the last figure, so it may lack digits.
            content = content.rstrip("0123456789.")
        first, match = _FIRST.search(content), _VALUE.search(content)
        if first is None and match is None:
            continue
        last = blocks[-1] if blocks else None
        again = last is not None and match is not None and match[1] in last.values
        if last is None or again or line - last.last_line > _MOST_LINES_APART:
            blocks.append(last := _Block(line, line))
        if first is not None:
            least, most, mean = (number(figure) for figure in first.groups())
            last.first = Latency(mean_s=mean, least_s=least, most_s=most)
        elif match is not None and (value := number(match[2])) is not None:
            last.values[match[1]] = value
        last.last_line = line
    kept = [block for block in blocks if any("throughput" in name or "tokens" in name for name in block.values)]
    gaps = [
        Gap(line=block.last_line, message="the first token latency is missing: not streamed, or cut off")
        for block in kept
        if block.first is None
    ]
    return Reading(runs=tuple(_run(block) for block in kept), gaps=tuple(gaps), lines=len(text.lines))


def _run(block: _Block) -> Run:
    values = block.values
    total = values.get("elapsed_time")
    finished = values.get("RPS (request per second)", values.get("PPS (request per second)"))
    requests = finished * total if finished and total else None
    prompt, output = values.get("number of prompt tokens"), values.get("number of completion tokens")
    limit, failed = values.get("concurrency"), values.get("number of failed requests")
    return with_doubts(
        Run(
            tool=TOOL,
            kind="service",
            line=block.line,
            last_line=block.last_line,
            engine="lmdeploy turbomind",
            requests=None if requests is None else round(requests),
            failed_requests=None if failed is None else round(failed),
            request_throughput_per_s=finished,
            concurrency_limit=None if limit is None else round(limit),
            prompt_tokens=prompt / round(requests) if prompt and requests and requests >= 1 else None,
            output_tokens=output / round(requests) if output and requests and requests >= 1 else None,
            total_s=total,
            total_prefill_tokens_per_s=prompt / total if prompt and total else None,
            decode_total_tokens_per_s=values.get("token throughput (completion token)"),
            combined_tokens_per_s=values.get("token throughput (prompt + completion token)"),
            ttft=block.first,
        )
    )
