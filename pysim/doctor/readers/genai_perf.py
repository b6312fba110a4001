"""What do the tables say that GenAI-Perf and AIPerf draw, and their CSV and JSON?

`│ Time To First Token (ms) │ 1,764.61 │ …` under a row of statistics; a name may go on in the next line:
https://github.com/triton-inference-server/perf_analyzer/tree/main/genai-perf and https://github.com/ai-dynamo/aiperf
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import NUMBER, finite, number
from pysim.doctor.read.run import Gap, Latency, Reading, Run, Setup
from pysim.doctor.read.service.run import model_above, tpot_speed, with_doubts
from pysim.doctor.read.text import Text, is_whole

TOOLS: Final = {"genai-perf": "GenAI-Perf", "aiperf": "AIPerf"}
_TITLES: Final = {"GenAI-Perf": "genai-perf", "AIPerf": "aiperf"}
_BAR: Final = re.compile("[│┃|]")
_STATISTICS: Final = {"avg": "mean_s", "min": "least_s", "max": "most_s", "p99": "p99_s", "p95": "p95_s",
                      "p90": "p90_s", "p50": "median_s", "std": "deviation_s"}  # fmt: skip
_SCALES: Final = {"ms": 1e-3, "s": 1.0, "sec": 1.0, "us": 1e-6, "ns": 1e-9}
_UNIT: Final = re.compile(r"\(([^()]{1,24})\)\s*\Z")
_CONCURRENCY: Final = re.compile(r"--concurrency[ =]{1,4}(\d{1,6})\b")
_ROWS: Final = ("time to first token", "inter token latency", "request latency", "output sequence length",
                "input sequence length", "output token throughput")  # fmt: skip
# The first version's names, and what it printed under its table.
_OLDER: Final = {"num output token": "output sequence length", "num input token": "input sequence length"}
_BELOW: Final = re.compile(rf"^\W{{0,8}}((?:Output token|Request) throughput) \(per sec\): ({NUMBER})(?=\s|\Z)")
_MOST_LINES: Final = 120


@dataclass(slots=True)
class _Table:
    tool: str
    at: int
    line: int
    last_line: int
    columns: list[str] = field(default_factory=list)
    rows: dict[str, dict[str, float]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


def read(text: Text) -> Reading:
    """One run per table, file or object."""
    tables = [*_drawn(text), *_separated(text)]
    runs = [_run(table, text) for table in tables]
    gaps = [gap for table in tables for gap in _missing(table)]
    if '"time_to_first_token"' in text.plain or '"request_latency"' in text.plain:
        for record in text.objects:
            table = _object(record)
            if table is not None:
                runs.append(_run(table, text, model=_model_of(record.value)))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _drawn(text: Text) -> list[_Table]:
    tables = []
    rates = text.places("throughput (per sec):")
    for at in text.places("Statistic", "Metric"):
        cells = _cells(text.lines[at].text)
        if len(cells) < 3 or cells[0] not in ("Statistic", "Metric") or "avg" not in cells:
            continue
        table = _Table(_tool(text, at), at, text.lines[at].number, text.lines[at].number, columns=cells)
        _fill(table, text)
        _fill_below(table, text, rates)
        if table.rows:
            tables.append(table)
    return tables


def _fill_below(table: _Table, text: Text, rates: list[int]) -> None:
    """The two rates that the first version printed under its table."""
    for at in _next_two(rates, table.at):
        line = text.lines[at]
        match = _BELOW.match(line.text)
        value = None if match is None else number(match[2])
        near = table.last_line < line.number < table.last_line + 6
        if match is not None and value is not None and near and is_whole(text, at, match.end(), match[2], decimals=2):
            table.rows.setdefault(match[1].lower(), {"avg": value})


def _next_two(places: list[int], at: int) -> list[int]:
    first = bisect_left(places, at)
    return places[first : first + 2]


def _fill(table: _Table, text: Text) -> None:
    name = ""
    values: dict[str, float] = {}
    for line in text.lines[table.at + 1 : table.at + _MOST_LINES]:
        if not _BAR.search(line.text):
            if any(mark in line.text for mark in "━─┡└├") or not line.text.strip():
                if "└" in line.text:
                    break
                continue
            break
        cells = _cells(line.text)
        if not cells or len(cells) > len(table.columns) + 1 or cells[0] in ("Statistic", "Metric"):
            break
        shown = [number(cell) for cell in cells[1:]]
        if any(cell for cell in cells[1:]):
            _keep(table, name, values)
            name = cells[0]
            values = {
                column: value for column, value in zip(table.columns[1:], shown, strict=False) if value is not None
            }
        else:
            name = f"{name} {cells[0]}"
        table.last_line = line.number
    _keep(table, name, values)


def _keep(table: _Table, name: str, values: dict[str, float]) -> None:
    unit = _UNIT.search(name)
    plain = " ".join((name[: unit.start()] if unit else name).lower().split())
    plain = _OLDER.get(plain, plain)
    if plain and values and plain not in table.rows:
        table.rows[plain] = values
        table.units[plain] = unit[1].lower() if unit else ""


def _separated(text: Text) -> list[_Table]:
    """The CSV file: a head `Metric,avg,min,…` with rows, then `Metric,Value` with single figures."""
    tables = []
    for at in text.places("Metric,avg"):
        columns = [column.strip() for column in text.lines[at].text.split(",")]
        line = text.lines[at].number
        table = _Table("aiperf" if "std" in columns else "genai-perf", at, line, line, columns=columns)
        for row in text.lines[at + 1 : at + _MOST_LINES]:
            cells = next(iter(csv.reader([row.text.strip()])), [])
            if row.text.startswith("Metric,avg"):
                break
            if len(cells) < 2:
                continue
            if row is text.lines[-1]:
                # Nothing follows the last figure, so it may lack digits.
                cells = cells[:-1]
            shown = [number(cell) for cell in cells[1:]]
            names = table.columns[1:] if len(cells) > 2 else ["avg"]
            _keep(table, cells[0], {k: v for k, v in zip(names, shown, strict=False) if v is not None})
            table.last_line = row.number
        if any(row in table.rows for row in _ROWS):
            tables.append(table)
    return tables


def _object(record: JsonObject) -> _Table | None:
    value = record.value
    tool = "aiperf" if any(str(key).startswith("aiperf") for key in value) else "genai-perf"
    table = _Table(tool, 0, record.line, record.last_line)
    records = value.get("records")
    for name, entry in (records if isinstance(records, dict) else value).items():
        if isinstance(entry, dict) and "unit" in entry and finite(entry.get("avg")) is not None:
            known = {key: known for key, value in entry.items() if (known := finite(value)) is not None}
            table.rows[name.replace("_", " ")] = known
            table.units[name.replace("_", " ")] = str(entry["unit"]).lower()
    return table if "request latency" in table.rows or "time to first token" in table.rows else None


def _model_of(value: Mapping[str, object]) -> str | None:
    config = value.get("input_config")
    if not isinstance(config, dict):
        return None
    for place in (config, config.get("endpoint"), config.get("models")):
        names = place.get("model_names", place.get("model")) if isinstance(place, dict) else place
        if isinstance(names, list) and names and isinstance(names[0], str):
            return names[0]
        if isinstance(names, str):
            return names
    return None


def _run(table: _Table, text: Text, model: str | None = None) -> Run:
    requests = _mean(table, "request count")
    gap = _latency(table, "inter token latency")
    per_user = _mean(table, "output token throughput per user")
    output = _mean(table, "output sequence length")
    return with_doubts(
        Run(
            tool=table.tool,
            kind="service",
            line=table.line,
            last_line=table.last_line,
            setup=Setup(model=model or model_above(text, table.at)),
            prompt_tokens=_mean(table, "input sequence length"),
            output_tokens=_mean(table, "output token count") if output is None else output,
            requests=None if requests is None else round(requests),
            request_throughput_per_s=_mean(table, "request throughput"),
            concurrency_limit=_concurrency(text, table.at),
            decode_tokens_per_s=tpot_speed(gap) if per_user is None else per_user,
            decode_total_tokens_per_s=_mean(table, "output token throughput"),
            combined_tokens_per_s=_mean(table, "total token throughput"),
            ttft=_latency(table, "time to first token"),
            # One value per request, its mean: what others call TPOT.
            tpot=gap,
            itl=gap,
            end_to_end=_latency(table, "request latency"),
        )
    )


def _missing(table: _Table) -> list[Gap]:
    missing = [name for name in _ROWS if name not in table.rows]
    if "time to first token" in missing and "request latency" in table.rows and "output sequence length" not in missing:
        message = "no time to first token: the answers were not streamed, so reading and writing can't be separated"
        return [Gap(line=table.last_line, message=message)]
    if not missing or missing == ["output sequence length"]:
        return []
    return [Gap(line=table.last_line, message=f"the table is cut off: {', '.join(missing)} missing")]


def _mean(table: _Table, name: str) -> float | None:
    return table.rows.get(name, {}).get("avg")


def _latency(table: _Table, name: str) -> Latency | None:
    scale = _SCALES.get(table.units.get(name, "ms"))
    values = table.rows.get(name)
    if values is None or scale is None:
        return None
    return Latency(**{_STATISTICS[key]: value * scale for key, value in values.items() if key in _STATISTICS})


def _concurrency(text: Text, at: int) -> int | None:
    for line in reversed(text.lines[max(0, at - 80) : at]):
        match = _CONCURRENCY.search(line.text) if "--concurrency" in line.text else None
        if match is not None:
            return int(match[1])
    return None


def _tool(text: Text, at: int) -> str:
    above = " ".join(line.text for line in text.lines[max(0, at - 4) : at])
    return next((tool for title, tool in _TITLES.items() if title in above), "genai-perf")


def _cells(line: str) -> list[str]:
    """The cells between the bars, without what stands left of the first and right of the last bar."""
    return [cell.strip() for cell in _BAR.split(line)[1:-1]]
