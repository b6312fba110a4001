"""The math and the table of the demo `two-phases`."""

from __future__ import annotations

from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import typical_time
from demos.kit.number import plural
from demos.two_phases.simulation import SPEED, Scene
from pysim.requests.timeline import TimedPass, cost_of


def explain(scene: Scene) -> list[Formula]:
    """Passes, rows, and the time of the first and of the last pass."""
    tokens, answer = len(scene.prompt), len(scene.answer)
    prefill = sum(timed_pass.step.kind == "prefill" for timed_pass in scene.passes)
    decode = len(scene.passes) - prefill
    plain = not scene.guesses
    steps = [
        Formula(
            label="Passes of the whole answer",
            rule="prefill passes + decode passes" + (", one per answer token after the first" if plain else ""),
            inserted=f"{prefill} + {decode}",
            result=str(prefill + decode),
            source="counted by pysim.requests.passes.generation",
        ),
        Formula(
            label="Rows in the cache at the end",
            rule="prompt tokens + answer tokens − 1 (the last token is never fed back)" if answer else "prompt tokens",
            inserted=f"{tokens:,} + {answer} − 1" if answer else f"{tokens:,}",
            result=f"{scene.passes[-1].step.rows_after:,}",
            source="counted by pysim.requests.passes.generation",
        ),
    ]
    shown = [scene.passes[0], *([scene.passes[-1]] if len(scene.passes) > 1 else [])]
    return steps + [_time_of(scene, timed_pass) for timed_pass in shown]


def _time_of(scene: Scene, timed_pass: TimedPass) -> Formula:
    step = timed_pass.step
    label = f"Time of pass {step.index + 1} ({step.kind}, {plural(step.new_tokens, 'token')} in)"
    return typical_time(label, cost_of(step, scene.on, speed=SPEED))


def table(scene: Scene) -> list[list[Cell]]:
    """One row per pass."""
    head: list[Cell] = ["pass", "phase", "tokens_in", "guesses", "guesses_right", "tokens_out", "kv_rows_after"]
    rows: list[list[Cell]] = [[*head, "start_s", "end_s", "bound"]]
    for timed_pass in scene.passes:
        step = timed_pass.step
        bound = str(cost_of(step, scene.on, speed=SPEED).bound)
        counted: list[Cell] = [step.index + 1, step.kind, step.new_tokens, step.drafted, step.accepted]
        rows.append([*counted, step.yielded_tokens, step.rows_after, timed_pass.start_s, timed_pass.end_s, bound])
    return rows
