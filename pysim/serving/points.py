"""Published points: how far are simulated load tests from measured ones, with untouched constants and after one factor?

A point is a load test: a model, devices, lengths, a rate or a number of conversations at once, and mean times.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Final

from pysim.deployed import Deployed
from pysim.errors import BadValue, PysimError, quoted
from pysim.load import load_device, load_model
from pysim.serving.load.made import Lengths, made
from pysim.serving.request import Request
from pysim.serving.results.one_factor import fitted, means
from pysim.serving.run import Run
from pysim.serving.serve import rule_of, serve
from pysim.serving.step_cost import Tuned

NEEDED: Final = ("model", "gpu", "n_gpu", "engine", "precision", "input_len", "output_len", "load_kind", "load_value")
MEASURES: Final = ("ttft_mean", "tpot_mean", "output_tok_s")
COLUMNS: Final = {"ttft_mean": "ttft_mean_ms", "tpot_mean": "tpot_mean_ms", "output_tok_s": "output_tok_s"}
FORMATS: Final = {
    "": "config",
    "bf16": "f16",
    "fp16": "f16",
    "f16": "f16",
    "fp8": "fp8",
    "mxfp4": "config",
    "int8": "int8",
}
MOST_SIMULATED: Final = 600
MOST_ROWS: Final = 200_000
TURNS: Final = 8
# Measured ÷ simulated of 230 published load tests of grade A, from the 5th to the 95th percentile: 79% of the tests
# are within all of theirs.
BANDS: Final = {"ttft_mean": (0.16, 3.3), "tpot_mean": (0.44, 2.75), "output_tok_s": (0.35, 2.07)}
# How many times as long as simulated the steps of such a server may take: the throughput's band, turned over.
STEP_BAND: Final = (1 / BANDS["output_tok_s"][1], 1 / BANDS["output_tok_s"][0])
BUDGET: Final = re.compile(r"max_num_batched_tokens (\d+)")
SEATS: Final = re.compile(r"max_num_seqs (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A point: measured and simulated means, the factor that fits it, and what it gives then."""

    row: str
    source: str
    model: str
    measured: dict[str, float]
    untouched: dict[str, float]
    after_factor: dict[str, float]
    factor: float

    @property
    def in_band(self) -> bool:
        """Is every measured value within its band of the simulated one?"""
        return all(
            BANDS[name][0] <= value / self.untouched[name] <= BANDS[name][1] for name, value in self.measured.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Points that were compared, and rows that were not, with the reason."""

    points: tuple[Scored, ...]
    left_out: tuple[tuple[str, str], ...]


def score(path: Path) -> Scores:
    """Score a table of points; raises BadValue where it has not the columns, OSError where it can't be read."""
    return scores_of(row_by_row(path))


def scores_of(found: Iterable[Scored | tuple[str, str]]) -> Scores:
    """Those that were compared, and those that were not."""
    several = list(found)
    return Scores(
        points=tuple(each for each in several if isinstance(each, Scored)),
        left_out=tuple(each for each in several if not isinstance(each, Scored)),
    )


def row_by_row(path: Path) -> Iterator[Scored | tuple[str, str]]:
    """The points of a table one by one; for a row that is left out its name and the reason. Raises as `score` does."""
    for number, row in enumerate(_rows(path), 2):
        name = row.get("row") or f"line {number}"
        try:
            yield _scored(name, row)
        except PysimError as error:
            yield name, str(error)


def summary(points: tuple[Scored, ...]) -> dict[str, object]:
    """Median relative errors and the share in the band of some points."""
    answer: dict[str, object] = {"points": len(points)}
    for kind in ("untouched", "after_factor"):
        found = {
            name: [
                abs(getattr(point, kind)[name] / point.measured[name] - 1) for point in points if name in point.measured
            ]
            for name in MEASURES
        }
        answer[kind] = {name: round(median(values), 4) if values else None for name, values in found.items()}
    answer["in_band"] = round(fmean(point.in_band for point in points), 4) if points else None
    return answer


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        try:
            reader = csv.DictReader(file, restval="")
            missing = [name for name in NEEDED if name not in (reader.fieldnames or ())]
            if missing:
                raise BadValue(f"{path.name}: the columns {', '.join(missing)} are missing")
            for number, row in enumerate(reader):
                if number >= MOST_ROWS:
                    raise BadValue(f"{path.name} has more than {MOST_ROWS:,} rows")
                yield {name: value or "" for name, value in row.items() if name}
        except (csv.Error, UnicodeDecodeError) as error:
            raise BadValue(f"{path.name} is not a CSV table in UTF-8: {error}") from error


def _scored(name: str, row: dict[str, str]) -> Scored:
    measured = {}
    for measure, column in COLUMNS.items():
        if row.get(column):
            value = _number(row, column)
            measured[measure] = value / 1000 if column.endswith("_ms") else value
    if not measured:
        raise BadValue(f"no measured value: {', '.join(COLUMNS.values())} are empty")
    simulate = _simulation(row)
    untouched = means(simulate(1.0))
    measured = {measure: value for measure, value in measured.items() if untouched.get(measure)}
    if not measured:
        raise BadValue("no measured value that a simulation gives")
    factor, after = fitted(simulate, measured, untouched)
    return Scored(
        row=name, source=_source(row.get("source", "")), model=row["model"], measured=measured, untouched=untouched,
        after_factor=after, factor=factor,
    )  # fmt: skip


def _simulation(row: dict[str, str]) -> Callable[[float], Run]:
    engine = row["engine"].split(" (")[0].strip()
    if "disagg" in row["engine"].lower() or "separate" in row.get("chunked_prefill", "").lower():
        raise BadValue("prefill and decode on separate devices are not simulated")
    on = _deployment(row, engine)
    rule_of(on)
    load, at_once = _load(row)
    words = f"{row.get('chunked_prefill', '')} {row.get('notes', '')}"
    budget, seats = (int(match[1]) if (match := form.search(words)) else None for form in (BUDGET, SEATS))
    return lambda factor: serve(
        on, load, token_budget=budget, seats=seats, at_once=at_once,
        tuned=Tuned(factor=factor),
    )  # fmt: skip


def _deployment(row: dict[str, str], engine: str) -> Deployed:
    weights = row["precision"].split(" ")[0].lower()
    if weights not in FORMATS:
        raise BadValue(f"precision {quoted(row['precision'], 30)} is not known here; there are: {', '.join(FORMATS)}")
    devices = _number(row, "n_gpu")
    if devices != int(devices) or not 1 <= devices <= 1024:
        raise BadValue(f"n_gpu {row['n_gpu']} is not a whole number from 1 to 1,024")
    if not row["model"] or not row["gpu"]:
        raise BadValue("model or gpu is empty")
    return Deployed(
        load_model(row["model"]), load_device(row["gpu"]), n_devices=int(devices), weight_format=FORMATS[weights],
        engine=engine,
    )  # fmt: skip


def _load(row: dict[str, str]) -> tuple[tuple[Request, ...], int | None]:
    prompt, answer = _lengths(row, "input_len"), _lengths(row, "output_len")
    value = _number(row, "load_value")
    count = int(_number(row, "num_prompts")) if row.get("num_prompts") else max(200, int(8 * value))
    kind = row["load_kind"]
    if kind == "rate":
        arrivals = "even" if "constant" in row.get("notes", "") else "poisson"
        load = made(count=min(count, MOST_SIMULATED), rate_per_s=value, prompt=prompt, answer=answer, arrivals=arrivals)
        return load, None
    if kind not in {"concurrency", "burst"}:
        raise BadValue(f"load_kind {quoted(kind, 30)} is not rate, concurrency or burst")
    burst = kind == "burst"
    at_once = None if burst else max(1, int(value))
    # A closed loop is mostly ramp where it is short; so is ours.
    asked = count if burst else min(count, max(MOST_SIMULATED, 4 * int(value)))
    return made(count=max(1, asked), rate_per_s=1.0, prompt=prompt, answer=answer, arrivals="burst"), at_once


def _lengths(row: dict[str, str], column: str) -> Lengths:
    tokens = _number(row, column)
    if not 1 <= tokens <= 10_000_000:
        raise BadValue(f"{column} {row[column]} is not from 1 to 10,000,000 tokens")
    return Lengths.fixed(round(tokens))


def _number(row: dict[str, str], column: str) -> float:
    try:
        value = float(row[column])
    except ValueError:
        raise BadValue(f"{column} {quoted(row[column], 30)} is not a number") from None
    if not math.isfinite(value) or value <= 0:
        raise BadValue(f"{column} {row[column]} is not above 0")
    return value


def _source(text: str) -> str:
    """The page or repository of a source, without the file in it."""
    words = text.split()
    return "/".join(words[0].removeprefix("https://").split("/")[:3]) if words else "unnamed"


def by_source(points: tuple[Scored, ...]) -> dict[tuple[str, str], tuple[Scored, ...]]:
    """Points by source and model."""
    keys = Counter((point.source, point.model) for point in points)
    return {key: tuple(point for point in points if (point.source, point.model) == key) for key in sorted(keys)}
