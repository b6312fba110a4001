"""What do the rows of ollama's own benchmark tool say: a table, CSV, or lines for benchstat?

`| gpt-oss:20b | prefill | 124 | 30.006458ms | 241987.56 | 4132.44 |` and one row each for generate, load and total:
https://github.com/ollama/ollama/blob/main/cmd/bench/README.md
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pysim.doctor.read.numbers import DURATION, NUMBER, duration_s, number
from pysim.doctor.read.ollama.phases import completed
from pysim.doctor.read.ollama.setup import setup
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.text import Text, is_whole

TOOL: Final = "ollama bench"
TOOLS: Final = {TOOL: "ollama"}
_STEP: Final = r"(prefill|generate|load|total|ttft)"
_TABLE: Final = re.compile(
    rf"(?:^|\|)\s{{0,8}}([\w./:-]{{1,120}}) {{0,40}}\| {{0,4}}{_STEP} {{0,20}}\| {{0,4}}(\d{{1,9}}) {{0,20}}\| {{0,4}}"
    rf"({DURATION}) {{0,20}}\| {{0,4}}(?:{NUMBER}|-) {{0,20}}\|(?: {{0,4}}({NUMBER}) {{0,20}}\|)?"
)
_CSV: Final = re.compile(
    rf"(?:^|\s)([\w./:-]{{1,120}}),{_STEP},(\d{{1,9}}),(\d{{1,15}}(?:\.\d{{1,6}})?),(\d{{1,9}}(?:\.\d{{1,6}})?)\s*$"
)
_LINE: Final = re.compile(
    rf"BenchmarkModel/name=([\w./:-]{{1,120}})/step={_STEP}\s{{1,20}}(\d{{1,9}})\s{{1,20}}(\d{{1,15}}(?:\.\d{{1,6}})?) "
    r"ns/(?:token|request)(?:\s{1,8}(\d{1,9}(?:\.\d{1,6})?) token/sec)?"
)
_STEPS: Final = ("prefill", "generate", "load", "total")
_COUNTED: Final = ("prefill", "generate")

_Row = tuple[int, str, str, int, float | None, float | None]


def read(text: Text) -> Reading:
    """One run per answer that was timed: its rows stand together."""
    rows = [row for at in text.places(*map("| {} ".format, _STEPS)) if (row := _table(text, at))]
    rows += [row for at in text.places(*map(",{},".format, _STEPS)) if (row := _plain(text, at, _CSV))]
    rows += [row for at in text.places("BenchmarkModel/name=") if (row := _plain(text, at, _LINE))]
    if not rows:
        return Reading(runs=())
    known = setup(text)
    runs: list[Run] = []
    gaps: list[Gap] = []
    group: list[_Row] = []
    for row in sorted(rows, key=lambda row: row[:4]):
        if group and (row[1] != group[-1][1] or row[2] in {other[2] for other in group}):
            _finish(group, known, runs, gaps)
            group = []
        group.append(row)
    _finish(group, known, runs, gaps)
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _table(text: Text, at: int) -> _Row | None:
    match = _TABLE.search(text.lines[at].text)
    if match is None:
        return None
    model, step, count, time, rate = match.groups()
    return text.lines[at].number, model, step, int(count), duration_s(time), number(rate) if rate else None


def _plain(text: Text, at: int, pattern: re.Pattern[str]) -> _Row | None:
    match = pattern.search(text.lines[at].text)
    if match is None or not is_whole(text, at, match.end(), match[5] or "", decimals=2):
        return None
    model, step, count, shown, rate = match.groups()
    per_count = number(shown)
    time_s = None if per_count is None else per_count * (int(count) if step in _COUNTED else 1) * 1e-9
    return text.lines[at].number, model, step, int(count), time_s, number(rate) or None if rate else None


def _finish(group: list[_Row], known: Setup, runs: list[Run], gaps: list[Gap]) -> None:
    rows = {row[2]: row for row in group}
    times = {step: row[4] for step, row in rows.items()}
    prefill, generate = rows.get("prefill"), rows.get("generate")
    if prefill is None and generate is None:
        return
    runs.append(
        completed(
            Run(
                tool=TOOL,
                kind="request",
                line=group[0][0],
                last_line=group[-1][0],
                engine="llama.cpp",
                setup=replace(known, model=group[0][1]),
                prompt_tokens=prefill[3] if prefill else None,
                output_tokens=generate[3] if generate else None,
                sequences=1,
                load_s=times.get("load"),
                prefill_s=times.get("prefill"),
                decode_s=times.get("generate"),
                total_s=times.get("total"),
                prefill_tokens_per_s=prefill[5] if prefill else None,
                decode_tokens_per_s=generate[5] if generate else None,
            ),
            cached=False,
        )
    )
    for step, row in (("prefill", prefill), ("generate", generate)):
        if row is None:
            gaps.append(Gap(line=group[-1][0], message=f'the row "{step}" of {group[0][1]} is missing'))
