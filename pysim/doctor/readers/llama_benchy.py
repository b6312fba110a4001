"""What do the rows of llama-benchy say, which times a server as llama-bench times the engine?

`| model | test | t/s (total) | t/s (req) | peak t/s | … | ttfr (ms) | est_ppt (ms) | e2e_ttft (ms) |`, tests such as
`pp2048 @ d4096 (c5)` for five requests at once: https://github.com/eugr/llama-benchy
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import number, with_deviation
from pysim.doctor.read.run import Gap, Latency, Reading, Run, Setup
from pysim.doctor.read.text import Text

TOOL: Final = "llama-benchy"
TOOLS: Final = {TOOL: "llama-benchy"}
_TEST: Final = re.compile(r"(pp|tg|ctx_pp|ctx_tg)(\d{1,9})(?: @ d(\d{1,9}))?(?: \(c(\d{1,6})\))?\Z")
_FIRST: Final = "e2e_ttft (ms)"
_MOST_ROWS: Final = 2000


def read(text: Text) -> Reading:
    """One run per row."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    for at in text.places("est_ppt (ms)"):
        columns = _cells(text.lines[at].text)
        if "test" not in columns or "ttfr (ms)" not in columns:
            continue
        has_rows = False
        for line in text.lines[at + 1 : at + _MOST_ROWS]:
            cells = _cells(line.text)
            if not cells or set(cells[0]) <= set(":- "):
                if not cells:
                    break
                continue
            values = dict(zip(columns, cells, strict=False))
            run = _run(line.number, values, columns)
            if run is None:
                break
            runs.append(run)
            has_rows = True
        if not has_rows:
            gaps.append(Gap(line=text.lines[at].number, message="the table has a header but no rows"))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _run(line: int, values: dict[str, str], columns: list[str]) -> Run | None:
    test = _TEST.match(values.get("test", ""))
    total, deviation = with_deviation(values.get("t/s (total)", values.get("t/s", "")))
    if test is None or total is None:
        return None
    speed, each_deviation = with_deviation(values.get("t/s (req)", ""))
    if "t/s (req)" not in columns:
        speed, each_deviation = total, deviation
    first_ms, first_deviation = with_deviation(values.get(_FIRST if _FIRST in columns else "ttfr (ms)", ""))
    reading_ms, _ = with_deviation(values.get("est_ppt (ms)", ""))
    what, tokens, depth, at_once = test.groups()
    sequences = number(at_once or "1") or 1.0
    prompt = "pp" in what
    return Run(
        tool=TOOL,
        kind="prompt" if prompt else "generation",
        line=line,
        last_line=line,
        label=values["test"],
        setup=Setup(model=values.get("model") or None),
        prompt_tokens=number(tokens) if prompt else None,
        output_tokens=None if prompt else number(tokens),
        depth_tokens=number(depth or ""),
        sequences=sequences,
        prefill_s=reading_ms / 1000 if prompt and reading_ms and sequences == 1 else None,
        prefill_tokens_per_s=total if prompt else None,
        prefill_deviation=deviation if prompt else None,
        decode_tokens_per_s=None if prompt else speed,
        decode_deviation=None if prompt else each_deviation,
        decode_total_tokens_per_s=None if prompt else total,
        ttft=_latency(first_ms, first_deviation) if prompt else None,
    )


def _latency(mean_ms: float | None, deviation_ms: float | None) -> Latency | None:
    if mean_ms is None:
        return None
    return Latency(mean_s=mean_ms / 1000, deviation_s=None if deviation_ms is None else deviation_ms / 1000)


def _cells(line: str) -> list[str]:
    """The cells between the bars; a row that broke off has no bar behind its last cell, which is left out."""
    return [cell.strip() for cell in line.split("|")[1:-1]]
