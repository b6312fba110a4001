"""The ways of `pysim serve`, each with its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from pysim.cli.serving import accuracy, calibrate, replay, run, size, sweep

WAYS: Final = ("run", "compare", "sweep", "size", "calibrate", "replay", "accuracy")


def with_way(arguments: Sequence[str]) -> list[str]:
    """`serve EXPERIMENT.toml` as `serve run EXPERIMENT.toml`; other lines as they are."""
    given = list(arguments)
    if given[:1] == ["serve"] and len(given) > 1 and given[1] not in WAYS and Path(given[1]).suffix == ".toml":
        given.insert(1, "run")
    return given


def arguments(parser: argparse.ArgumentParser, finish: Callable[..., None]) -> None:
    """The command lines of `pysim serve …`."""
    ways = parser.add_subparsers(title="ways", required=True, metavar="WAY", parser_class=type(parser))
    single = ways.add_parser("run", help="serve an experiment's requests; `pysim serve EXPERIMENT.toml` does the same")
    run.arguments(single)
    finish(single, run.answer_run)
    variants = ways.add_parser("compare", help="an experiment's variants on the same requests")
    run.arguments(variants)
    finish(variants, run.answer_compare)
    many = ways.add_parser("sweep", help="every combination of an experiment's values; goes on where it stopped")
    sweep.arguments(many)
    finish(many, sweep.answer_sweep)
    one = ways.add_parser("replay", help="serve the requests of a file, and compare with what was measured there")
    replay.arguments(one)
    finish(one, replay.answer_replay)
    scores = ways.add_parser("accuracy", help="how far simulated load tests are from those of a table")
    accuracy.arguments(scores)
    finish(scores, accuracy.answer_accuracy)
    devices = ways.add_parser("size", help="the fewest devices for a rate within limits, and what breaks first")
    size.arguments(devices)
    finish(devices, size.answer_size)
    factor = ways.add_parser("calibrate", help="what a load generator printed → how fast the server is against typical")
    calibrate.arguments(factor)
    finish(factor, calibrate.answer_calibrate)
