"""`pysim serve accuracy`: how far simulated load tests are from those of a table."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pysim.cli.output import Column, print_csv, print_json, print_table
from pysim.cli.serving.inputs import read_file
from pysim.cli.serving.progress import Progress

if TYPE_CHECKING:
    from pysim.serving.points import Scored, Scores

_SCORES: Final = (
    Column("source", "source"),
    Column("model", "model"),
    Column("points", "points", "whole"),
    Column("ttft_mean", "TTFT", "%"),
    Column("tpot_mean", "TPOT", "%"),
    Column("output_tok_s", "tokens/s", "%"),
    Column("in_band", "in band", "%"),
)
_POINT: Final = (
    "row", "source", "model", "factor",
    *(f"{way}_{name}" for way in ("measured", "untouched", "after_factor")
      for name in ("ttft_mean", "tpot_mean", "output_tok_s")),
    "in_band",
)  # fmt: skip


def arguments(accuracy: argparse.ArgumentParser) -> None:
    """Its options."""
    accuracy.add_argument(
        "file", metavar="POINTS.csv", help="columns as model, gpu, n_gpu, engine, input_len, load_kind …"
    )
    accuracy.add_argument("--csv", action="store_true", help="print CSV: a line for each point")


def answer_accuracy(asked: argparse.Namespace) -> None:
    """Score one table of load tests; an interrupted one prints what is done."""
    from pysim.serving.points import scores_of

    found, interrupted = read_file(asked.file, _all_rows)
    _show(asked, scores_of(found))
    if interrupted:
        raise KeyboardInterrupt


def _all_rows(path: Path) -> tuple[list[Scored | tuple[str, str]], bool]:
    from pysim.serving.points import row_by_row

    found: list[Scored | tuple[str, str]] = []
    with Progress() as told:
        try:
            for each in row_by_row(path):
                found.append(each)
                told(f"{len(found):,} rows")
        except KeyboardInterrupt:
            return found, True
    return found, False


def _show(asked: argparse.Namespace, result: Scores) -> None:
    from pysim.serving.points import by_source, summary

    if asked.csv:
        print_csv([_point(each) for each in result.points], _POINT)
        return
    groups = [
        {"source": source, "model": model, **summary(points)}
        for (source, model), points in by_source(result.points).items()
    ]
    reasons = Counter(reason for _, reason in result.left_out)
    if asked.json:
        print_json(
            {
                **summary(result.points),
                "by_source_and_model": groups,
                "left_out": [{"row": row, "reason": reason} for row, reason in result.left_out],
            }
        )
        return
    for kind, words in (("untouched", "untouched constants"), ("after_factor", "after one factor for each row")):
        print(f"median errors, {words}:")
        print_table([_flat(group, kind) for group in [{"source": "all", **summary(result.points)}, *groups]], _SCORES)
    for reason, count in reasons.most_common():
        print(f"{count:,} left out: {reason}")


def _point(point: Scored) -> dict[str, object]:
    row: dict[str, object] = {"row": point.row, "source": point.source, "model": point.model, "factor": point.factor}
    for way in ("measured", "untouched", "after_factor"):
        row |= {f"{way}_{name}": getattr(point, way).get(name) for name in point.measured}
    return row | {"in_band": point.in_band}


def _flat(group: Mapping[str, Any], kind: str) -> dict[str, object]:
    return {"model": "", **group, **group[kind]}
