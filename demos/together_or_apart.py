"""Should the same machines read and write, or should some read and others write?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from simple_html import SafeString, div, span

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import share
from demos.kit.serving.loads import limits_choice, limits_words, load_choice, rate_slider, requests, seed_number
from demos.kit.serving.server import SEATS, Refused, Server, sentence, server
from pysim import units
from pysim.errors import PysimError
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.serving.cluster.link import LINKS
from pysim.serving.plan.limits import Limits, limits_named
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.record import worst_gap_s
from pysim.serving.request import Outcome
from pysim.serving.run import Run
from pysim.serving.serve import Split

TITLE = "Together or apart?"
LEAD = "Four machines: choose how they share the work, and see for which limits it pays."
MAIN = ("split", "link")
ASKED = ("disaggregated prefill", "separate prefill and decode", "prefill decode disaggregation", "xPyD")
MATH_NOTE = (
    "All runs get the same requests, at typical speed. Together: the best of three token budgets. A seed is one draw: "
    "try others before you believe a narrow win."
)
MACHINES: Final = 4
REQUESTS: Final = 120
BUDGETS: Final = (512, 2048, 8192)
FIRSTS_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
PACES_S: Final = (0.1, 0.05, 0.03, 0.02, 0.015, 0.01, 0.008)
# Shares nearer to each other than this are a draw.
CLOSE: Final = 0.02
MEAN, EVERY = "mean", "every"
WINNERS: Final = {"together": "together", "apart": "apart", "even": "a draw"}
LINK_LABELS: Final = {
    "nvlink": "NVLink, 450 GB/s",
    "infiniband": "InfiniBand, 400 Gbit/s",
    "ethernet-100": "Ethernet, 100 Gbit/s",
    "ethernet-25": "Ethernet, 25 Gbit/s",
}

CONTROLS = (
    Choice(
        name="split", label="Apart means", start="2",
        options=tuple(
            Option(value=str(n), label=f"{n} read, {MACHINES - n} write") for n in range(1, MACHINES)
        ),
    ),
    Choice(
        name="link", label="Between them", start="infiniband",
        options=tuple(Option(value=name, label=LINK_LABELS[name]) for name in LINKS),
    ),
    load_choice("documents"),
    rate_slider(1.8),
    limits_choice("mlperf-llama-3.1-8b-server"),
    Choice(
        name="counts", label="A token is in time if", start=MEAN,
        options=(
            Option(value=MEAN, label="the mean gap of its answer is"),
            Option(value=EVERY, label="every gap of its answer is"),
        ),
    ),
    seed_number(),
    choices.models("llama-3.1-8b", ("llama-3.1-8b", "qwen3-32b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "h100-sxm", "b200", "mi300x")),
)  # fmt: skip

READOUTS = (
    Readout(name="winner", label="Better here", texts=WINNERS),
    Readout(name="goodput_together", label="Goodput together", unit="requests/s"),
    Readout(name="goodput_apart", label="Goodput apart", unit="requests/s"),
    Readout(name="second_token_wait_s", label="Rows on the wire, median", unit="s"),
    Readout(name="ttft_p99_s_together", label="First token together, p99", unit="s"),
    Readout(name="ttft_p99_s_apart", label="First token apart, p99", unit="s"),
)

PRESETS = (
    Preset(label="Long documents", values={}, recorded=True),
    Preset(label="Slow link", values={"link": "ethernet-25"}),
    Preset(label="Chat", values={"load": "chat", "rate": "50"}),
    Preset(label="Every gap counts", values={"load": "chat", "rate": "50", "counts": EVERY}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to share the work: its name, its run, and for each request the wait and the gap that counts (s)."""

    name: str
    run: Run
    paces_s: tuple[float, ...]

    def share_within(self, first_s: float, pace_s: float) -> float:
        """The share of requests whose first token and pace are within."""
        good = sum(
            each.ttft_s <= first_s and own_s <= pace_s
            for each, own_s in zip(self.run.outcomes, self.paces_s, strict=True)
        )
        return good / len(self.run.outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Ways together, the one apart, and the limits."""

    together: tuple[Way, ...] | Refused
    apart: Way | None
    limits: Limits
    counts: str
    readers: int
    link: str
    rate: float
    served: Server | None

    def best_together(self, first_s: float, pace_s: float) -> Way:
        """Of the ways together, the one with most requests within."""
        if isinstance(self.together, Refused):
            raise ValueError("nothing runs")
        return max(self.together, key=lambda way: way.share_within(first_s, pace_s))

    def winner(self, first_s: float, pace_s: float) -> str:
        """Who has more requests within these limits."""
        if self.apart is None:
            raise ValueError("nothing runs")
        mine = self.best_together(first_s, pace_s).share_within(first_s, pace_s)
        theirs = self.apart.share_within(first_s, pace_s)
        return "even" if abs(mine - theirs) < CLOSE else "together" if mine > theirs else "apart"

    @property
    def asked_s(self) -> tuple[float, float]:
        """The chosen limits."""
        return self.limits.ttft_s or 1.0, self.limits.tpot_s or 0.1


def scene(**values: Value) -> Scene:
    """Serve the same requests on four machines, together and apart."""
    served, counts, link = server(values), str(values["counts"]), str(values["link"])
    limits, readers, rate = limits_named(str(values["limits"])), int(values["split"]), float(values["rate"])

    def made(together: tuple[Way, ...] | Refused, apart: Way | None) -> Scene:
        return Scene(
            together=together, apart=apart, limits=limits, counts=counts, readers=readers, link=link, rate=rate,
            served=None if isinstance(served, Refused) else served,
        )  # fmt: skip

    if isinstance(served, Refused):
        return made(served, None)
    load = requests(values, REQUESTS)

    def run(budget: int, **how: object) -> Run:
        return served.on.serve(
            load, policy=VllmV1(), token_budget=budget, seats=SEATS, kv_tokens=served.kv_tokens,
            **how,  # type: ignore[arg-type]
        )  # fmt: skip

    pace = _gap_of if counts == EVERY else _mean_of
    try:
        together = tuple(_way(f"{budget:,} tokens a step", run(budget, replicas=MACHINES), pace) for budget in BUDGETS)
        apart = _way("apart", run(8192, split=Split(readers=readers, writers=MACHINES - readers, link=link)), pace)
    except PysimError as error:
        return made(Refused(sentence(error)), None)
    return made(together, apart)


def _way(name: str, run: Run, pace: Callable[[Run, Outcome], float]) -> Way:
    return Way(name=name, run=run, paces_s=tuple(pace(run, each) for each in run.outcomes))


def _mean_of(run: Run, outcome: Outcome) -> float:
    return outcome.tpot_s or 0.0


def _gap_of(run: Run, outcome: Outcome) -> float:
    return worst_gap_s(run.records[outcome.replica], outcome) or 0.0


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """A map: for which limits which way is better; and what both give within the chosen ones."""
    if isinstance(scene.together, Refused) or scene.apart is None:
        why = scene.together.why if isinstance(scene.together, Refused) else ""
        stage = element(div, {"class": "stage serving"}, div({"class": "tool-verdict bad"}, why))
        return joined(stage, readouts(READOUTS, _values(scene))).safe_str
    rows = [_row(way, scene) for way in (*scene.together, scene.apart)]
    head = ("", "first token", "gap", "within")
    title = f"{MACHINES} machines, {scene.rate:g} requests per second; 99% within"
    stage = element(div, {"class": "stage serving together-or-apart"}, _map(scene), small_table(title, head, rows))
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _row(way: Way, scene: Scene) -> tuple[str, str, str, str]:
    wait_s = way.run.percentiles()["ttft_s"]["p99"]
    pace_s = sorted(way.paces_s)[int(0.99 * (len(way.paces_s) - 1))]
    return way.name, _seconds(wait_s), _seconds(pace_s), share(way.share_within(*scene.asked_s))


def _map(scene: Scene) -> SafeString:
    """Cells by limits: the wait to the right looser, the pace downward stricter."""
    cells = [span({"class": "map-head"}, "")]
    cells += [span({"class": "map-head"}, _short(first_s)) for first_s in FIRSTS_S]
    for pace_s in PACES_S:
        cells.append(span({"class": "map-head"}, _short(pace_s)))
        cells += [_cell(scene, first_s, pace_s) for first_s in FIRSTS_S]
    return element(
        div,
        {"class": "who-wins", "role": "img", "aria-label": _map_words(scene)},
        div({"class": "lanes-title"}, "Who keeps more requests within which limits?"),
        div({"class": "cap"}, "First token within, to the right; a token every, downward."),
        element(div, {"class": "map-cells"}, *cells),
        div(
            {"class": "lanes-key"},
            *[element(span, {"class": f"key map-{name}"}, words) for name, words in WINNERS.items()],
        ),
    )


def _short(time_s: float) -> str:
    return f"{time_s:g} s" if time_s >= 1 else f"{1000 * time_s:g} ms"


def _cell(scene: Scene, first_s: float, pace_s: float) -> SafeString:
    name = scene.winner(first_s, pace_s)
    chosen = " chosen" if (first_s, pace_s) == _nearest(scene) else ""
    return element(span, {"class": f"map-cell map-{name}{chosen}"}, {"together": "T", "apart": "A", "even": "="}[name])


def _nearest(scene: Scene) -> tuple[float, float]:
    first_s, pace_s = scene.asked_s
    return min(FIRSTS_S, key=lambda each: abs(each - first_s)), min(PACES_S, key=lambda each: abs(each - pace_s))


def _map_words(scene: Scene) -> str:
    names = [scene.winner(first_s, pace_s) for first_s in FIRSTS_S for pace_s in PACES_S]
    counts = ", ".join(f"{words} in {names.count(name)}" for name, words in WINNERS.items())
    return f"Of {len(names)} pairs of limits: {counts}."


def _seconds(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _wire_s(apart: Way) -> float | None:
    waits = sorted(each.sent_s - each.first_s for each in apart.run.outcomes if each.sent_s is not None)
    return waits[len(waits) // 2] if waits else None


def _values(scene: Scene) -> Mapping[str, ReadoutValue]:
    if isinstance(scene.together, Refused) or scene.apart is None:
        return {readout.name: Missing("nothing runs here") for readout in READOUTS}
    best, wire_s = scene.best_together(*scene.asked_s), _wire_s(scene.apart)
    return {
        "winner": scene.winner(*scene.asked_s),
        "goodput_together": scene.rate * best.share_within(*scene.asked_s),
        "goodput_apart": scene.rate * scene.apart.share_within(*scene.asked_s),
        "second_token_wait_s": Missing("no answer has a second token") if wire_s is None else wire_s,
        "ttft_p99_s_together": best.run.percentiles()["ttft_s"]["p99"],
        "ttft_p99_s_apart": scene.apart.run.percentiles()["ttft_s"]["p99"],
    }


def say(scene: Scene, t_s: float) -> str:
    """Who is better within the chosen limits, and by how much."""
    if isinstance(scene.together, Refused) or scene.apart is None:
        return scene.together.why if isinstance(scene.together, Refused) else ""
    best = scene.best_together(*scene.asked_s)
    mine, theirs = (share(way.share_within(*scene.asked_s)) for way in (best, scene.apart))
    who = {"together": "Together is better", "apart": "Apart is better", "even": "Neither is better"}
    winner = who[scene.winner(*scene.asked_s)]
    compared = f"{mine} of the requests together (with {best.name}), {theirs} apart"
    return f"{winner} for {limits_words(scene.limits)}: {compared}."


def explain(scene: Scene) -> list[Formula]:
    """What goes over the wire for a mean prompt, and what goodput counts."""
    if scene.served is None or scene.apart is None or isinstance(scene.together, Refused):
        return []
    on, link = scene.served.on, LINKS[scene.link]
    tokens = fmean(each.request.prompt_tokens for each in scene.apart.run.outcomes)
    size = kv_cache_bytes(on.model, tokens, on.kv_format)
    best = scene.best_together(*scene.asked_s)
    source, url = "DistServe: Zhong et al., 2024", "https://arxiv.org/abs/2401.09670"
    steps = [
        Formula(
            label="Sending the rows of a mean prompt",
            rule="bytes of its cache rows ÷ rate of the link + latency; the wire carries one prompt at a time",
            inserted=f"{units.show(size, 'B')} ÷ {units.show(link.bytes_per_s, 'B/s')}",
            result=_seconds(link.seconds(size, on.model.num_hidden_layers, 0.0)),
            source=source,
            source_url=url,
        )
    ]
    for way in (best, scene.apart):
        within = way.share_within(*scene.asked_s)
        steps.append(
            Formula(
                label=f"Goodput, {'apart' if way is scene.apart else f'together, {way.name}'}",
                rule="arrivals per second × the share of requests within the limits",
                inserted=f"{scene.rate:g} × {share(within)}",
                result=units.show(scene.rate * within, "requests/s", digits=3),
                source=source,
                source_url=url,
            )
        )
    return steps


def table(scene: Scene) -> list[list[Cell]]:
    """A row for each pair of limits."""
    rows: list[list[Cell]] = [["ttft_limit_s", "tpot_limit_s", "share_together", "share_apart", "better"]]
    if isinstance(scene.together, Refused) or scene.apart is None:
        return rows
    for first_s in FIRSTS_S:
        for pace_s in PACES_S:
            mine = scene.best_together(first_s, pace_s).share_within(first_s, pace_s)
            theirs = scene.apart.share_within(first_s, pace_s)
            rows.append([first_s, pace_s, mine, theirs, scene.winner(first_s, pace_s)])
    return rows
