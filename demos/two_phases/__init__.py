"""How many times does the text go through the model?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simple_html import SafeString, div

import pysim
from demos.kit.declare import choices as catalogue
from demos.kit.declare.controls import Choice, Number, Option, Slider, Text, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.draw.tokens import cell, quoted
from demos.kit.html import element, joined
from demos.kit.number import plural
from demos.kit.tokenize.examples import EXAMPLES, answer_pieces
from demos.kit.tokenize.tokenizer import pieces
from demos.two_phases.conversation import Conversation, conversation
from demos.two_phases.kv_rows import kv_rows
from demos.two_phases.pass_picture import MOST_CARRIED, Band, Span, clock, model_band, pass_list, strip
from demos.two_phases.progress import Progress, bars, cache_rows, progress
from demos.two_phases.speed_bands import Factors, band_factors, banded
from pysim import units
from pysim.requests.passes import generation
from pysim.requests.timeline import TimedPass, cost_of, timed

TITLE = "How many times does the text go through the model?"
LEAD = "Press Run and count the passes."
ASKED = ("slow first word", "reading the prompt, then writing", "speculative decoding", "long prompts in chunks")
OWN = "own"
START_TOKEN = "<start>"
MOST_ANSWER_TOKENS = 512

CONTROLS = (
    Choice(
        name="example",
        label="Example",
        start="sky",
        options=(
            *(Option(value=key, label=each.title, fills={"prompt": each.prompt}) for key, each in EXAMPLES.items()),
            Option(value=OWN, label="Your own text"),
        ),
        otherwise=OWN,
    ),
    Text(name="prompt", label="Prompt", start="", limit=20_000),
    Slider(name="output_tokens", label="Answer tokens", start=8, low=0, high=MOST_ANSWER_TOKENS),
    Choice(
        name="chunk_tokens",
        label="Split long prompts",
        start="off",
        options=(
            Option(value="off", label="no, one pass"),
            *(Option(value=str(size), label=f"chunks of {size}") for size in (32, 128, 512, 2048)),
        ),
    ),
    Slider(name="draft_tokens", label="Guess ahead", start=0, low=0, high=8, noun="tokens", shown={0: "off"}),
    Slider(name="acceptance", label="Guesses right", start=0.7, low=0, high=1, step=0.01),
    Number(name="seed", label="Luck (seed)", start=1, low=0, high=9_999),
    catalogue.models("llama-3.1-8b", ("llama-3.2-1b", "llama-3.1-8b", "qwen3-14b")),
    catalogue.devices("rtx-4090", ("apple-m3-max-40c", "rtx-4090", "h100-sxm")),
)

READOUTS = (
    Readout(name="passes", label="Passes so far", counts="pass"),
    Readout(name="prefill_passes", label="of them prefill", counts="pass"),
    Readout(name="decode_passes", label="of them decode", counts="pass"),
    Readout(name="prompt_tokens", label="Prompt", counts="token"),
    Readout(name="output_tokens", label="Answer so far", counts="token"),
    Readout(name="kv_rows", label="KV cache", counts="row"),
    Readout(name="ttft_s", label="First token after", unit="s"),
    Readout(name="total_s", label="Whole answer", unit="s"),
)

PRESETS = (
    Preset(label="One token", values={"output_tokens": "1"}),
    Preset(label="A long document", values={"example": "document", "output_tokens": "24"}),
    Preset(label="… in chunks of 512", values={"example": "document", "output_tokens": "24", "chunk_tokens": "512"}),
    Preset(label="Guess 4 ahead", values={"output_tokens": "24", "draft_tokens": "4"}),
)

FREE_GUESSES = (
    "Guesses are looked up in the text that is already there, which costs nothing here; wrong ones are dropped."
)
ENGINE = "typical"
MATH_NOTE = (
    "Typical speeds: the datasheet's figures times the share of them that published measurements reached, "
    "with the band that eight of ten runs fall in."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the simulator answered: every pass with its time, and the texts of the tokens."""

    prompt: Sequence[str]
    answer: Sequence[str]
    passes: Sequence[TimedPass]
    ends_s: Sequence[float]
    spans: tuple[Span, ...]
    longest_s: float
    model: pysim.Model
    device: pysim.Device
    stock: bool
    guesses: int
    band: Mapping[str, Factors]

    @property
    def ttft_s(self) -> float | None:
        return next((each.end_s for each in self.passes if each.step.yielded_tokens), None)


def scene(**values: Value) -> Scene:
    """Run one generation through the simulator at typical speed."""
    prompt = pieces(str(values["prompt"])) or [START_TOKEN]
    wanted = int(values["output_tokens"])
    example = EXAMPLES.get(str(values["example"]))
    model, device = pysim.load_model(str(values["model"])), pysim.load_device(str(values["device"]))
    chunk = values["chunk_tokens"]
    steps = generation(
        prompt_tokens=len(prompt),
        output_tokens=wanted,
        chunk_tokens=None if chunk == "off" else int(chunk),
        draft_tokens=int(values["draft_tokens"]),
        acceptance=float(values["acceptance"]),
        seed=int(values["seed"]),
    )
    passes = list(timed(steps, model, device, engine=ENGINE))
    return Scene(
        prompt=prompt,
        answer=answer_pieces(example.answer if example else "", wanted),
        passes=passes,
        ends_s=[each.end_s for each in passes],
        spans=tuple((each.step.kind, each.start_s, each.end_s) for each in passes),
        longest_s=max(each.end_s - each.start_s for each in passes),
        model=model,
        device=device,
        stock=example is None,
        guesses=int(values["draft_tokens"]),
        band=band_factors(model, device, len(prompt), wanted, ENGINE),
    )


def stops(scene: Scene) -> list[float]:
    """The moments at which a pass ends."""
    return [0.0, *scene.ends_s]


def values_at(scene: Scene, at: Progress) -> dict[str, ReadoutValue]:
    """The readouts at a moment: counters follow it, times are of the whole run."""
    prefill = sum(each.step.kind == "prefill" for each in scene.passes[: at.done])
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
        clock(t_s, scene.ends_s[-1], scene.device.name, ENGINE),
        kv_rows(cache_rows(at, len(scene.prompt))),
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


def _band(scene: Scene, at: Progress) -> Band:
    layers = scene.model.num_hidden_layers
    if at.now is None:
        over = "All passes are over" if at.finished else f"Pass {at.done} is over"
        title = over if at.done else f"{scene.model.name}, {layers} layers: nothing has gone in yet"
        yields = at.last is not None and at.last.step.yielded_tokens > 0
        out = [cell(scene.answer[at.written - 1], "d")] if yields else []
        return Band(layers=layers, kind="", fraction=0, title=title, carried=[], hidden=0, out=out)
    step = at.now.step
    carried = _carried(scene, at.now)
    title = f"Pass {at.done + 1}, {step.kind}: {plural(step.new_tokens, 'token')} through {layers} layers"
    hidden = step.new_tokens - len(carried)
    return Band(
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
        first = f" and gave the first answer token, {quoted(scene.answer[0])}" if step.yielded_tokens else ""
        return f"Pass {done}, prefill: {fed}{first}; {plural(step.rows_after, 'cache row')}.{end}"
    if step.drafted:
        result = f"{step.drafted} guesses, {step.accepted} right: {plural(step.yielded_tokens, 'token')} out"
    else:
        fed_back = scene.answer[last.first_answer - 1]
        result = f"{quoted(fed_back)} went in, {quoted(scene.answer[last.first_answer])} came out"
    return f"Pass {done}, decode: {result}; {plural(step.rows_after, 'cache row')}.{end}"


def explain(scene: Scene) -> list[Formula]:
    """Passes, rows, and the time of the first and of the last pass."""
    tokens, answer = len(scene.prompt), len(scene.answer)
    prefill = sum(each.step.kind == "prefill" for each in scene.passes)
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
    return steps + [_time_of(scene, each) for each in shown]


def _time_of(scene: Scene, each: TimedPass) -> Formula:
    step = each.step
    cost = cost_of(step, scene.model, scene.device, engine=ENGINE)
    parts = [f"{units.show(float(part), 's', digits=3)}" for part in (cost.memory_s, cost.compute_s, cost.overhead_s)]
    moved = units.show(float(cost.weights_read_bytes + cost.kv_read_bytes + cost.kv_written_bytes), "B")
    flop = units.show(float(cost.flop), "FLOP")
    return Formula(
        label=f"Time of pass {step.index + 1} ({step.kind}, {plural(step.new_tokens, 'token')} in)",
        rule="fixed cost + the longer of memory and math, and what of the shorter one is not hidden by it",
        inserted=f"fixed {parts[2]}, memory {parts[0]} for {moved}, math {parts[1]} for {flop}",
        result=f"{units.show(float(cost.time_s), 's')} ({cost.bound}-bound)",
        source="roofline model, Williams, Waterman and Patterson, 2009, with fitted efficiencies",
        source_url="https://doi.org/10.1145/1498765.1498785",
    )


def table(scene: Scene) -> list[list[Cell]]:
    """One row per pass."""
    head: list[Cell] = ["pass", "phase", "tokens_in", "guesses", "guesses_right", "tokens_out", "kv_rows_after"]
    rows: list[list[Cell]] = [[*head, "start_s", "end_s", "bound"]]
    for each in scene.passes:
        step = each.step
        bound = str(cost_of(step, scene.model, scene.device, engine=ENGINE).bound)
        counted: list[Cell] = [step.index + 1, step.kind, step.new_tokens, step.drafted, step.accepted]
        rows.append([*counted, step.yielded_tokens, step.rows_after, each.start_s, each.end_s, bound])
    return rows
