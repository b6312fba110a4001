"""What do GuideLLM's tables say, one row per load?

`Benchmarks Stats:` with request latency, TTFT, ITL and TPOT, and above it `Benchmarks Info:` with the lengths; the
latency of requests is in seconds even where its heading says ms: guidellm/benchmark/output.py of 0.2 and 0.3.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import number
from pysim.doctor.read.run import Latency, Reading, Run, Setup
from pysim.doctor.read.service.run import model_above, with_doubts
from pysim.doctor.read.text import Text

TOOL: Final = "guidellm"
TOOLS: Final = {TOOL: "GuideLLM"}
_STATS: Final = "Out Tok/sec"
_INFO: Final = "Prompt Tok/Req"
_ROW: Final = re.compile(
    r"(?:^|[^\w])(synchronous|throughput|(?:constant|concurrent|poisson|async)@[\d.]{1,12}) {0,4}\|"
)
_STATS_CELLS: Final = 16
_INFO_CELLS: Final = 17
_MOST_ROWS: Final = 80


def read(text: Text) -> Reading:
    """One run per row of the statistics."""
    lengths: dict[str, list[float | None]] = {}
    for at in text.places(_INFO)[:_MOST_ROWS]:
        lengths.update({name: cells for name, _, cells in _rows(text, at) if len(cells) >= _INFO_CELLS})
    runs = [
        _run(text, at, row, name, cells, lengths.get(name))
        for at in text.places(_STATS)[:_MOST_ROWS]
        for name, row, cells in _rows(text, at)
        if len(cells) == _STATS_CELLS
    ]
    return Reading(runs=tuple(runs))


def _rows(text: Text, at: int) -> list[tuple[str, int, list[float | None]]]:
    """Name, index and numbers of each row below a heading, until the rule that ends its table."""
    rows: list[tuple[str, int, list[float | None]]] = []
    for place in range(at + 1, min(at + _MOST_ROWS, len(text.lines))):
        content = text.lines[place].text
        if "=====" in content or _STATS in content or _INFO in content:
            break
        row = _ROW.search(content)
        if row is not None:
            rows.append((row[1], place, [number(cell) for cell in content[row.end() :].strip(" |").split("|")]))
    return rows


def _run(text: Text, at: int, row: int, name: str, cells: list[float | None], info: list[float | None] | None) -> Run:
    rate, at_once, writing = cells[:3]
    spans = [
        Latency(
            mean_s=_times(cells[place], unit),
            median_s=_times(cells[place + 1], unit),
            p99_s=_times(cells[place + 2], unit),
        )
        for place, unit in ((4, 1.0), (7, 1e-3), (10, 1e-3))
    ]
    prompt, output = (info[6], info[9]) if info else (None, None)
    if output is None and writing and rate:
        output = writing / rate
    return with_doubts(
        Run(
            tool=TOOL,
            kind="service",
            line=text.lines[row].number,
            last_line=text.lines[row].number,
            label=name,
            setup=Setup(model=model_above(text, at)),
            requests=None if not info or info[3] is None else round(info[3]),
            prompt_tokens=prompt or None,
            output_tokens=output or None,
            sequences=at_once,
            request_throughput_per_s=rate,
            total_prefill_tokens_per_s=prompt * rate if prompt and rate else None,
            decode_total_tokens_per_s=writing,
            ttft=spans[1],
            tpot=spans[2],
            itl=spans[2],
            end_to_end=spans[0],
        )
    )


def _times(value: float | None, unit: float) -> float | None:
    return None if value is None else value * unit
