"""What does the KV cache save, and what does it cost?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, div, p

import pysim
from demos.kit.declare import choices as catalogue
from demos.kit.declare.controls import Slider, Switch, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Readout, ReadoutValue, readouts
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.kv_cache.paired_bars import Way, two_ways
from demos.kv_cache.pass_plot import pass_plot
from demos.kv_cache.runs import Course, Moment, course
from demos.kv_cache.tiny_picture import both_answers, legend, text_rows
from demos.kv_cache.token_rows import row_field
from pysim import units
from pysim.requests.without_cache import tokens_computed
from pysim.roofline.ridge import ridge_tokens

TITLE = "What does the KV cache save, and what does it cost?"
LEAD = "Press Play and watch each token's keys and values, the two bars under it. Turn the cache on and play again."
ASKED = ("generation without a cache", "why keys and values are kept", "work done again for every token")
WORD = "Play"
MOST_PROMPT_TOKENS = 2048
MOST_OUTPUT_TOKENS = 512
LEAST_RATIO = 1.05
PLAY_S = 12.0  # for the slower of the two ways; both play at the same pace

CONTROLS = (
    Switch(name="cache", label="KV cache", start=False),
    Slider(name="prompt_tokens", label="Prompt", start=6, low=1, high=MOST_PROMPT_TOKENS, scale="log", noun="tokens"),
    Slider(name="output_tokens", label="Answer", start=16, low=1, high=MOST_OUTPUT_TOKENS, scale="log", noun="tokens"),
    catalogue.models("llama-3.1-8b", ("llama-3.2-1b", "llama-2-7b", "llama-3.1-8b")),
    catalogue.devices("rtx-4090", ("raspberry-pi-5", "apple-m3-max-40c", "rtx-4090", "h100-sxm")),
)

READOUTS = (
    Readout(name="tokens_computed", label="Tokens computed", counts="token"),
    Readout(name="tokens_computed_without_cache", label="… without a cache", counts="token"),
    Readout(name="time_s", label="Time so far", unit="s"),
    Readout(name="time_without_cache_s", label="… without a cache", unit="s"),
    Readout(name="pass_s", label="This pass", unit="s"),
    Readout(name="kv_rows", label="Rows kept", counts="row"),
    Readout(name="kv_cache_bytes", label="KV cache", unit="B"),
)

PRESETS = (
    Preset(label="The same, cache on", values={"cache": "true"}, recorded=True),
    Preset(label="From a single token", values={"prompt_tokens": "1", "output_tokens": "32", "cache": "false"}),
    Preset(
        label="A 1,000-token text, cache off", values={"prompt_tokens": "1000", "output_tokens": "48", "cache": "false"}
    ),
    Preset(label="… cache on", values={"prompt_tokens": "1000", "output_tokens": "48", "cache": "true"}),
    Preset(label="On a small computer", values={"device": "raspberry-pi-5", "cache": "false"}),
)

MATH_NOTE = "Best case: the device's datasheet figures, fully used. Real software is slower."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """What the simulator answered, for both ways; `cache` says which of them plays."""

    prompt: int
    answer: int
    cache: bool
    model: pysim.Model
    device: pysim.Device
    without: Course
    kept: Course
    ridge: float | None

    @property
    def plays(self) -> Course:
        return self.kept if self.cache else self.without


def scene(**values: Value) -> Scene:
    """Both ways through the answer, in the best case."""
    prompt, answer = int(values["prompt_tokens"]), int(values["output_tokens"])
    model, device = pysim.load_model(str(values["model"])), pysim.load_device(str(values["device"]))
    return Scene(
        prompt=prompt,
        answer=answer,
        cache=bool(values["cache"]),
        model=model,
        device=device,
        without=course(model, device, prompt, answer, cache=False),
        kept=course(model, device, prompt, answer, cache=True),
        ridge=ridge(model, device),
    )


@lru_cache(maxsize=16)
def ridge(model: pysim.Model, device: pysim.Device) -> float | None:
    """How long a text is from which on its pass takes longer the longer it gets."""
    return ridge_tokens(model, device)


def stops(scene: Scene) -> list[float]:
    """The moments at which a pass ends."""
    return [0.0, *scene.plays.ends_s]


def play_rate(scene: Scene) -> float:
    """Both ways at one pace, so that the quicker one is seen to be quicker."""
    return max(scene.without.ends_s[-1], scene.kept.ends_s[-1]) / PLAY_S


def rows_at(scene: Scene, at: Moment) -> int:
    """Rows that the cache keeps."""
    return scene.prompt + at.done - 1 if scene.cache and at.done else 0


def values_at(scene: Scene, t_s: float) -> dict[str, ReadoutValue]:
    """The readouts at a moment; those without a cache stand at the same answer token."""
    at = scene.plays.at(t_s)
    rows = rows_at(scene, at)
    return {
        "tokens_computed": scene.plays.computed_at(at),
        "tokens_computed_without_cache": scene.without.computed_at(at),
        "time_s": float(t_s),
        "time_without_cache_s": scene.without.time_s_at(at),
        "pass_s": scene.plays.pass_s[at.shown],
        "kv_rows": rows,
        "kv_cache_bytes": float(pysim.kv_cache_bytes(scene.model, rows)),
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
    return f"{begin}: {plural(new, 'token')} through {scene.model.num_hidden_layers} layers{again}{there}."


def sums(scene: Scene, at: Moment) -> list[SafeString]:
    """Work and time so far, both ways, at the same answer token."""
    both = (("off", "math", scene.without), ("on", "cache", scene.kept))
    work, time = [], []
    for name, kind, way in both:
        chosen = way is scene.plays
        computed, time_s = way.computed_at(at), way.time_s_at(at)
        shown = units.show(time_s, "s", digits=3)
        work.append(Way(name=name, kind=kind, ends=way.computed, done=computed, shown=count(computed), chosen=chosen))
        time.append(Way(name=name, kind=kind, ends=way.ends_s, done=time_s, shown=shown, chosen=chosen))
    return [
        two_ways("Work, in tokens: ", more_words(work), work),
        two_ways("Time, best case: ", more_words(time), time),
    ]


def more_words(ways: list[Way]) -> str:
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
        scene.model,
        scene.device,
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
            rule="rows × bytes per row (keys and values × layers × KV heads × head size × 2 bytes)",
            inserted=f"{rows:,} × {units.show(pysim.kv_bytes_per_token(scene.model), 'B')}",
            result=units.show(float(pysim.kv_cache_bytes(scene.model, rows)), "B"),
            source="Shazeer, 2019: keys and values are kept for incremental decoding",
            source_url="https://arxiv.org/abs/1911.02150",
        ),
    ]
    return [*steps, _time_of(scene, scene.without, "without"), _time_of(scene, scene.kept, "with")]


def _time_of(scene: Scene, way: Course, word: str) -> Formula:
    new, context = way.fed.new_tokens[-1], way.fed.context_tokens[-1]
    cost = pysim.pass_cost(scene.model, scene.device, new, context)
    moved = float(cost.weights_read_bytes + cost.kv_read_bytes + cost.kv_written_bytes)
    reading = f"{units.show(moved, 'B')} ÷ {units.show(scene.device.memory_bandwidth_bytes_per_s, 'B/s')}"
    math = f"{units.show(float(cost.flop), 'FLOP')} ÷ {units.show(scene.device.peak(), 'FLOP/s')}"
    ridge_words = f"; math decides from {plural(round(scene.ridge), 'token')} on" if scene.ridge else ""
    return Formula(
        label=f"Time of the last pass {word} the cache ({plural(new, 'token')} in)",
        rule=f"the longer of: bytes moved ÷ memory bandwidth, math ÷ peak math rate{ridge_words}",
        inserted=f"longer of {reading} and {math}",
        result=f"{units.show(float(cost.time_s), 's')} ({cost.bound}-bound)",
        source="roofline model, Williams, Waterman and Patterson, 2009",
        source_url="https://doi.org/10.1145/1498765.1498785",
    )


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
        rows.append([*row, kept, float(pysim.kv_cache_bytes(scene.model, kept))])
    return rows
