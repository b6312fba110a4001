"""What does a server save when many prompts begin alike?"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Final

from simple_html import SafeString, div, span

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.html import element, joined
from demos.kit.number import count, percent, plural, share
from demos.kit.serving.server import SEATS, Refused, Server, sentence, server
from pysim import units
from pysim.errors import PysimError
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.request import Outcome, Request
from pysim.serving.run import Run

TITLE = "What does a shared beginning save?"
LEAD = "Change the text that all prompts begin with."
MAIN = ("system_tokens", "sessions")
ASKED = ("prefix caching", "prompt cache", "system prompt cost", "automatic prefix caching", "kv cache reuse")
MATH_NOTE = (
    "Every turn sends the whole conversation again. A question has 60 tokens, an answer 150, and a reader takes ten "
    "seconds between turns."
)
QUESTION: Final = 60
ANSWER: Final = 150
THINK_S: Final = 10.0
PIECE: Final = 16
MINE, OTHERS = 1_000_000, 1
ROUTES: Final = {
    "one": "one machine",
    "same-beginning": "two machines, a conversation stays on its own",
    "round-robin": "two machines in turn",
}

CONTROLS = (
    Slider(
        name="system_tokens", label="They all begin with", start=2000, low=0, high=32_000, step=16, noun="tokens",
        marks=((0, "0"), (16_000, "16,000"), (32_000, "32,000")),
    ),
    Slider(name="sessions", label="Conversations", start=8, low=1, high=64),
    Slider(name="turns", label="Turns of each", start=6, low=1, high=20),
    Slider(
        name="cache_tokens", label="Room of the cache", start=200_000, low=40_000, high=400_000, step=1000, scale="log",
        noun="tokens",
    ),
    Choice(
        name="route", label="Served by", start="one",
        options=tuple(Option(value=name, label=label) for name, label in ROUTES.items()),
    ),
    choices.models("llama-3.1-8b", ("llama-3.1-8b", "qwen3-32b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "h100-sxm", "b200", "mi300x")),
)  # fmt: skip

READOUTS = (
    Readout(name="hit_share", label="Prompt tokens found", unit="%"),
    Readout(name="saved_tokens", label="Not read again", counts="token"),
    Readout(name="ttft_with_s", label="First token, mean", unit="s"),
    Readout(name="ttft_without_s", label="Without the cache", unit="s"),
    Readout(name="last_turn_ttft_s", label="Last turn, mean", unit="s"),
    Readout(name="last_turn_ttft_without_s", label="Last turn without", unit="s"),
)

PRESETS = (
    Preset(label="A long system prompt", values={}, recorded=True),
    Preset(label="Nothing shared", values={"system_tokens": "0"}),
    Preset(label="Too little room", values={"cache_tokens": "40000", "sessions": "64"}),
    Preset(label="Two machines in turn", values={"route": "round-robin"}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The same conversations with and without the cache of beginnings."""

    with_it: Run | Refused
    without: Run | None
    served: Server | None
    system: int
    sessions: int
    turns: int

    def turn(self, run: Run, number: int) -> list[Outcome]:
        """What became of a turn of all conversations."""
        return [each for each in run.outcomes if each.request.number % self.turns == number]


def scene(**values: Value) -> Scene:
    """Serve the conversations twice."""
    served, room = server(values), int(values["cache_tokens"])
    system, sessions, turns = (int(values[name]) for name in ("system_tokens", "sessions", "turns"))

    def made(with_it: Run | Refused, without: Run | None) -> Scene:
        kept = None if isinstance(served, Refused) else served
        return Scene(with_it=with_it, without=without, served=kept, system=system, sessions=sessions, turns=turns)

    if isinstance(served, Refused):
        return made(served, None)
    load = conversations(system, sessions, turns)
    route = str(values["route"])

    def run(keeps: bool) -> Run:
        return served.on.serve(
            load, policy=VllmV1(), token_budget=8192, seats=SEATS, kv_tokens=min(room, served.kv_tokens),
            keeps_rows=keeps, replicas=1 if route == "one" else 2, router="least-tokens" if route == "one" else route,
        )  # fmt: skip

    try:
        return made(run(True), run(False))
    except PysimError as error:
        return made(Refused(sentence(error)), None)


def conversations(system: int, sessions: int, turns: int) -> list[Request]:
    """Each turn's prompt: the shared beginning, all questions and answers so far, and a new question."""
    load: list[Request] = []
    for session in range(sessions):
        for turn in range(turns):
            prompt = system + turn * (QUESTION + ANSWER) + QUESTION
            shared = range(OTHERS, OTHERS + system // PIECE)
            own = range((prompt + ANSWER) // PIECE - system // PIECE)
            load.append(
                Request(
                    number=session * turns + turn, arrive_s=turn * THINK_S + session * THINK_S / sessions,
                    prompt_tokens=prompt, output_tokens=ANSWER, session=session, piece_tokens=PIECE,
                    beginning=(*shared, *(MINE * (session + 1) + k for k in own)),
                )
            )  # fmt: skip
    return load


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """For each turn, what of the prompt was found and what had to be read."""
    if isinstance(scene.with_it, Refused) or scene.without is None:
        why = scene.with_it.why if isinstance(scene.with_it, Refused) else ""
        stage = element(div, {"class": "stage serving"}, div({"class": "tool-verdict bad"}, why))
        return joined(stage, readouts(READOUTS, _values(scene))).safe_str
    most = max(each.request.prompt_tokens for each in scene.with_it.outcomes)
    rows = [_turn_row(scene, scene.with_it, scene.without, number, most) for number in range(scene.turns)]
    stage = element(
        div,
        {"class": "stage serving shared-beginning"},
        element(
            div,
            {"class": "turn-rows", "role": "img", "aria-label": _words(scene)},
            div({"class": "lanes-title"}, f"The prompt of each turn, mean of {plural(scene.sessions, 'conversation')}"),
            *rows,
        ),
        div(
            {"class": "lanes-key"},
            element(span, {"class": "key found"}, "found in the cache"),
            element(span, {"class": "key reads"}, "read"),
        ),
    )
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _turn_row(scene: Scene, with_it: Run, without: Run, number: int, most: int) -> SafeString:
    found = fmean(each.cached_tokens for each in scene.turn(with_it, number))
    prompt = scene.turn(with_it, number)[0].request.prompt_tokens
    waits = [_seconds(fmean(each.ttft_s for each in scene.turn(run, number))) for run in (with_it, without)]
    return element(
        div,
        {"class": "turn-row"},
        span({"class": "lane-name"}, f"turn {number + 1}"),
        element(
            span,
            {"class": "turn-track"},
            element(span, {"class": "found", "style": f"width:{percent(found / most)}"}),
            element(span, {"class": "reads", "style": f"width:{percent((prompt - found) / most)}"}),
        ),
        span({"class": "turn-wait"}, f"{waits[0]}, else {waits[1]}"),
    )


def _seconds(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _found(run: Run) -> tuple[int, int]:
    return sum(each.cached_tokens for each in run.outcomes), sum(each.request.prompt_tokens for each in run.outcomes)


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    if isinstance(scene.with_it, Refused) or scene.without is None:
        return {readout.name: Missing("nothing runs here") for readout in READOUTS}
    found, asked = _found(scene.with_it)
    last = scene.turns - 1
    return {
        "hit_share": found / asked,
        "saved_tokens": found,
        "ttft_with_s": fmean(each.ttft_s for each in scene.with_it.outcomes),
        "ttft_without_s": fmean(each.ttft_s for each in scene.without.outcomes),
        "last_turn_ttft_s": fmean(each.ttft_s for each in scene.turn(scene.with_it, last)),
        "last_turn_ttft_without_s": fmean(each.ttft_s for each in scene.turn(scene.without, last)),
    }


def _words(scene: Scene) -> str:
    if isinstance(scene.with_it, Refused) or scene.without is None:
        raise ValueError("nothing runs")
    found, asked = _found(scene.with_it)
    with_s, without_s = (fmean(each.ttft_s for each in run.outcomes) for run in (scene.with_it, scene.without))
    kept, read = _seconds(with_s), _seconds(without_s)
    some = f"{share(found / asked)} of {count(asked)} prompt tokens are found"
    return f"{some}. The first token takes {kept} on average, without the cache {read}."


def say(scene: Scene, t_s: float) -> str:
    """What is found, and what it saves."""
    return scene.with_it.why if isinstance(scene.with_it, Refused) else _words(scene)


def explain(scene: Scene) -> list[Formula]:
    """The share that is found, and what it would be with room for all."""
    if isinstance(scene.with_it, Refused):
        return []
    found, asked = _found(scene.with_it)
    source, url = "prefix cache by blocks: Kwon et al., vLLM, 2023", "https://arxiv.org/abs/2309.06180"
    return [
        Formula(
            label="A turn's prompt",
            rule="shared beginning + (turn − 1) × (question + answer) + question",
            inserted=f"{count(scene.system)} + {scene.turns - 1} × ({QUESTION} + {ANSWER}) + {QUESTION}",
            result=plural(scene.turn(scene.with_it, scene.turns - 1)[0].request.prompt_tokens, "token"),
            source=source,
            source_url=url,
        ),
        Formula(
            label="Found in the cache",
            rule="rows found in whole blocks of 16 ÷ all prompt tokens",
            inserted=f"{count(found)} ÷ {count(asked)}",
            result=share(found / asked),
            source=source,
            source_url=url,
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """Every turn: what its prompt has, what was found, and the wait with and without."""
    rows: list[list[Cell]] = [["session", "turn", "prompt_tokens", "found_tokens", "ttft_s", "ttft_without_s"]]
    if isinstance(scene.with_it, Refused) or scene.without is None:
        return rows
    for one, other in zip(scene.with_it.outcomes, scene.without.outcomes, strict=True):
        session, turn = divmod(one.request.number, scene.turns)
        rows.append([session, turn + 1, one.request.prompt_tokens, one.cached_tokens, one.ttft_s, other.ttft_s])
    return rows
