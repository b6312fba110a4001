"""`pysim serve sweep`: every combination of an experiment's values, one JSON line each, on any executor."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from pysim.cli.output import Column, print_csv, print_json, print_table
from pysim.cli.serving.inputs import read_file
from pysim.cli.serving.progress import Progress
from pysim.errors import BadValue, quoted

_SHOWN: Final = (
    Column("ttft_s_p99", "TTFT, p99", "s"),
    Column("tpot_s_p99", "TPOT, p99", "s"),
    Column("output_tokens_per_s_per_device", "per device", "tokens/s"),
    Column("share_within", "within", "%"),
    Column("pareto", "Pareto", "flag"),
    Column("error", "why not"),
)
_MOST_SHOWN: Final = 200


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("file", metavar="EXPERIMENT.toml", help="its table [sweep] says which values are combined")
    parser.add_argument(
        "--out", metavar="FILE.jsonl", help="where the lines go, and from where a run goes on (EXPERIMENT.sweep.jsonl)"
    )
    parser.add_argument(
        "--executor",
        default="process",
        metavar="HOW",
        help="process[:N], serial, or dask[:ADDRESS] (process)",
    )
    parser.add_argument("--pareto", metavar="NAMES", help="measures, with a minus where more is better")
    parser.add_argument("--csv", action="store_true", help="print CSV, in SI units")


def answer_sweep(asked: argparse.Namespace) -> None:
    """Answer one command line; an interrupted one prints and keeps what is done."""
    from pysim.serving.plan.executors import executor_named
    from pysim.serving.plan.experiment import read_experiment
    from pysim.serving.plan.sweep import PARETO, lines_of, mark_pareto, read_lines, rewrite, sweep

    experiment = read_file(asked.file, read_experiment)
    if not experiment.swept:
        raise BadValue(f"{asked.file} sweeps nothing: add a table [sweep] with lists of values")
    measures = [name.strip() for name in asked.pareto.split(",") if name.strip()] if asked.pareto else list(PARETO)
    path = Path(asked.out) if asked.out else Path(asked.file).with_suffix(".sweep.jsonl")
    interrupted = False
    try:
        with Progress() as told, executor_named(asked.executor) as executor:
            sweep(experiment, path, executor, lambda done, all_of: told(f"{done:,} of {all_of:,} settings"))
    except KeyboardInterrupt:
        interrupted = True
    except OSError as error:
        raise BadValue(f"cannot write {quoted(str(path))}: {error.strerror}") from error
    lines = mark_pareto(lines_of(experiment, {line["key"]: line for line in read_lines(path)}), measures)
    if lines and not any(line["pareto"] for line in lines) and not all("error" in line["result"] for line in lines):
        raise BadValue(f"--pareto {quoted(asked.pareto or '', 60)}: no line has all of these measures")
    rewrite(path, lines)
    _show(asked, lines, experiment.swept)
    if interrupted:
        raise KeyboardInterrupt
    if not (asked.json or asked.csv):
        print(f"\n{len(lines):,} settings in {path}")


def _show(asked: argparse.Namespace, lines: list[dict[str, Any]], swept: dict[str, list[Any]]) -> None:
    if asked.json:
        print_json(lines)
        return
    rows = [{**line["varied"], **line["result"], "pareto": line["pareto"]} for line in lines]
    if asked.csv:
        print_csv(rows, list(dict.fromkeys(name for row in rows for name in row)))
        return
    columns = [*(Column(name, name) for name in swept), *_SHOWN]
    present = [column for column in columns if any(row.get(column.field) is not None for row in rows)]
    some = rows if len(rows) <= _MOST_SHOWN else [row for row in rows if row["pareto"]][:_MOST_SHOWN]
    print_table(some, present)
    if len(some) < len(rows):
        print(f"\n(of {len(rows):,} rows, those on the Pareto front; --csv prints all)")
