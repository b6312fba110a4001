"""What do many conversations gain when they share a pass, and what does each of them lose?"""

from __future__ import annotations

import math
from functools import lru_cache

from simple_html import SafeString, div, span

from demos.batching.controls import CONTROLS, PRESETS, READOUTS
from demos.batching.plots import batch_plots
from demos.batching.shared_pass import batch_pass
from demos.batching.simulation import Scene, scene
from demos.batching.token_streams import Stream, streams
from demos.batching.words import held_formula, pace, ridge_formula, what_ends
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.memory_bar import Stored, memory_bar
from demos.kit.draw.pass_math import pass_math, typical_time
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.kit.tokenize.examples import EXAMPLES, answer_pieces
from pysim import units

__all__ = [
    "ASKED",
    "CONTROLS",
    "LEAD",
    "MAIN",
    "MATH_NOTE",
    "PRESETS",
    "READOUTS",
    "TITLE",
    "explain",
    "frame",
    "say",
    "scene",
    "stops",
    "table",
]

TITLE = "What changes when many conversations share a pass?"
LEAD = "Change their number, press Run."
MAIN = ("conversations",)
ASKED = ("how many users fit", "many chats on one GPU", "throughput against speed for each", "concurrent requests")
MATH_NOTE = (
    "Typical speeds, fitted to published measurements; the ridge is that of the spec sheet. A context counts the "
    "newest token too, and stays as long while the picture moves."
)
# The lines of the answers that are drawn.
MOST_STREAMS = 2


def stops(scene: Scene) -> list[float]:
    """The moments at which a shared pass ends and every conversation has one token more."""
    return [index * scene.pass_s for index in range(scene.passes + 1)]


def _written(t_s: float, pass_s: float) -> int:
    return math.floor(t_s / pass_s + 1e-6)


def frame(scene: Scene, t_s: float) -> str:
    """The answers as they grow, the pass they share, both speeds, and the memory."""
    gone_s = max(0.0, t_s - _written(t_s, scene.pass_s) * scene.pass_s)
    stage = element(
        div,
        {"class": "stage batching"},
        _streams(scene, t_s),
        batch_pass(scene.cost, scene.conversations, scene.alone.time_s, gone_s),
        _still(scene),
    )
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


@lru_cache(maxsize=4)
def _still(scene: Scene) -> SafeString:
    """What does not move with time."""
    return joined(
        batch_plots(scene.curves, scene.limits, scene.conversations, scene.pass_s),
        _memory(scene),
        div({"class": "verdict"}, what_ends(scene.limits), _misfit(scene)),
    )


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    ridge = scene.limits.ridge
    return {
        "total_tokens_per_s": scene.total_per_s,
        "per_conversation_tokens_per_s": scene.each_per_s,
        "pass_s": scene.pass_s,
        "kv_cache_bytes": scene.cache_bytes,
        "fits": scene.fits,
        "ridge_batch": Missing("no batch reaches it") if ridge is None else round(ridge),
    }


def _streams(scene: Scene, t_s: float) -> SafeString:
    """One conversation alone, and some of those that share passes, at their true pace."""
    number = scene.conversations
    together, alone = _written(t_s, scene.pass_s), _written(t_s, scene.alone.time_s)
    texts = _texts(max(together, alone) + 1)
    lines = [Stream(name="alone", tokens=texts[0], written=alone, kind="alone")]
    for k in range(MOST_STREAMS):
        # A place stays kept for those that are not there, so that nothing jumps when they come.
        there = 1 < number > k
        name = f"{k + 1} of {count(number)}" if there else ""
        lines.append(Stream(name=name, tokens=texts[k], written=together, kind="" if there else "empty"))
    more = f"and {count(number - MOST_STREAMS)} more: " if number > MOST_STREAMS else ""
    sums = f"{more}{count(together * number)} tokens in all, against {count(alone)} alone"
    return element(
        div,
        {},
        streams(lines),
        div(
            {"class": "stream-sum"},
            span({"class": "stream-all"}, sums if number > 1 else "one token a pass; what if others join it?"),
            span({"class": "stream-clock"}, f"after {units.show(t_s, 's', digits=3)}"),
        ),
    )


@lru_cache(maxsize=64)
def _texts(tokens: int) -> list[list[str]]:
    return [answer_pieces(example.answer, tokens) for example in list(EXAMPLES.values())[:MOST_STREAMS]]


def _memory(scene: Scene) -> SafeString:
    memory = scene.on.device.usable_memory_bytes or 0.0
    used = scene.weights_bytes + scene.working_bytes + scene.cache_bytes
    parts = [
        Stored(kind="w", size_bytes=scene.weights_bytes, label=f"all weights {units.show(scene.weights_bytes, 'B')}"),
        Stored(kind="e", size_bytes=scene.working_bytes, label=f"engine about {units.show(scene.working_bytes, 'B')}"),
        Stored(kind="k", size_bytes=scene.cache_bytes, label=f"caches {units.show(scene.cache_bytes, 'B')}"),
    ]
    size = units.show(memory, "B", binary=True, digits=3)
    free = f"free of {size}: {units.show(max(0.0, memory - used), 'B')}"
    return memory_bar(parts, memory, free_label=free, edge_label=f"memory ends at {size}", thin=True)


def say(scene: Scene, t_s: float) -> str:
    """Both speeds and what ends the rise; in between, how many tokens have been written."""
    passes, number = _written(t_s, scene.pass_s), plural(scene.conversations, "conversation")
    if passes:
        alone, all_of_them = _written(t_s, scene.alone.time_s), passes * scene.conversations
        of_one = f"After {plural(passes, 'pass')}: {plural(passes, 'token')} in each of {number}"
        return f"{of_one}, {count(all_of_them)} in all; one alone would have {count(alone)}."
    total, of_one = (units.show(value, "tokens/s", digits=3) for value in (scene.total_per_s, scene.each_per_s))
    slower = pace(scene.pass_s / scene.alone.time_s)
    return f"{number}: {total} in all, {of_one} for each. {slower} {what_ends(scene.limits)}{_misfit(scene)}"


def _misfit(scene: Scene) -> str:
    return "" if scene.fits else f" {count(scene.conversations)} do not fit: times are as if they did."


def explain(scene: Scene) -> list[Formula]:
    """The pass, the two speeds, the ridge in conversations, and what memory holds."""
    number, own = count(scene.conversations), scene.cache_bytes / scene.conversations
    best = scene.on.pass_cost(1, scene.context - 1, scene.conversations, speed="datasheet")
    total = Formula(
        label="All together",
        rule="conversations ÷ time of the pass, since each pass gives every conversation one token",
        inserted=f"{number} ÷ {units.show(scene.pass_s, 's')}",
        result=units.show(scene.total_per_s, "tokens/s"),
        source="batches formed pass by pass: Yu et al., Orca, 2022",
        source_url="https://www.usenix.org/conference/osdi22/presentation/yu",
    )
    return [
        *pass_math(scene.on.device, best, f"{number} conversations × {count(scene.context)} rows, each its own"),
        typical_time("Time of the pass, typical", scene.cost),
        total,
        ridge_formula(scene.limits, scene.cost, scene.conversations, own),
        held_formula(scene.limits, scene.on.device, scene.weights_bytes, scene.working_bytes, own),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """One row per number of conversations on the curves, and the shown one."""
    rows: list[list[Cell]] = [
        ["conversations", "total_tokens_per_s", "per_conversation_tokens_per_s", "pass_s", "fits"]
    ]
    totals = dict(scene.curves.total)
    totals[scene.conversations] = scene.total_per_s
    for number in sorted(totals):
        total = totals[number]
        rows.append([number, total, total / number, number / total, "yes" if number <= scene.limits.held else "no"])
    return rows
