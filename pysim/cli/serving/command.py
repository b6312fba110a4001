"""The ways of `pysim serve`, each with its options."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from pysim.cli.serving import accuracy, calibrate, replay, size


def arguments(parser: argparse.ArgumentParser, finish: Callable[..., None]) -> None:
    """The command lines of `pysim serve …`."""
    ways = parser.add_subparsers(title="ways", required=True, metavar="WAY", parser_class=type(parser))
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
