"""The math and the table of the demo `latency`."""

from __future__ import annotations

from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.number import count
from demos.latency.runs import seconds
from demos.latency.simulation import Scene
from pysim import units


def explain(scene: Scene) -> list[Formula]:
    """The whole wait from its parts, and the two speeds."""
    run = scene.run
    tpot_s = run.tpot_s or 0.0
    source = run.source
    return [
        Formula(
            label="Whole wait",
            rule="TTFT + (answer tokens − 1) × TPOT",
            inserted=f"{seconds(run.ttft_s)} + {count(run.tokens - 1)} × {seconds(tpot_s)}",
            result=seconds(run.end_s),
            source=source,
        ),
        Formula(
            label="Reading speed",
            rule="prompt tokens ÷ TTFT",
            inserted=f"{count(scene.prompt_tokens)} ÷ {seconds(run.ttft_s)}",
            result=units.show(scene.prompt_tokens / run.ttft_s, "tokens/s"),
            source=source,
        ),
        *(
            [
                Formula(
                    label="Writing speed",
                    rule="1 ÷ TPOT",
                    inserted=f"1 ÷ {seconds(tpot_s)}",
                    result=units.show(1 / tpot_s, "tokens/s"),
                    source=source,
                )
            ]
            if tpot_s
            else []
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """One row per run."""
    rows: list[list[Cell]] = [["run", "prompt_tokens", "output_tokens", "ttft_s", "tpot_s", "total_s"]]
    for run in (scene.run, scene.beside):
        if run:
            tpot: Cell = "none" if run.tpot_s is None else run.tpot_s
            rows.append([run.title, run.prompt_tokens, run.tokens, run.ttft_s, tpot, run.end_s])
    return rows
