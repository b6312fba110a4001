"""Requests of a file, one JSON object a line: arrival, tokens, and, where they were measured, first and last token.

The form is that of LLMServingSim's public vLLM runs: `input_toks`, `output_toks`, `arrival_time` (s, wall clock), and
`queued_ts`, `first_token_ts`, `last_token_ts` (s, the engine's clock).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pysim.errors import BadValue, quoted
from pysim.serving.request import Request

MOST_LINES: Final = 2_000_000
MOST_TOKENS: Final = 10_000_000
NEEDED: Final = ("input_toks", "output_toks")
TIMES: Final = ("queued_ts", "first_token_ts", "last_token_ts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Of one request what was measured, in seconds after its arrival."""

    ttft_s: float
    end_to_end_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The requests of a file in order of arrival, and what was measured of each, if the file has it."""

    requests: tuple[Request, ...]
    measured: dict[int, Measured]


def read_requests(path: Path) -> Replay:
    """Read a file; raises BadValue naming the line and what is wrong, OSError where it can't be opened."""
    rows: list[tuple[float, int, int, Measured | None]] = []
    with path.open(encoding="utf-8", errors="strict") as lines:
        try:
            for number, line in enumerate(lines, 1):
                if number > MOST_LINES:
                    raise BadValue(f"{path.name} has more than {MOST_LINES:,} lines")
                if line.strip():
                    rows.append(_row(line, f"{path.name}, line {number}"))
        except UnicodeDecodeError as error:
            raise BadValue(f"{path.name} is not UTF-8 text") from error
    if not rows:
        raise BadValue(f"{path.name} has no requests")
    rows.sort(key=lambda row: row[0])
    start_s = rows[0][0]
    requests = tuple(
        Request(number=number, arrive_s=arrive_s - start_s, prompt_tokens=prompt, output_tokens=answer)
        for number, (arrive_s, prompt, answer, _) in enumerate(rows)
    )
    return Replay(requests=requests, measured={number: row[3] for number, row in enumerate(rows) if row[3] is not None})


def _row(line: str, where: str) -> tuple[float, int, int, Measured | None]:
    try:
        given = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadValue(f"{where}: {quoted(line.strip(), 40)} is not a JSON object") from error
    if not isinstance(given, dict):
        raise BadValue(f"{where}: {quoted(line.strip(), 40)} is not a JSON object")
    prompt, answer = (_tokens(given, name, where) for name in NEEDED)
    times = {name: _seconds(given, name, where) for name in (*TIMES, "arrival_time") if given.get(name) is not None}
    if all(name in times for name in TIMES):
        queued, first, last = (times[name] for name in TIMES)
        if not queued <= first <= last:
            raise BadValue(f"{where}: first_token_ts and last_token_ts do not follow queued_ts")
        # The engine's clock has arrival, first and last token; the wall clock of the client another zero.
        return queued, prompt, answer, Measured(ttft_s=first - queued, end_to_end_s=last - queued)
    if "arrival_time" not in times:
        raise BadValue(f"{where}: arrival_time is missing (seconds), or {', '.join(TIMES)}")
    return times["arrival_time"], prompt, answer, None


def _tokens(given: dict[str, object], name: str, where: str) -> int:
    value = given.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_TOKENS:
        raise BadValue(f"{where}: {name} {quoted(str(value), 30)} is not a whole number from 1 to {MOST_TOKENS:,}")
    return value


def _seconds(given: dict[str, object], name: str, where: str) -> float:
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise BadValue(f"{where}: {name} {quoted(str(value), 30)} is not a number of seconds from 0 up")
    return float(value)
