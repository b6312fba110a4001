"""Sweeps: many settings of an experiment on any executor, one JSON line each; a run can stop and go on.

A line's key is a hash of its setting: settings that a file has already are not computed again. All of them get the same
random numbers, those of the experiment's seed: their differences come from what varies.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pysim.errors import BadValue, quoted
from pysim.serving.plan.experiment import Experiment, Setting, key_of
from pysim.serving.plan.setting import outcome_row

Line = dict[str, Any]
AHEAD: Final = 256
START: Final = '{"key"'
# What is better smaller; with a minus, larger.
PARETO: Final = ("ttft_s_p99", "tpot_s_p99", "-output_tokens_per_s_per_device")


def sweep(
    experiment: Experiment, path: Path, executor: Executor, told: Callable[[int, int], None] = lambda *_: None
) -> list[Line]:
    """Compute what the file lacks, write each line as soon as it is known, and return those of this experiment.

    `told`: is told how many of how many are done. An interruption leaves all finished lines in the file.
    Raises BadValue where the file is no sweep's, OSError where it can't be written.
    """
    known = {line["key"]: line for line in read_lines(path)} if path.exists() else {}
    wanted = experiment.count
    with path.open("a", encoding="utf-8") as file:
        if known and not path.read_bytes().endswith(b"\n"):
            file.write("\n")
        for line in _computed(experiment, known, executor):
            file.write(json.dumps(line) + "\n")
            file.flush()
            known[line["key"]] = line
            told(len(known), wanted)
    return lines_of(experiment, known)


def lines_of(experiment: Experiment, known: dict[str, Line]) -> list[Line]:
    """The lines of an experiment in its order, as far as they are known."""
    keys = [key_of(setting) for _, setting in experiment.settings()]
    return [known[key] for key in keys if key in known]


def read_lines(path: Path) -> list[Line]:
    """The lines of a sweep's file; lines that broke off are left out. Raises BadValue for other files."""
    lines: list[Line] = []
    for number, row in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not row.strip():
            continue
        try:
            line = json.loads(row)
        except json.JSONDecodeError as error:
            if row.startswith(START) or START.startswith(row):
                continue
            raise BadValue(f"{path.name}, line {number}: {quoted(row, 40)} is no line of a sweep") from error
        if not isinstance(line, dict) or not {"key", "varied", "result"} <= line.keys():
            raise BadValue(f"{path.name}, line {number}: {quoted(row, 40)} is no line of a sweep")
        lines.append(line)
    return lines


def mark_pareto(lines: Sequence[Line], measures: Sequence[str] = PARETO) -> list[Line]:
    """The same lines, each with `pareto`: is no other at least as good in all measures and better in one?"""
    places = [_place(line["result"], measures) for line in lines]
    front = _front([place for place in places if place is not None])
    return [{**line, "pareto": place in front} for line, place in zip(lines, places, strict=True)]


def rewrite(path: Path, lines: Sequence[Line]) -> None:
    """Replace a sweep's lines in its file by those with marks; others stay. The file is whole at every moment."""
    marked = {line["key"]: line for line in lines}
    others = {line["key"]: line for line in read_lines(path) if line["key"] not in marked}
    beside = path.with_name(path.name + ".new")
    beside.write_text("".join(json.dumps(line) + "\n" for line in (others | marked).values()), encoding="utf-8")
    os.replace(beside, path)


def _computed(experiment: Experiment, known: dict[str, Line], executor: Executor) -> Iterator[Line]:
    todo = ((varied, setting) for varied, setting in experiment.settings() if key_of(setting) not in known)
    running: dict[Future[Line], None] = {}
    try:
        while True:
            for varied, setting in islice(todo, AHEAD - len(running)):
                running[executor.submit(line_of, varied, setting)] = None
            if not running:
                return
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in [each for each in running if each in ended]:
                del running[future]
                yield future.result()
    finally:
        for future in running:
            future.cancel()


def line_of(varied: dict[str, Any], setting: Setting) -> Line:
    """One line. An executor can send it anywhere, since it is a function of the module."""
    return {"key": key_of(setting), "varied": varied, "result": outcome_row(setting)}


def _place(result: dict[str, Any], measures: Sequence[str]) -> tuple[float, ...] | None:
    values: list[float] = []
    for name in measures:
        value = result.get(name.removeprefix("-"))
        if value is None:
            return None
        values.append(-float(value) if name.startswith("-") else float(value))
    return tuple(values)


def _front(places: Sequence[tuple[float, ...]]) -> set[tuple[float, ...]]:
    front: list[tuple[float, ...]] = []
    # In this order, nothing that comes later can be better in all measures than what came before.
    for place in sorted(set(places)):
        if not any(all(a <= b for a, b in zip(other, place, strict=True)) for other in front):
            front.append(place)
    return set(front)
