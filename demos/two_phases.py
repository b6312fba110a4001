"""How many times does the text go through the model?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import SafeString, div, p, span

import pysim
from demos.kit import catalogue
from demos.kit.controls import Choice, Number, Option, Slider, Text, Value
from demos.kit.demo import PLAY_S, Preset
from demos.kit.examples import EXAMPLES, STOCK_ANSWER
from demos.kit.formulas import Formula
from demos.kit.html import element, joined
from demos.kit.kv_rows import Rows, kv_rows
from demos.kit.number import plural
from demos.kit.pass_picture import LAST_PASSES, MOST_CARRIED, Band, Bar, model_band, pass_list, strip
from demos.kit.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.rows import Cell
from demos.kit.tokenizer import pieces
from demos.kit.tokens import cell, gap, ghost, quoted, window
from pysim import units
from pysim.passes import Pass, generation

TITLE = "How many times does the text go through the model?"
LEAD = "Press Run and count the passes."
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
    Slider(name="acceptance", label="Guesses that are right", start=0.7, low=0, high=1, step=0.01),
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

MATH_NOTE = "Best case: the device's datasheet figures, fully used. Real software is slower."


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPass:
    """A pass, when it runs, and which answer token is its first."""

    step: Pass
    start_s: float
    end_s: float
    first_answer: int
    bound: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the simulator answered: every pass with its time, and the texts of the tokens."""

    prompt: Sequence[str]
    answer: Sequence[str]
    passes: Sequence[TimedPass]
    ends_s: Sequence[float]
    model: pysim.Model
    device: pysim.Device
    stock: bool
    guesses: int

    @property
    def ttft_s(self) -> float | None:
        return next((each.end_s for each in self.passes if each.step.yielded_tokens), None)


def scene(**values: Value) -> Scene:
    """Run one generation through the simulator; times are best case."""
    prompt = pieces(str(values["prompt"])) or [START_TOKEN]
    wanted = int(values["output_tokens"])
    example = EXAMPLES.get(str(values["example"]))
    model, device = pysim.load_model(str(values["model"])), pysim.load_device(str(values["device"]))
    chunk = values["chunk_tokens"]
    timed: list[TimedPass] = []
    now_s, answered = 0.0, 0
    for step in generation(
        prompt_tokens=len(prompt),
        output_tokens=wanted,
        chunk_tokens=None if chunk == "off" else int(chunk),
        draft_tokens=int(values["draft_tokens"]),
        acceptance=float(values["acceptance"]),
        seed=int(values["seed"]),
    ):
        cost = pysim.pass_cost(model, device, step.new_tokens, step.context_tokens)
        end_s = now_s + cost.time_s
        timed.append(TimedPass(step=step, start_s=now_s, end_s=end_s, first_answer=answered, bound=cost.bound))
        now_s, answered = end_s, answered + step.yielded_tokens
    return Scene(
        prompt=prompt,
        answer=answer_pieces(example.answer if example else "", wanted),
        passes=timed,
        ends_s=[each.end_s for each in timed],
        model=model,
        device=device,
        stock=example is None,
        guesses=int(values["draft_tokens"]),
    )


def answer_pieces(text: str, wanted: int) -> list[str]:
    """Return `wanted` tokens of an answer; where it ends too soon the stock text goes on, again and again."""
    found = pieces(text)[:wanted] if text else []
    stock = pieces(STOCK_ANSWER)
    while len(found) < wanted:
        found += stock[: wanted - len(found)]
    return found


def stops(scene: Scene) -> list[float]:
    """The moments at which a pass ends."""
    return [0.0, *scene.ends_s]


def done_at(scene: Scene, t_s: float) -> int:
    """How many passes are over at a moment."""
    return bisect_right(scene.ends_s, t_s)


def values_at(scene: Scene, t_s: float) -> dict[str, ReadoutValue]:
    """The readouts at a moment: counters follow it, times are of the whole run."""
    over = scene.passes[: done_at(scene, t_s)]
    prefill = sum(each.step.kind == "prefill" for each in over)
    ttft_s = scene.ttft_s
    return {
        "passes": len(over),
        "prefill_passes": prefill,
        "decode_passes": len(over) - prefill,
        "prompt_tokens": len(scene.prompt),
        "output_tokens": sum(each.step.yielded_tokens for each in over),
        "kv_rows": over[-1].step.rows_after if over else 0,
        "ttft_s": Missing("no answer is asked for") if ttft_s is None else ttft_s,
        "total_s": scene.ends_s[-1],
    }


def frame(scene: Scene, t_s: float) -> str:
    """The text, the pass at work, the last passes, the whole run to scale, and the cache, at a moment."""
    done = done_at(scene, t_s)
    now = scene.passes[done] if done < len(scene.passes) else None
    fraction = (t_s - now.start_s) / (now.end_s - now.start_s) if now else 0.0
    at_work = now if now and fraction > 0 else None
    stage = element(
        div,
        {"class": "stage two-phases"},
        _text(scene, done, at_work),
        model_band(_band(scene, done, at_work, fraction)),
        pass_list(_bars(scene, done, at_work, fraction)),
        strip([(each.step.kind, each.start_s, each.end_s) for each in scene.passes], scene.ends_s[-1], t_s),
        _clock(scene, t_s),
        kv_rows(_rows(scene, done, at_work, fraction)),
    )
    return joined(stage, readouts(READOUTS, values_at(scene, t_s))).safe_str


def _text(scene: Scene, done: int, now: TimedPass | None) -> SafeString:
    fed = range(0)
    if now and now.step.kind == "prefill":
        fed = range(now.step.context_tokens, now.step.context_tokens + now.step.new_tokens)
    first, hidden, last = window(len(scene.prompt), 70, 20)
    prompt = [cell(scene.prompt[k], "p", now=k in fed) for k in first]
    prompt += [gap(hidden), *[cell(scene.prompt[k], "p", now=k in fed) for k in last]] if hidden else []
    written = sum(each.step.yielded_tokens for each in scene.passes[:done])
    feeding = written - 1 if now and now.step.kind == "decode" else -1
    earlier = max(0, written - 40)
    answer = [gap(earlier, "earlier")] if earlier else []
    answer += [cell(scene.answer[k], "d", now=k == feeding) for k in range(earlier, written)]
    answer += [ghost() for _ in range(min(8, len(scene.answer) - written))]
    note = "This demo simulates time and passes; it does not think. " if scene.stock else ""
    stock = [p({"class": "cap"}, note, "The answer shown is a stock text.")] if scene.stock and scene.answer else []
    return element(div, {"class": "two-phases-text"}, div({"class": "tokens"}, *prompt, *answer), *stock)


def _band(scene: Scene, done: int, now: TimedPass | None, fraction: float) -> Band:
    layers = scene.model.num_hidden_layers
    if now is None:
        over = "All passes are over" if done == len(scene.passes) else f"Pass {done} is over"
        title = over if done else f"{scene.model.name}, {layers} layers: nothing has gone in yet"
        return Band(layers=layers, kind="", fraction=0, title=title, carried=[], hidden=0, out=_out(scene, done))
    step = now.step
    if step.kind == "prefill":
        texts = [(text, "p") for text in scene.prompt[step.context_tokens :][: step.new_tokens]]
    else:
        guessed = scene.answer[now.first_answer : now.first_answer + step.drafted]
        texts = [(scene.answer[now.first_answer - 1], "d"), *[(text, "d guess") for text in guessed]]
    carried = [cell(text, kind) for text, kind in texts[:MOST_CARRIED]]
    kind = "prefill" if step.kind == "prefill" else "decode"
    title = f"Pass {done + 1}, {kind}: {plural(step.new_tokens, 'token')} through {layers} layers"
    hidden = step.new_tokens - len(carried)
    return Band(layers=layers, kind=kind, fraction=fraction, title=title, carried=carried, hidden=hidden, out=[])


def _out(scene: Scene, done: int) -> list[SafeString]:
    if not done or not scene.passes[done - 1].step.yielded_tokens:
        return []
    last = scene.passes[done - 1]
    return [cell(scene.answer[last.first_answer + last.step.yielded_tokens - 1], "d")]


def _bars(scene: Scene, done: int, now: TimedPass | None, fraction: float) -> list[Bar]:
    longest_s = max(each.end_s - each.start_s for each in scene.passes)
    shown = scene.passes[max(0, done - LAST_PASSES) : done + (1 if now else 0)]
    return [
        Bar(
            number=each.step.index + 1,
            kind=each.step.kind,
            label=carried_words(each),
            share=(each.end_s - each.start_s) / longest_s,
            done=fraction if each is now else 1,
        )
        for each in shown
    ]


def carried_words(each: TimedPass) -> str:
    """What went in and came out of a pass, and how long it took."""
    step = each.step
    guessed = f" ({step.drafted} guessed, {step.accepted} right)" if step.drafted else ""
    took = units.show(each.end_s - each.start_s, "s", digits=3)
    return f"{step.kind}: {step.new_tokens:,} in{guessed}, {step.yielded_tokens} out, {took}"


def _clock(scene: Scene, t_s: float) -> SafeString:
    end_s = scene.ends_s[-1]
    texts = f"{units.show(t_s, 's', digits=3)} of {units.show(end_s, 's', digits=3)}, best case"
    scale = f"1 s on your screen is {units.show(end_s / PLAY_S, 's', digits=3)} on the {scene.device.name} at speed 1×"
    return element(div, {"class": "clock"}, span({"class": "clock-now"}, texts), span({"class": "clock-scale"}, scale))


def _rows(scene: Scene, done: int, now: TimedPass | None, fraction: float) -> Rows:
    kept = scene.passes[done - 1].step.rows_after if done else 0
    total = scene.passes[-1].step.rows_after
    if now is None:
        return Rows(total=total, prompt=len(scene.prompt), kept=kept)
    refused = kept + now.step.new_tokens - now.step.rows_after
    return Rows(
        total=total,
        prompt=len(scene.prompt),
        kept=kept,
        writing=now.step.new_tokens,
        written_fraction=fraction,
        dropped=refused,
    )


def say(scene: Scene, t_s: float) -> str:
    """What the picture shows after the last pass that is over."""
    done = done_at(scene, t_s)
    if done == 0:
        waiting = plural(len(scene.prompt), "prompt token")
        return f"{waiting} wait{'s' if len(scene.prompt) == 1 else ''}; nothing has gone through the model yet."
    last = scene.passes[done - 1]
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
            source="counted by pysim.passes.generation",
        ),
        Formula(
            label="Rows in the cache at the end",
            rule="prompt tokens + answer tokens − 1 (the last token is never fed back)" if answer else "prompt tokens",
            inserted=f"{tokens:,} + {answer} − 1" if answer else f"{tokens:,}",
            result=f"{scene.passes[-1].step.rows_after:,}",
            source="counted by pysim.passes.generation",
        ),
    ]
    shown = [scene.passes[0], *([scene.passes[-1]] if len(scene.passes) > 1 else [])]
    return steps + [_time_of(scene, each) for each in shown]


def _time_of(scene: Scene, each: TimedPass) -> Formula:
    step = each.step
    cost = pysim.pass_cost(scene.model, scene.device, step.new_tokens, step.context_tokens)
    moved = cost.weights_read_bytes + cost.kv_read_bytes + cost.kv_written_bytes
    reading = f"{units.show(moved, 'B')} ÷ {units.show(scene.device.memory_bandwidth_bytes_per_s, 'B/s')}"
    math = f"{units.show(cost.flop, 'FLOP')} ÷ {units.show(cost.flop / cost.compute_s, 'FLOP/s')}"
    return Formula(
        label=f"Time of pass {step.index + 1} ({step.kind}, {plural(step.new_tokens, 'token')} in)",
        rule="the longer of: bytes moved ÷ memory bandwidth, math ÷ peak math rate",
        inserted=f"longer of {reading} and {math}",
        result=f"{units.show(cost.time_s, 's')} ({cost.bound}-bound)",
        source="roofline model, Williams, Waterman and Patterson, 2009",
        source_url="https://doi.org/10.1145/1498765.1498785",
    )


def table(scene: Scene) -> list[list[Cell]]:
    """One row per pass."""
    head: list[Cell] = ["pass", "phase", "tokens_in", "guesses", "guesses_right", "tokens_out", "kv_rows_after"]
    rows: list[list[Cell]] = [[*head, "start_s", "end_s", "bound"]]
    for each in scene.passes:
        step = each.step
        counted: list[Cell] = [step.index + 1, step.kind, step.new_tokens, step.drafted, step.accepted]
        rows.append([*counted, step.yielded_tokens, step.rows_after, each.start_s, each.end_s, each.bound])
    return rows
