"""`pysim serve calibrate`: what a load generator printed → how fast this server is against typical ones."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from pysim.cli.doctor import LARGEST_BYTES, text_of
from pysim.cli.output import Column, print_csv, print_json, print_table, shown
from pysim.cli.serving import inputs
from pysim.errors import BadValue

if TYPE_CHECKING:
    from pysim.serving.results.load_test import LoadTest
    from pysim.serving.results.one_factor import Calibrated

MOST_TESTS: Final = 50
_MEASURES: Final = {
    "ttft_mean": ("mean TTFT", "s"),
    "tpot_mean": ("mean TPOT", "s"),
    "output_tok_s": ("written", "tokens/s"),
}
_COLUMNS: Final = (Column("name", ""), Column("measured", "measured"), Column("typical", "typical"))
_REASONS: Final = {
    "ttft_mean": "the front end, prompts that are cached already, and how requests arrived",
    "tpot_mean": "drafts of several tokens, and how gaps were counted",
    "output_tok_s": "the length of the test, and answers that ended early",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("file", metavar="RESULT", help="what a load generator printed or saved; - reads standard input")
    inputs.server_options(parser)
    inputs.devices_option(parser)
    number: dict[str, Any] = {"type": int, "metavar": "N"}
    parser.add_argument("--prompt-tokens", help="tokens of a prompt, if the result does not say it", **number)
    parser.add_argument("--output-tokens", help="tokens of an answer, if the result does not say it", **number)
    parser.add_argument("--rate", type=float, metavar="R", help="requests/s, if the result does not say it")
    parser.add_argument("--concurrency", help="requests at once, if the result does not say it", **number)
    parser.add_argument("--from", dest="taken_from", choices=tuple(_MEASURES), help="the measure to take (tpot_mean)")
    parser.add_argument("--csv", action="store_true", help="print CSV, in SI units")


def answer_calibrate(asked: argparse.Namespace) -> None:
    """Answer one command line."""
    from pysim.doctor.load_tests import load_tests
    from pysim.serving.results.one_factor import calibrated

    server = inputs.server(asked)
    for name, value in (("--rate", asked.rate), ("--concurrency", asked.concurrency)):
        if value is not None and not 0 < value < 1e9:
            raise BadValue(f"{name} {value:g} is not above 0 and below 1e9")
    tests = load_tests(
        text_of(asked.file, LARGEST_BYTES), prompt_tokens=asked.prompt_tokens, output_tokens=asked.output_tokens,
        rate_per_s=asked.rate, at_once=asked.concurrency,
    )  # fmt: skip
    if len(tests) > MOST_TESTS:
        raise BadValue(f"{len(tests)} load tests are more than {MOST_TESTS}; paste those of one server")
    found = [(test, calibrated(server, test, asked.taken_from)) for test in tests]
    factor = median(each.factor for _, each in found)
    if asked.json:
        print_json({"factor": factor, "speed": 1 / factor, "tests": [_json(*pair) for pair in found]})
    elif asked.csv:
        print_csv([_json(*pair) for pair in found], ["load", "factor", "speed", "taken_from", "met"])
    else:
        for pair in found:
            _print(*pair)
        _print_factor(factor, [each.factor for _, each in found])


def _json(test: LoadTest, found: Calibrated) -> dict[str, Any]:
    return {"load": test.words, "speed": 1 / found.factor, **asdict(found)}


def _print(test: LoadTest, found: Calibrated) -> None:
    print(test.words)
    rows = [
        {
            "name": label,
            **{way: shown(getattr(found, way)[name], unit) for way in ("measured", "typical", "with_factor")},
        }
        for name, (label, unit) in _MEASURES.items()
        if name in found.measured
    ]
    print_table(rows, [*_COLUMNS, Column("with_factor", f"with the factor {found.factor:.3g}")])
    for name, ratio in found.unexplained.items():
        print(
            f" note: {_MEASURES[name][0]} is measured at {ratio:.2g} times what speed alone explains; "
            f"look at {_REASONS[name]}"
        )
    if test.rate_per_s is None and test.at_once is None and "ttft_mean" in found.measured:
        print(" note: all requests arrived at once, so TTFT is a wait in a queue: about half of the test on average")
    if not found.met:
        print(f" note: no factor gives the measured {_MEASURES[found.taken_from][0]}")
    print()


def _print_factor(factor: float, factors: list[float]) -> None:
    spread = f" (from {1 / max(factors):.2g} to {1 / min(factors):.2g} by load)" if len(factors) > 1 else ""
    print(f"your server runs at {1 / factor:.2g} of the typical speed{spread}: use --factor {factor:.3g}")
