"""`pysim serve accuracy`: how far simulated load tests are from those of a table."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from pysim.cli.output import Column, print_json, print_table
from pysim.cli.serving.inputs import read_file

_SCORES: Final = (
    Column("source", "source"),
    Column("model", "model"),
    Column("points", "points", "whole"),
    Column("ttft_mean", "TTFT", "%"),
    Column("tpot_mean", "TPOT", "%"),
    Column("output_tok_s", "tokens/s", "%"),
    Column("in_band", "in band", "%"),
)


def arguments(accuracy: argparse.ArgumentParser) -> None:
    """Its options."""
    accuracy.add_argument(
        "file", metavar="POINTS.csv", help="columns as model, gpu, n_gpu, engine, input_len, load_kind …"
    )


def answer_accuracy(asked: argparse.Namespace) -> None:
    """Score one table of load tests."""
    from pysim.serving.points import by_source, score, summary

    result = read_file(asked.file, score)
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


def _flat(group: Mapping[str, Any], kind: str) -> dict[str, object]:
    return {"model": "", **group, **group[kind]}
