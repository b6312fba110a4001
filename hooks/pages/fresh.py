"""The accuracy page's tables of fresh points: sources that the fit never saw, and machines calibrated by a run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from statistics import median
from typing import Final

from simple_html import Node, a, details, li, p, strong, summary, ul

from hooks.pages.accuracy_table import FIGURES, NAMES, accuracy_table, figures, phase_term
from pysim.engines.calibration import DIFFERENCES
from pysim.fit.accuracy import Outcome, Summary, by_kind, summarize
from pysim.fit.fresh import DEPTHS, fresh, fresh_rows, length_of, unknown_to_the_fit
from pysim.fit.machines import tried

WORST: Final = 12
FEW: Final = 20
DIFFERS: Final = {
    "length": "the same model and format, other lengths",
    "format": "another weight format",
    "model": "another model of the kind",
    "kind": "a dense model, of a mixture, or the other way around",
    "batch": "several conversations, of one, or the other way around",
}


def sentence(_: str) -> list[Node]:
    """The answer for somebody who reads one sentence."""
    compared = fresh().outcomes
    single = [outcome for outcome in compared if outcome.point.batch == 1]
    writes, reads = (
        [abs(outcome.miss) for outcome in single if outcome.point.phase == phase] for phase in ("decode", "prefill")
    )
    inside = sum(outcome.in_band for outcome in compared) / len(compared)
    sources = len({outcome.point.source for outcome in compared})
    return [
        p(
            strong(
                f"On {len(compared):,} speeds from {sources} sources that were never fitted, half of the simulator’s "
                f"predictions of how fast an answer is written were off by less than {median(writes):.0%}, and of how "
                f"fast a prompt is read by less than {median(reads):.0%}; {inside * 10:.0f} in 10 measured speeds lay "
                "within the range that it gives."
            )
        )
    ]


def fresh_summary(_: str) -> list[Node]:
    """Errors by phase, kind of model and batch."""
    lines = summarize(fresh().outcomes, by_kind)
    rows = [[phase_term(row.name[0]), NAMES[row.name[1]], NAMES[row.name[2]], *figures(row)] for row in lines]
    left = fresh().left_out
    heading = ("phase", "model", "batch", *FIGURES)
    return [
        accuracy_table("Errors on sources that were never fitted", heading, rows, texts=3),
        *([p(f"{len(left):,} fresh speeds are not compared: {_reasons(left)}.")] if left else []),
    ]


def fresh_families(_: str) -> list[Node]:
    """The same by family of devices."""
    return [_by("device family", lambda outcome: outcome.family, "Fresh points by device family")]


def fresh_depths(_: str) -> list[Node]:
    """The same by how many tokens come before."""
    return [_by("tokens in the cache", _range_of, "Fresh points by length", order=_RANGES)]


def fresh_sources(_: str) -> list[Node]:
    """Every source with its date and link."""
    counts: dict[str, int] = {}
    for outcome in fresh().outcomes:
        counts[outcome.point.source] = counts.get(outcome.point.source, 0) + 1
    titles = {row["source_id"]: row for row in fresh_rows().values()}
    items = [
        li(_link(titles[source]), f", {titles[source]['source_date'] or 'undated'}: {number} points")
        for source, number in sorted(counts.items(), key=lambda entry: -entry[1])
    ]
    return [details(summary(f"The {len(items)} sources, with dates"), ul(*items))]


def fresh_misses(_: str) -> list[Node]:
    """The points that lie furthest off, and what the fit did not know of each."""
    worst = sorted(fresh().outcomes, key=lambda outcome: -abs(outcome.log_miss))[:WORST]
    rows: list[list[Node]] = []
    for outcome in worst:
        point = outcome.point
        unknown = unknown_to_the_fit(point, outcome.family, outcome.engine)
        rows.append(
            [
                _link(fresh_rows()[point.row]),
                phase_term(point.phase),
                point.device + (f" × {point.n_devices}" if point.n_devices > 1 else ""),
                f"{point.model}, {point.weights}",
                outcome.engine,
                f"{length_of(point):,}",
                f"{outcome.measured_per_s:,.4g}",
                f"{outcome.predicted_per_s:,.4g}",
                f"{outcome.miss:+.0%}",
                "; ".join(unknown) or "nothing on record explains it",
            ]
        )
    head = (
        "source", "phase", "device", "model", "engine", "tokens", "measured", "predicted", "error",
        "unknown to the fit",
    )  # fmt: skip
    return [accuracy_table(f"The {len(rows)} worst misses among fresh points", head, rows, texts=5)]


def calibrated(_: str) -> list[Node]:
    """How much one run of a machine tells of its others, tried on fresh points."""
    lines = sorted(tried(fresh().outcomes), key=lambda line: (line.phase, DIFFERENCES.index(line.differs)))
    rows: list[list[Node]] = [
        [
            phase_term(line.phase),
            DIFFERS[line.differs],
            f"{line.pairs:,}",
            f"{line.error_before:.1%}",
            f"{line.error_after:.1%}",
            f"{line.in_band:.0%}",
            f"{line.narrower:.0%}",
        ]
        for line in lines
    ]
    head = (
        "phase", "the run sought has", "pairs", "median error before", "after", "in the narrower band",
        "its width, of the usual one",
    )  # fmt: skip
    return [accuracy_table("One run of a machine, and the errors of its other runs", head, rows, texts=2)]


PIECES: Final = {
    "sentence": sentence, "fresh": fresh_summary, "families": fresh_families, "depths": fresh_depths,
    "freshsources": fresh_sources, "misses": fresh_misses, "calibrated": calibrated,
}  # fmt: skip

_RANGES: Final = (
    *(f"below {DEPTHS[0]:,}",),
    *(f"{low:,} to {high - 1:,}" for low, high in itertools.pairwise(DEPTHS)),
    *(f"{DEPTHS[-1]:,} and more",),
)


def _range_of(outcome: Outcome) -> str:
    return _RANGES[sum(length_of(outcome.point) >= edge for edge in DEPTHS)]


def _by(what: str, name: Callable[[Outcome], str], title: str, order: Sequence[str] = ()) -> Node:
    def key(line: Summary) -> tuple[str, str, int | str]:
        phase, kind, group = line.name
        return phase, kind, order.index(group) if order else group

    lines = summarize(
        fresh().outcomes, lambda outcome: (outcome.point.phase, "experts" if outcome.is_moe else "dense", name(outcome))
    )
    rows: list[list[Node]] = [
        [phase_term(line.name[0]), NAMES[line.name[1]], line.name[2], *figures(line)] for line in sorted(lines, key=key)
    ]
    return accuracy_table(title, ("phase", "model", what, *FIGURES), rows, texts=3)


def _reasons(left: Sequence[tuple[str, str]]) -> str:
    counts: dict[str, int] = {}
    for _, reason in left:
        plain = reason.partition(";")[0].partition('"')[0].strip(" :") or reason
        counts[plain] = counts.get(plain, 0) + 1
    return ", ".join(f"{plain} ({number})" for plain, number in sorted(counts.items(), key=lambda entry: -entry[1]))


def _link(row: dict[str, str]) -> Node:
    return a({"href": row["source_url"], "rel": "noopener"}, row["source_title"])
