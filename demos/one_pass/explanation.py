"""The math and the table of the demo `one-pass`."""

from __future__ import annotations

from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import pass_math
from demos.kit.number import count, plural
from demos.one_pass.simulation import Scene
from pysim import units


def explain(scene: Scene) -> list[Formula]:
    """Bytes and FLOP of the pass, the two times, the intensity and the ridge."""
    read, written = count(scene.context), count(scene.tokens)
    steps = pass_math(scene.on.device, scene.cost, f"{read} rows read, {written} written")
    if scene.ridge is None:
        return steps
    return [
        *steps,
        Formula(
            label="Ridge in tokens",
            rule="as many tokens as it takes for that much math per byte, when both take equally long",
            inserted=f"{units.show(scene.cost.ridge_flop_per_byte, 'FLOP/B')}, {read} rows in the cache",
            result=plural(round(scene.ridge), "token"),
            source="solved by pysim.roofline.ridge.ridge_tokens",
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """One row per power of two, and the shown one."""
    rows: list[list[Cell]] = [
        ["tokens_in_pass", "memory_s", "compute_s", "pass_s", "bound", "flop_per_byte", "tokens_per_s"]
    ]
    for tokens in sorted({*(2**k for k in range(14)), scene.tokens}):
        cost = scene.on.pass_cost(tokens, scene.context, speed="datasheet")
        times = [cost.memory_s, cost.compute_s, cost.time_s]
        intensity = cost.arithmetic_intensity_flop_per_byte
        rows.append([tokens, *times, str(cost.bound), intensity, tokens / times[2]])
    return rows
