"""The accuracy page's part on serving: requests of real servers replayed, and load tests simulated."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from statistics import median
from typing import Final

from simple_html import Node, p

from hooks.pages.accuracy_table import accuracy_table
from hooks.paths import ROOT
from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.serving.calibrate import Errors, errors, one_factor
from pysim.serving.load.replay import read_requests
from pysim.serving.points import BANDS, MEASURES, Scored, by_source, score
from pysim.serving.request import Outcome
from pysim.serving.step_cost import Tuned

FOLDER: Final = ROOT / "hooks" / "facts" / "serving"
TRAINED: Final = 1 / 3
NAMES: Final = {"ttft_mean": "first token", "tpot_mean": "time per token", "output_tok_s": "tokens/s"}


@cache
def replayed() -> tuple[tuple[str, Errors, Errors, float], ...]:
    """For each public run: its words, errors with typical speeds, with one factor from its first third, and it."""
    with (FOLDER / "runs.toml").open("rb") as file:
        runs = tomllib.load(file)["runs"]
    return tuple(_replayed(FOLDER / f"{key}.requests.jsonl", run) for key, run in runs.items())


def _replayed(path: Path, run: dict[str, str | int]) -> tuple[str, Errors, Errors, float]:
    on = Deployment(load_model(str(run["model"])), load_device(str(run["device"])), engine=str(run["engine"]))
    given = read_requests(path)
    kv_tokens = int(run["kv_tokens"]) if "kv_tokens" in run else None

    def simulate(factor: float) -> Errors:
        return errors(served(factor), rest)

    def served(factor: float) -> tuple[Outcome, ...]:
        done = on.serve(
            given.requests, token_budget=int(run["token_budget"]), seats=int(run["seats"]), kv_tokens=kv_tokens,
            tuned=Tuned(factor=factor),
        )  # fmt: skip
        return done.outcomes

    numbers = sorted(given.measured)
    used = set(numbers[: round(TRAINED * len(numbers))])
    rest = {number: known for number, known in given.measured.items() if number not in used}
    factor = one_factor(served, {number: given.measured[number] for number in used})
    return str(run["words"]), simulate(1.0), simulate(factor), factor


@cache
def load_tests() -> tuple[Scored, ...]:
    """The published load tests that the site carries, simulated with typical speeds."""
    return score(FOLDER / "load_tests.csv").points


def replays(_: str) -> list[Node]:
    """Requests of two real runs, one by one."""
    rows: list[list[Node]] = []
    for words, untouched, after, factor in replayed():
        for how, found in (("typical speeds", untouched), (f"one factor, {factor:.2f}", after)):
            rows.append([words, how, *(_percent(value) for value in (found.ttft, found.tpot, found.end_to_end))])
    head = ("run", "calibrated by", "first token", "time per token", "end to end")
    words = (
        "The factor is found on the first third of a run; the errors are medians over the other two thirds, request "
        "by request. Both runs are public: LLMServingSim 2, MIT license."
    )
    return [p(words), accuracy_table("Median error for each request", head, rows, texts=2)]


def tests(_: str) -> list[Node]:
    """Published load tests, by source."""
    scored = load_tests()
    rows: list[list[Node]] = [_row("all", scored)]
    sources: dict[str, list[Scored]] = {}
    for (source, _model), points in by_source(scored).items():
        sources.setdefault(source, []).extend(points)
    rows += [_row(source, tuple(points)) for source, points in sources.items()]
    bands = "; ".join(f"{NAMES[name]}: {low:g} to {high:g} times as simulated" for name, (low, high) in BANDS.items())
    words = (
        f"{len(scored)} load tests of grade A, a third of those that we collected, with typical speeds and no "
        f"calibration. The stated band of each measure ({bands}) is meant to hold nine of ten."
    )
    head = ("source", "tests", *NAMES.values(), "within all bands")
    return [p(words), accuracy_table("Median error of means, nothing calibrated", head, rows, texts=1)]


def _row(source: str, points: tuple[Scored, ...]) -> list[Node]:
    found = {
        name: [abs(each.untouched[name] / each.measured[name] - 1) for each in points if name in each.measured]
        for name in MEASURES
    }
    within = sum(each.in_band for each in points) / len(points)
    return [
        source.removeprefix("github.com/"),
        f"{len(points)}",
        *(_percent(median(values)) if values else "none" for values in found.values()),
        _percent(within),
    ]


def _percent(value: float | None) -> str:
    return "none" if value is None else f"{100 * value:.1f}%" if value < 0.1 else f"{100 * value:.0f}%"
