"""The math and the table of the demo `two-policies`."""

from __future__ import annotations

from statistics import fmean

from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.number import count, share
from demos.kit.serving.loads import limits_words
from demos.kit.serving.server import Refused
from demos.two_policies.controls import LABELS
from demos.two_policies.simulation import Scene
from pysim import units

LITTLE = "Little's law: Little, 1961"
LITTLE_URL = "https://doi.org/10.1287/opre.9.3.383"
GOODPUT = "goodput: Zhong et al., DistServe, 2024"
GOODPUT_URL = "https://arxiv.org/abs/2401.09670"


def explain(scene: Scene) -> list[Formula]:
    """How many requests are in the server on average, and how goodput is counted."""
    if isinstance(scene.sides, Refused):
        return []
    steps: list[Formula] = []
    for side in scene.sides:
        run, name = side.run, LABELS[side.policy]
        mean_s = fmean(each.end_to_end_s for each in run.outcomes)
        rate = len(run.outcomes) / run.seconds
        steps.append(
            Formula(
                label=f"Requests in the server on average, {name}",
                rule="requests per second × mean seconds that each stays",
                inserted=f"{units.show(rate, 'requests/s', digits=3)} × {units.show(mean_s, 's', digits=3)}",
                result=f"{rate * mean_s:,.1f}",
                source=LITTLE,
                source_url=LITTLE_URL,
            )
        )
    for side in scene.sides:
        good = round(side.share_within * len(side.run.outcomes))
        steps.append(
            Formula(
                label=f"Goodput, {LABELS[side.policy]}",
                rule=f"requests with {limits_words(side.limits)} on average ÷ seconds of the run",
                inserted=f"{count(good)} ({share(side.share_within)}) ÷ {units.show(side.run.seconds, 's', digits=3)}",
                result=units.show(side.goodput_per_s, "requests/s", digits=3),
                source=GOODPUT,
                source_url=GOODPUT_URL,
            )
        )
    return steps


def table(scene: Scene) -> list[list[Cell]]:
    """Every request under both schedulers."""
    head: list[Cell] = ["request", "arrive_s", "prompt_tokens", "output_tokens"]
    if isinstance(scene.sides, Refused):
        return [head]
    names = ("ttft_s", "tpot_s", "end_to_end_s", "evictions")
    rows: list[list[Cell]] = [[*head, *[f"{name}_{side}" for side in "ab" for name in names]]]
    for pair in zip(*(side.run.outcomes for side in scene.sides), strict=True):
        asked = pair[0].request
        row: list[Cell] = [asked.number, asked.arrive_s, asked.prompt_tokens, asked.output_tokens]
        for each in pair:
            row += [each.ttft_s, "" if each.tpot_s is None else each.tpot_s, each.end_to_end_s, each.evictions]
        rows.append(row)
    return rows
