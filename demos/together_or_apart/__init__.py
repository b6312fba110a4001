"""Should the same machines read and write, or should some read and others write?"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Final

from simple_html import SafeString, div, span

from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import share
from demos.kit.serving.loads import limits_words
from demos.kit.serving.server import Refused
from demos.together_or_apart.controls import CONTROLS, MACHINES, PRESETS, READOUTS, WINNERS
from demos.together_or_apart.simulation import Scene, Way, scene
from pysim import units
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.serving.cluster.link import LINKS

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

TITLE = "Together or apart?"
LEAD = "Four machines: choose how they share the work, and see for which limits it pays."
MAIN = ("split", "link")
ASKED = ("disaggregated prefill", "separate prefill and decode", "prefill decode disaggregation", "xPyD")
MATH_NOTE = (
    "All runs get the same requests, at typical speed. Together: the best of three token budgets. A seed is one draw: "
    "try others before you believe a narrow win."
)
FIRSTS_S: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
PACES_S: Final = (0.1, 0.05, 0.03, 0.02, 0.015, 0.01, 0.008)


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
