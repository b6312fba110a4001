"""How many times does the text go through the model?"""

from __future__ import annotations

from simple_html import SafeString, div

from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.tokens import cell, quoted_token
from demos.kit.html import element, joined
from demos.kit.number import plural
from demos.two_phases.controls import CONTROLS, PRESETS, READOUTS
from demos.two_phases.conversation import Conversation, conversation
from demos.two_phases.explanation import explain, table
from demos.two_phases.kv_rows import kv_rows
from demos.two_phases.pass_picture import MOST_CARRIED, ModelBand, clock, model_band, pass_list, strip
from demos.two_phases.progress import Progress, bars, cache_rows, progress
from demos.two_phases.simulation import SPEED, Scene, scene
from demos.two_phases.speed_bands import banded
from pysim.memory.cache_parts import layers_in_words
from pysim.requests.timeline import TimedPass

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

TITLE = "How many times does the text go through the model?"
LEAD = "Press Run and count the passes."
MAIN = ("example", "output_tokens")
ASKED = ("slow first word", "reading the prompt, then writing", "speculative decoding", "long prompts in chunks")

FREE_GUESSES = (
    "Guesses are looked up in the text that is already there, which costs nothing here; wrong ones are dropped."
)
MATH_NOTE = (
    "Typical speeds: the spec sheet's figures, times the share of them that published measurements reached, "
    "with the band that eight of ten runs fall in."
)


def stops(scene: Scene) -> list[float]:
    """The moments at which a pass ends."""
    return [0.0, *scene.ends_s]


def values_at(scene: Scene, at: Progress) -> dict[str, ReadoutValue]:
    """The readouts at a moment: counters follow it, times are of the whole run."""
    prefill = sum(timed_pass.step.kind == "prefill" for timed_pass in scene.passes[: at.done])
    ttft_s = scene.ttft_s
    return {
        "passes": at.done,
        "prefill_passes": prefill,
        "decode_passes": at.done - prefill,
        "prompt_tokens": len(scene.prompt),
        "output_tokens": at.written,
        "kv_rows": at.kept_rows,
        "ttft_s": Missing("no answer is asked for") if ttft_s is None else banded(scene.band["ttft_s"], ttft_s),
        "total_s": banded(scene.band["total_s"], scene.ends_s[-1]),
    }


def frame(scene: Scene, t_s: float) -> str:
    """The text, the pass at work, the last passes, the whole run to scale, and the cache, at a moment."""
    at = progress(scene.passes, scene.ends_s, t_s)
    stage = element(
        div,
        {"class": "stage two-phases"},
        conversation(_conversation(scene, at)),
        model_band(_band(scene, at)),
        pass_list(bars(at, scene.longest_s)),
        strip(scene.spans, scene.ends_s[-1], t_s),
        clock(t_s, scene.ends_s[-1], scene.on.device.name, SPEED),
        kv_rows(cache_rows(at, len(scene.prompt)), layers_in_words(scene.on.model)),
        *([div({"class": "cap"}, FREE_GUESSES)] if scene.guesses else []),
    )
    return joined(stage, readouts(READOUTS, values_at(scene, at))).safe_str


def _conversation(scene: Scene, at: Progress) -> Conversation:
    step = at.now.step if at.now else None
    reads = step is not None and step.kind == "prefill"
    start = step.context_tokens if step else 0
    return Conversation(
        prompt=scene.prompt,
        answer=scene.answer,
        written=at.written,
        reading=range(start, start + step.new_tokens) if step and reads else range(0),
        feeding=at.written - 1 if step and not reads else -1,
        stock=scene.stock,
    )


def _band(scene: Scene, at: Progress) -> ModelBand:
    layers = scene.on.model.num_hidden_layers
    if at.now is None:
        over = "All passes are over" if at.finished else f"Pass {at.done} is over"
        title = over if at.done else f"{scene.on.model.name}, {layers} layers: nothing has gone in yet"
        yields = at.last is not None and at.last.step.yielded_tokens > 0
        out = [cell(scene.answer[at.written - 1], "d")] if yields else []
        return ModelBand(layers=layers, kind="", fraction=0, title=title, carried=[], hidden=0, out=out)
    step = at.now.step
    carried = _carried(scene, at.now)
    title = f"Pass {at.done + 1}, {step.kind}: {plural(step.new_tokens, 'token')} through {layers} layers"
    hidden = step.new_tokens - len(carried)
    return ModelBand(
        layers=layers, kind=step.kind, fraction=at.fraction, title=title, carried=carried, hidden=hidden, out=[]
    )


def _carried(scene: Scene, now: TimedPass) -> list[SafeString]:
    """The first tokens on board. A refused guess is a wrong token, looked up at a place of the prompt."""
    step, first = now.step, now.first_answer
    if step.kind == "prefill":
        return [cell(text, "p") for text in scene.prompt[step.context_tokens :][: min(step.new_tokens, MOST_CARRIED)]]
    right = scene.answer[first : first + step.accepted]
    wrong = [scene.prompt[(first + k) % len(scene.prompt)] for k in range(step.drafted - step.accepted)]
    guesses = [cell(text, "d guess") for text in [*right, *wrong]]
    return [cell(scene.answer[first - 1], "d"), *guesses][:MOST_CARRIED]


def say(scene: Scene, t_s: float) -> str:
    """What the picture shows after the last pass that is over."""
    at = progress(scene.passes, scene.ends_s, t_s)
    done, last = at.done, at.last
    if last is None:
        waiting = plural(len(scene.prompt), "prompt token")
        return f"{waiting} wait{'s' if len(scene.prompt) == 1 else ''}; nothing has gone through the model yet."
    step = last.step
    end = f" {plural(done, 'pass')} in all." if done == len(scene.passes) else ""
    if step.kind == "prefill":
        fed = f"{plural(step.new_tokens, 'prompt token')} went in together"
        first = f" and gave the first answer token, {quoted_token(scene.answer[0])}" if step.yielded_tokens else ""
        return f"Pass {done}, prefill: {fed}{first}; {plural(step.rows_after, 'cache row')}.{end}"
    if step.drafted:
        result = f"{step.drafted} guesses, {step.accepted} right: {plural(step.yielded_tokens, 'token')} out"
    else:
        fed_back = scene.answer[last.first_answer - 1]
        result = f"{quoted_token(fed_back)} went in, {quoted_token(scene.answer[last.first_answer])} came out"
    return f"Pass {done}, decode: {result}; {plural(step.rows_after, 'cache row')}.{end}"
