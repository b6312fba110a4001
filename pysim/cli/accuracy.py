"""`pysim accuracy`: how far predictions are from the measurements in your table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pysim.cli.output import Column, plain, print_table

if TYPE_CHECKING:
    from pysim.fit.accuracy import Summary
    from pysim.fit.table.score import LeftOutRows, Score, Scored

_COLUMNS: Final = (
    Column("phase", "phase"),
    Column("kind", "model"),
    Column("batch", "batch"),
    Column("points", "points", "whole"),
    Column("median_error", "median error", "%"),
    Column("p90_error", "p90 error", "%"),
    Column("bias", "bias", "%"),
    Column("in_band", "in band", "%"),
)
_WORST: Final = (
    Column("row", "row", "whole"),
    Column("phase", "phase"),
    Column("device", "device"),
    Column("model", "model"),
    Column("weights", "weights"),
    Column("measured_tokens_per_s", "measured", "tokens/s"),
    Column("predicted_tokens_per_s", "predicted", "tokens/s"),
    Column("error", "error", "%"),
)
_MOST_ROWS_NAMED: Final = 12
_MOST_REASONS: Final = 40


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `pysim accuracy`."""
    parser.add_argument(
        "file",
        metavar="FILE.csv",
        help="a table with columns of pysim/fit/measured.csv, as many as you have; - reads standard input",
    )


def accuracy(asked: argparse.Namespace) -> None:
    """Score one table."""
    from pysim.fit.table.score import score

    result = score(asked.file)
    if asked.json:
        _print_json(result)
    else:
        _print_text(result)


def _print_json(result: Score) -> None:
    """As `print_json`, but row by row: a million of them may have been left out."""
    head = {
        "rows": result.rows,
        "rows_scored": result.rows_scored,
        "points": result.points,
        "groups": [_group(summary) for summary in result.summaries()],
        "assumed": [{"what": what, "points": points} for what, points in sorted(result.assumed.items())],
        "ignored_columns": result.columns.ignored,
        "worst": [_worst(scored) for scored in result.worst_first()],
    }
    text = json.dumps(plain(head), indent=2, ensure_ascii=False, allow_nan=False)
    print(text.removesuffix("\n}"), end=',\n  "left_out": [')
    before = "\n    "
    for entry in result.left_out:
        print(before + json.dumps(entry, ensure_ascii=False), end="")
        before = ",\n    "
    print("\n  ]\n}" if len(result.left_out) else "]\n}")


def _print_text(result: Score) -> None:
    if result.points:
        print_table((_group(summary) for summary in result.summaries()), _COLUMNS)
        print("\nerror: how far the predicted speed is from the measured one; bias above 0: predicted too fast;")
        print("in band: the share inside the band, which should contain 80%\n\nfurthest off")
        print_table((_worst(scored) for scored in result.worst_first()), _WORST)
    print(f"\nrows: {result.rows:,}, scored: {result.rows_scored:,} (points: {result.points:,})")
    for what, points in sorted(result.assumed.items()):
        print(f"  assumed (points: {points:,}): {what}")
    if result.columns.ignored:
        print(f"  unknown columns, ignored: {', '.join(result.columns.ignored)}")
    for line in _left_out(result.left_out):
        print(line)


def _left_out(rows: LeftOutRows) -> Iterator[str]:
    if not len(rows):
        return
    yield "left out, by reason"
    reasons = rows.by_reason()
    for reason, numbers in reasons[:_MOST_REASONS]:
        yield f"  {len(numbers):,} ({_ranges(numbers)}): {reason}"
    more = reasons[_MOST_REASONS:]
    if more:
        counted = sum(len(numbers) for _, numbers in more)
        yield f"  {counted:,} rows for {len(more):,} more reasons; --json lists every row"


def _ranges(numbers: list[int]) -> str:
    """Row numbers, those in a sequence as a range: "row 3", "rows 2-9, 14, …"."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number <= ranges[-1][1] + 1:
            ranges[-1][1] = number
        elif len(ranges) == _MOST_ROWS_NAMED:
            break
        else:
            ranges.append([number, number])
    shown = ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in ranges)
    word = "row" if numbers[0] == numbers[-1] else "rows"
    return f"{word} {shown}" + (", …" if ranges[-1][1] != numbers[-1] else "")


def _group(summary: Summary) -> dict[str, object]:
    phase, kind, batch = summary.name
    return {
        "phase": phase,
        "kind": kind,
        "batch": batch,
        "points": summary.points,
        "median_error": summary.median_error,
        "p90_error": summary.p90_error,
        "bias": summary.bias,
        "in_band": summary.in_band,
    }


def _worst(scored: Scored) -> dict[str, object]:
    outcome = scored.outcome
    point = outcome.point
    return {
        "row": scored.row,
        "row_id": point.row or None,
        "phase": point.phase,
        "device": point.device,
        "model": point.model,
        "weights": point.weights,
        "engine": point.engine,
        "batch": point.batch,
        "measured_tokens_per_s": outcome.measured_per_s,
        "predicted_tokens_per_s": outcome.predicted_per_s,
        "error": outcome.miss,
        "in_band": outcome.in_band,
    }
