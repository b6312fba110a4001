"""What does the KV cache save, and what does it cost?"""

from __future__ import annotations

from functools import lru_cache

from simple_html import SafeString, div, p

import pysim
from demos.kit.declare.readouts import ReadoutValue, readouts
from demos.kit.draw.layer_strip import layer_strip
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.kv_cache.controls import CONTROLS, MOST_OUTPUT_TOKENS, MOST_PROMPT_TOKENS, PRESETS, READOUTS
from demos.kv_cache.explanation import explain, table
from demos.kv_cache.paired_bars import PairedBar, paired_bars
from demos.kv_cache.pass_plot import pass_plot
from demos.kv_cache.runs import Moment
from demos.kv_cache.simulation import Scene, play_rate, scene
from demos.kv_cache.tiny_picture import both_answers, legend, text_rows
from demos.kv_cache.token_rows import row_field
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
    "WORD",
    "explain",
    "frame",
    "play_rate",
    "say",
    "scene",
    "stops",
    "table",
]

TITLE = "What does the KV cache save, and what does it cost?"
LEAD = "Press Play and watch each token's keys and values, the two bars under it. Turn the cache on and play again."
MAIN = ("cache",)
ASKED = ("generation without a cache", "why keys and values are kept", "work done again for every token")
WORD = "Play"
LEAST_RATIO = 1.05

MATH_NOTE = "Typical speeds, fitted to published measurements."


def stops(scene: Scene) -> list[float]:
    """The moments at which a pass ends."""
    return [0.0, *scene.plays.ends_s]


def rows_at(scene: Scene, at: Moment) -> int:
    """Rows that the cache keeps."""
    return scene.prompt + at.done - 1 if scene.cache and at.done else 0


def values_at(scene: Scene, t_s: float) -> dict[str, ReadoutValue]:
    """The readouts at a moment; those without a cache are at the same answer token."""
    at = scene.plays.at(t_s)
    rows = rows_at(scene, at)
    return {
        "tokens_computed": scene.plays.computed_at(at),
        "tokens_computed_without_cache": scene.without.computed_at(at),
        "time_s": float(t_s),
        "time_without_cache_s": scene.without.time_s_at(at),
        "pass_s": scene.plays.pass_s[at.shown],
        "kv_rows": rows,
        "kv_cache_bytes": pysim.kv_cache_bytes(scene.on.model, rows),
    }


def frame(scene: Scene, t_s: float) -> str:
    """The text with its rows, both ways' work and time, and what a pass takes by length, at a moment."""
    at = scene.plays.at(t_s)
    working = at.fraction > 0
    rows = text_rows(scene.prompt, scene.answer, at.done, working=working, cache=scene.cache)
    stage = element(
        div,
        {"class": f"stage kv-cache {'cached' if scene.cache else 'uncached'}"},
        p({"class": "kv-title"}, title(scene, at)),
        row_field(rows, at.fraction),
        legend(scene.prompt, at.done, working=working),
        both_answers(scene.prompt, at.done),
        div({"class": "kv-sums"}, div(*sums(scene, at)), _plot(scene, at.shown)),
        p({"class": "cap"}, why(scene, at)),
        *[strip for strip in (layer_strip(scene.on.model),) if strip is not None],
    )
    return joined(stage, readouts(READOUTS, values_at(scene, t_s))).safe_str


def title(scene: Scene, at: Moment) -> str:
    """What is happening to the rows right now."""
    if not at.done and not at.fraction:
        return f"Nothing has gone through the model yet; the cache is {'on' if scene.cache else 'off'}."
    new = scene.plays.fed.new_tokens[at.shown]
    begin = f"Pass {at.shown + 1:,} of {scene.answer:,}"
    if not at.fraction:
        kept = f"the cache keeps {plural(rows_at(scene, at), 'row')}"
        return f"{begin} is over: {kept if scene.cache else plural(new, 'row') + ' computed, all thrown away'}."
    rows = scene.plays.fed.context_tokens[at.shown]
    again = f", {new - 1:,} of them again" if new > 1 and at.shown else ""
    there = f"; {plural(rows, 'row')} kept from before" if rows else ""
    return f"{begin}: {plural(new, 'token')} through {scene.on.model.num_hidden_layers} layers{again}{there}."


def sums(scene: Scene, at: Moment) -> list[SafeString]:
    """Work and time so far, both ways, at the same answer token."""
    both = (("off", "math", scene.without), ("on", "cache", scene.kept))
    work, time = [], []
    for name, kind, way in both:
        chosen = way is scene.plays
        computed, time_s = way.computed_at(at), way.time_s_at(at)
        shown = units.show(time_s, "s", digits=3)
        work.append(
            PairedBar(name=name, kind=kind, ends=way.computed, done=computed, shown=count(computed), chosen=chosen)
        )
        time.append(PairedBar(name=name, kind=kind, ends=way.ends_s, done=time_s, shown=shown, chosen=chosen))
    return [
        paired_bars("Work, in tokens: ", more_words(work), work),
        paired_bars("Time, typical: ", more_words(time), time),
    ]


def more_words(ways: list[PairedBar]) -> str:
    """How much more the first way takes than the second one."""
    off, on = (way.done for way in ways)
    if not on:
        return "none yet"
    return f"{off / on:,.3g} times as much off" if off >= LEAST_RATIO * on else "hardly any difference"


def why(scene: Scene, at: Moment) -> str:
    """Why more work is not always more time, and how the run is slowed down."""
    below = scene.ridge is None or scene.prompt + at.shown < scene.ridge
    reason = "Below the ridge a pass waits for the weights" if below else "Above the ridge recomputing takes time"
    return f"{reason}. 1 s of play is {units.show(play_rate(scene), 's', digits=3)} of this."


@lru_cache(maxsize=64)
def _plot(scene: Scene, index: int) -> SafeString:
    """Where the pass of this moment stands among passes of every length, both ways."""
    return pass_plot(
        scene.on,
        most_tokens=MOST_PROMPT_TOKENS + MOST_OUTPUT_TOKENS,
        text_tokens=scene.prompt + index,
        off_s=scene.without.pass_s[index],
        on_s=scene.kept.pass_s[index],
        ridge_tokens=scene.ridge,
    )


def say(scene: Scene, t_s: float) -> str:
    """What the last pass that is over did with the rows, and what both ways have cost."""
    at = scene.plays.at(t_s)
    if not at.done:
        waiting = plural(scene.prompt, "prompt token")
        return f"{waiting} before the first pass; the cache is {'on' if scene.cache else 'off'}."
    at = Moment(done=at.done)
    off, on = (plural(way.computed_at(at), "token") for way in (scene.without, scene.kept))
    if at.done < scene.answer:
        return f"{title(scene, at)} Computed so far: {off} without the cache, {on} with it."
    off_s, on_s = (units.show(way.ends_s[-1], "s", digits=3) for way in (scene.without, scene.kept))
    return f"{title(scene, at)} In all {off} in {off_s} without the cache, {on} in {on_s} with it."
