"""`pysim serve EXPERIMENT.toml`: one setting, served. `pysim serve compare`: its variants on the same requests."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from statistics import fmean
from typing import Any, Final

from pysim.cli.output import Column as _Column
from pysim.cli.output import print_csv, print_json, print_table, shown
from pysim.cli.serving.inputs import read_file
from pysim.cli.serving.progress import Progress
from pysim.errors import BadValue

_MEASURES: Final = (
    ("requests", "requests", "whole"),
    ("devices", "devices", "whole"),
    ("ttft_s_p50", "TTFT, median", "s"),
    ("ttft_s_p99", "TTFT, p99", "s"),
    ("tpot_s_p50", "TPOT, median", "s"),
    ("tpot_s_p99", "TPOT, p99", "s"),
    ("end_to_end_s_p50", "end to end, median", "s"),
    ("end_to_end_s_p99", "end to end, p99", "s"),
    ("output_tokens_per_s", "written", "tokens/s"),
    ("output_tokens_per_s_per_device", "written per device", "tokens/s"),
    ("share_within", "within the limits", "%"),
    ("goodput_per_s", "requests/s within the limits", "rate"),
    ("evictions", "evictions", "whole"),
    ("cached_tokens", "prompt tokens found in the cache", "whole"),
    ("ends_earlier", "answered sooner than in the first", "%"),
    ("holds_up", "requests wait for", ""),
)
# A closed loop with fewer requests for each that is in flight is mostly its beginning and its end.
_ENOUGH: Final = 4
_RAMP: Final = "few requests for so many at once: most of this run is the server filling up and emptying"
_GROWS: Final = (
    "the backlog grows: the server can't keep up, and times depend on how long the test lasts, not only on the server"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of both."""
    parser.add_argument("file", metavar="EXPERIMENT.toml", help="which server gets which requests, within which limits")
    parser.add_argument("--csv", action="store_true", help="print CSV, in SI units")


def answer_run(asked: argparse.Namespace) -> None:
    """Serve one experiment's requests."""
    from pysim.serving.plan.experiment import read_experiment

    _show(asked, {"": _served(read_file(asked.file, read_experiment).setting)[0]})


def answer_compare(asked: argparse.Namespace) -> None:
    """Serve the same requests by every variant."""
    from pysim.serving.plan.experiment import read_experiment

    experiment = read_file(asked.file, read_experiment)
    if not experiment.variants:
        raise BadValue(f"{asked.file} has no variants: add a table [variants.NAME] with the values that differ")
    rows: dict[str, dict[str, Any]] = {}
    first: dict[int, float] = {}
    with Progress() as told:
        for name, setting in experiment.variants.items():
            told(name)
            row, ends_s = _served(setting)
            first = first or ends_s
            if rows and ends_s.keys() == first.keys():
                row["ends_earlier"] = fmean(end_s < first[number] for number, end_s in ends_s.items())
            rows[name] = row
    _show(asked, rows)


def _served(setting: dict[str, Any]) -> tuple[dict[str, Any], dict[int, float]]:
    """The measures of a setting, and when each request has its last token, in seconds after its arrival."""
    from pysim.serving.plan.limits import limits_from
    from pysim.serving.plan.setting import load_of, row_of, server_of

    server = server_of(setting)
    limits = limits_from(setting["limits"]) if setting.get("limits") else None
    load, at_once, think_s = load_of(setting)
    run = server.run(load, at_once, think_s)
    row = row_of(server, run, limits) | ({"at_once": at_once} if at_once else {})
    return row, {each.request.number: each.end_to_end_s for each in run.outcomes}


def _show(asked: argparse.Namespace, rows: Mapping[str, dict[str, Any]]) -> None:
    several = "" not in rows
    if asked.json:
        print_json(rows if several else rows[""])
        return
    if asked.csv:
        fields = list(dict.fromkeys(name for row in rows.values() for name in row))
        named = [({"variant": name} if several else {}) | row for name, row in rows.items()]
        print_csv(named, [*(["variant"] if several else []), *fields])
        return
    lines = [
        {"measure": label, **{name: shown(row.get(field), unit) for name, row in rows.items()}}
        for field, label, unit in _MEASURES
        if any(field in row for row in rows.values())
    ]
    print_table(lines, [_Column("measure", ""), *(_Column(name, name) for name in rows)])
    for name, row in rows.items():
        if row["requests"] < _ENOUGH * row.get("at_once", 0):
            print(f" note: {name + ': ' if name else ''}{_RAMP}")
        if row["backlog_grows"]:
            print(f" note: {name + ': ' if name else ''}{_GROWS}")
