"""The math and the table of the demo `kv-cache`."""

from __future__ import annotations

import pysim
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import typical_time
from demos.kit.number import count, plural
from demos.kv_cache.runs import AnswerRun
from demos.kv_cache.simulation import Scene
from pysim import units
from pysim.memory.kv_cache import state_bytes_per_sequence
from pysim.requests.without_cache import tokens_computed


def explain(scene: Scene) -> list[Formula]:
    """The work both ways, the rows, the last pass both ways, and the ridge."""
    prompt, answer = f"{scene.prompt:,}", f"{scene.answer:,}"
    rows = scene.prompt + scene.answer - 1
    numbers = {"prompt_tokens": scene.prompt, "output_tokens": scene.answer}
    steps = [
        Formula(
            label="Token computations without the cache",
            rule="N·P + N·(N − 1)/2: each of N passes takes the whole text (for P = 1 that is N·(N + 1)/2)",
            inserted=f"{answer} × {prompt} + {answer} × {scene.answer - 1:,} / 2",
            result=count(tokens_computed(**numbers, cache=False)),
            source="counted by pysim.requests.without_cache",
        ),
        Formula(
            label="Token computations with the cache",
            rule="P + N − 1: each token once; the last one is never fed back",
            inserted=f"{prompt} + {answer} − 1",
            result=count(tokens_computed(**numbers, cache=True)),
            source="counted by pysim.requests.without_cache",
        ),
        Formula(
            label="What the cache takes at the end",
            rule="rows × bytes per row (keys and values × layers × KV heads × head size × 2 bytes)"
            + (" + a state of fixed size" if state_bytes_per_sequence(scene.on.model) else ""),
            inserted=f"{rows:,} × {units.show(pysim.kv_bytes_per_token(scene.on.model), 'B')}",
            result=units.show(pysim.kv_cache_bytes(scene.on.model, rows), "B"),
            source="Shazeer, 2019: keys and values are kept for incremental decoding",
            source_url="https://arxiv.org/abs/1911.02150",
        ),
    ]
    return [*steps, _time_of(scene, scene.without, "without"), _time_of(scene, scene.kept, "with")]


def _time_of(scene: Scene, way: AnswerRun, word: str) -> Formula:
    new, context = way.fed.new_tokens[-1], way.fed.context_tokens[-1]
    label = f"Time of the last pass {word} the cache ({plural(new, 'token')} in)"
    return typical_time(label, scene.on.pass_cost(new, context, speed="typical"))


def table(scene: Scene) -> list[list[Cell]]:
    """One row per pass, both ways."""
    names = ("tokens_in", "tokens_computed", "pass_s", "time_s")
    head: list[Cell] = [
        "pass",
        *(f"{name}_{way}" for way in ("without_cache", "with_cache") for name in names),
        "kv_rows",
    ]
    rows: list[list[Cell]] = [[*head, "kv_cache_bytes"]]
    for index in range(scene.answer):
        row: list[Cell] = [index + 1]
        for way in (scene.without, scene.kept):
            row += [way.fed.new_tokens[index], way.computed[index], way.pass_s[index], way.ends_s[index]]
        kept = scene.prompt + index
        rows.append([*row, kept, pysim.kv_cache_bytes(scene.on.model, kept)])
    return rows
