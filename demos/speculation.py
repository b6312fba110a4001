"""When does guessing ahead make an answer faster, and when does it make it slower?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, div

import pysim
from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Readout, ReadoutValue, readouts
from demos.kit.draw.plot import Axis, Curve, Mark, linear_ticks, plot
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from pysim import units
from pysim.roofline.guesses import Guessed, guessed

TITLE = "When does guessing ahead pay?"
LEAD = "Change how often guesses are right, and how many conversations share the machine."
MAIN = ("acceptance", "conversations")
ASKED = ("speculative decoding", "draft model", "MTP", "n-gram speculation", "does speculative decoding help")
MATH_NOTE = "Typical speeds, fitted to published measurements. Every guess is right with the same chance."
LENGTHS = (1, 2, 3, 4, 6, 8)
SHARES = (40, 60, 80, 95)
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)

CONTROLS = (
    Slider(name="acceptance", label="Guesses right", start=70, low=0, high=100, noun="%"),
    Slider(name="conversations", label="Conversations", start=1, low=1, high=256, scale="log"),
    Slider(name="draft_tokens", label="Guesses per pass", start=4, low=1, high=16),
    Choice(
        name="guesser",
        label="Who guesses",
        start="llama-3.2-1b",
        options=(
            Option(value="llama-3.2-1b", label="a draft model, Llama 3.2 1B"),
            Option(value="llama-3.1-8b", label="a draft model, Llama 3.1 8B"),
            Option(value="lookup", label="a lookup in the text (n-gram), free"),
        ),
    ),
    choices.models("llama-3.1-70b", ("llama-3.1-8b", "qwen3-32b", "qwen3-30b-a3b", "gpt-oss-120b", "llama-3.1-70b")),
    choices.weights("q4_k_m"),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "apple-m4-max-40c", "strix-halo", "h100-sxm")),
    Slider(name="context_tokens", label="Context of each", start=512, low=1, high=32_768, scale="log", noun="tokens"),
)
READOUTS = (
    Readout(name="gain", label="Times as fast", unit="×"),
    Readout(name="tokens_per_round", label="Tokens of a round", unit="tokens"),
    Readout(name="plain_s", label="A pass without guesses", unit="s"),
    Readout(name="check_s", label="A pass that checks", unit="s"),
    Readout(name="draft_s", label="Making the guesses", unit="s"),
    Readout(name="plain_tokens_per_s", label="Writes without", unit="tokens/s"),
    Readout(name="guessed_tokens_per_s", label="Writes with guesses", unit="tokens/s"),
    Readout(name="pays", label="Guessing pays", flag=True),
    Readout(name="fits", label="Fits in memory", flag=True),
)
PRESETS = (
    Preset(label="Code, often right", values={"acceptance": "90"}),
    Preset(label="A poem, often wrong", values={"acceptance": "30"}),
    Preset(label="A busy server", values={"conversations": "128"}),
    Preset(label="A Mac", values={"device": "apple-m4-max-40c"}),
    Preset(label="A mixture of experts", values={"model": "qwen3-30b-a3b"}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A model, who guesses for it (None: nobody is paid), and what a round makes of it."""

    on: pysim.Deployment
    draft: pysim.Deployment | None
    draft_tokens: int
    acceptance: float
    context: int
    conversations: int
    round: Guessed

    def at(self, draft_tokens: int, acceptance: float, conversations: int) -> Guessed:
        """The same machine with other guesses."""
        return _guessed(self.on, draft_tokens, acceptance, self.context, conversations, self.draft)


def scene(**values: Value) -> Scene:
    """Guess and check; a context longer than the model's is cut to it."""
    device = pysim.load_device(str(values["device"]))
    weights, guesser = str(values["weights"]), str(values["guesser"])
    on = pysim.Deployment(pysim.load_model(str(values["model"])), device, weight_format=weights)
    draft = None
    if guesser != "lookup":
        draft = pysim.Deployment(pysim.load_model(guesser), device, weight_format=weights)
    context = min(int(values["context_tokens"]), on.model.max_position_embeddings)
    acceptance, tokens = int(values["acceptance"]) / 100, int(values["draft_tokens"])
    conversations = int(values["conversations"])
    return Scene(
        on=on,
        draft=draft,
        draft_tokens=tokens,
        acceptance=acceptance,
        context=context,
        conversations=conversations,
        round=_guessed(on, tokens, acceptance, context, conversations, draft),
    )


@lru_cache(maxsize=1024)
def _guessed(
    on: pysim.Deployment, tokens: int, acceptance: float, context: int, batch: int, draft: pysim.Deployment | None
) -> Guessed:
    return guessed(on, tokens, acceptance, context, batch, draft=draft)


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """The gain as conversations are added, and the map of gains over length and acceptance."""
    stage = element(div, {"class": "stage"}, _load_curve(scene), _gain_map(scene))
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    now = scene.round
    return {
        "gain": now.gain,
        "tokens_per_round": now.tokens,
        "plain_s": now.plain_s,
        "check_s": now.check_s,
        "draft_s": now.draft_s,
        "plain_tokens_per_s": 1 / now.plain_s,
        "guessed_tokens_per_s": now.gain / now.plain_s,
        "pays": now.gain > 1,
        "fits": _free_bytes(scene) >= 0,
    }


def _free_bytes(scene: Scene) -> float:
    """What is left with both models and the caches of both in memory; 0 where its size is not known."""
    free = scene.on.memory(scene.context, scene.conversations).free_bytes or 0.0
    if scene.draft is None:
        return free
    guesser = scene.draft
    cache_bytes = pysim.kv_cache_bytes(guesser.model, scene.context, guesser.kv_format, scene.conversations)
    return free - pysim.weights_bytes(guesser.model, guesser.weight_format) - cache_bytes


def _load_curve(scene: Scene) -> SafeString:
    points = [
        (batch, scene.at(scene.draft_tokens, scene.acceptance, batch).gain)
        for batch in sorted({*BATCHES, scene.conversations})
    ]
    high = max(1.5, *(gain for _, gain in points)) * 1.15
    ticks = [(float(batch), str(batch)) for batch in (1, 4, 16, 64, 256)]
    x = Axis(low=1, high=256, label="conversations at the same time", ticks=ticks, log=True)
    y = Axis(low=0, high=high, label="times as fast", ticks=[(tick, f"{tick:.1f}") for tick in linear_ticks(high, 3)])
    even = Curve(points=[(1, 1), (256, 1)], kind="weights", dashed=True)
    now = Mark(x=scene.conversations, y=scene.round.gain, kind="decode", label=_times(scene.round.gain))
    return plot(x, y, [Curve(points=points, kind="decode"), even], summary=say(scene, 0.0), marks=[now])


def _gain_map(scene: Scene) -> SafeString:
    here = scene.conversations
    rows = [
        (
            count(length),
            *[_times(scene.at(length, share / 100, here).gain) for share in SHARES],
        )
        for length in LENGTHS
    ]
    title = f"Times as fast with {plural(here, 'conversation')}, by guesses and how many are right"
    return small_table(title, ("Guesses", *[f"{share}%" for share in SHARES]), rows)


def _times(gain: float) -> str:
    return f"{gain:.2f}"


def say(scene: Scene, t_s: float) -> str:
    """What a round yields, and whether that pays."""
    now = scene.round
    whole = (now.check_s + now.draft_s) / now.plain_s
    pays = "guessing pays" if now.gain > 1 else "guessing makes it slower"
    fits = "" if _free_bytes(scene) >= 0 else " It does not fit in memory; times are as if it did."
    return (
        f"A round yields {now.tokens:.2f} tokens and takes as long as {whole:.2f} plain passes, so {pays}: "
        f"{_times(now.gain)} times as fast.{fits}"
    )


def explain(scene: Scene) -> list[Formula]:
    """The yield of a round, and the gain."""
    now, share, length = scene.round, scene.acceptance, scene.draft_tokens
    plain, check, draft = (units.show(part_s, "s", digits=3) for part_s in (now.plain_s, now.check_s, now.draft_s))
    return [
        Formula(
            label="Tokens of a round",
            rule="1 + a + a² + … + aᵏ for k guesses, each right with chance a",
            inserted=f"a = {share:.2f}, k = {count(length)}",
            result=f"{now.tokens:.3f}",
            source="Leviathan, Kalman and Matias, 2023, section 3.1",
            source_url="https://arxiv.org/abs/2211.17192",
        ),
        Formula(
            label="Times as fast",
            rule="tokens of a round × plain pass ÷ (pass that checks + making the guesses)",
            inserted=f"{now.tokens:.3f} × {plain} ÷ ({check} + {draft})",
            result=_times(now.gain),
            source="passes by pysim, typical speed",
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """The gain by number of conversations."""
    rows: list[list[Cell]] = [["conversations", "times_as_fast"]]
    return rows + [[batch, scene.at(scene.draft_tokens, scene.acceptance, batch).gain] for batch in BATCHES]
