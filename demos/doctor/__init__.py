"""Which phase is slow in what a tool printed, how near is it to the wall, and what would help?"""

from __future__ import annotations

from simple_html import Node, SafeString, div, h2, li, p, ul

from demos.doctor.ask import ask_box, post_button
from demos.doctor.case import advice_list, cases_table, open_list, recognized_table, run_timeline, sentence
from demos.doctor.controls import CONTROLS, READOUTS
from demos.doctor.explanation import case_math
from demos.doctor.phase import phase_panel, phase_speed
from demos.doctor.simulation import Scene, scene
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from pysim.doctor.answer.answer import Answer, answer_of
from pysim.doctor.case import Case, Phase
from pysim.doctor.find import programs
from pysim.doctor.read.run import Gap
from pysim.doctor.show.details import whose_rate
from pysim.doctor.show.post import as_post
from pysim.units import show

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

TITLE = "Is this speed normal, and what should I change?"
LEAD = "Paste what your tool printed. It is read in your browser and never sent anywhere."
ASKED = (
    "why is my model slow",
    "is my speed normal",
    "is my GPU used",
    "too few tokens per second",
    "read llama-bench output",
    "ollama verbose explained",
    "prompt eval rate",
    "eval rate",
)
MAIN = ("example", "text")
PRESETS: tuple[Preset, ...] = ()
MATH_NOTE = "Shares are fractions of the spec sheet's bandwidth and peak math. Typical ranges cover eight of ten runs."
NOTHING = Missing("the text doesn't say")
MOST_GAPS = 8


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """The verdict, what to change, where the time went, both phases against what is typical, what cannot be told."""
    case = scene.case
    parts = _nothing(scene) if case is None else _case(scene, case, answer_of(scene.diagnosis, scene.number))
    stage = element(div, {"class": "stage doctor"}, *parts, *_gaps(scene.diagnosis.gaps))
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _readable() -> str:
    """What the readers know, in words."""
    *most, last = programs()
    return f"what {', '.join(most)} and {last} print"


def _nothing(scene: Scene) -> list[Node]:
    if scene.empty:
        return [
            p({"class": "tool-verdict"}, "Nothing to read yet."),
            p({"class": "cap"}, f"It can read {_readable()}."),
        ]
    lines = plural(scene.diagnosis.lines, "line")
    return [
        p({"class": "tool-verdict"}, f"No known measurement in {lines}."),
        p({"class": "cap"}, f"It can read {_readable()}. Shell prompts, logs and colors around it don't matter."),
        p({"class": "cap"}, "Run ollama run MODEL --verbose or llama-bench -m FILE, and paste everything it prints."),
    ]


def _case(scene: Scene, case: Case, answer: Answer) -> list[Node]:
    cases = scene.diagnosis.cases
    drawn: list[Node] = [p({"class": "tool-verdict"}, answer.verdict)]
    if answer.changes:
        drawn += [_head("What to change"), advice_list(answer.changes)]
    if answer.ask is not None:
        drawn.append(ask_box(answer.ask))
    drawn += [
        _head("The figures"),
        p({"class": "cap"}, f"{case.title} ({case.runs[0].tool}, {_place(case)}). {scene.note}"),
    ]
    if (rate := case.rate_tokens_per_s) is not None:
        drawn.append(p({"class": "cap"}, f"Its only rate: {show(rate, 'tokens/s', digits=3)}{whose_rate(case)}."))
    if case.parts_s:
        drawn.append(run_timeline(case.parts_s, case.assembled))
    panels = (
        phase_panel("prefill", "Reading the prompt (prefill)", case.prefill, "This output doesn't time it."),
        phase_panel("decode", "Writing the answer (decode)", case.decode, "This output doesn't time it."),
    )
    drawn.append(div({"class": "phase-panels"}, *panels))
    if case.cannot_tell:
        drawn += [_head("What this output cannot tell"), open_list(case.cannot_tell)]
    if case.doubts:
        drawn += [_head("Keep in mind"), ul(*[li(sentence(doubt)) for doubt in case.doubts[:MOST_GAPS]])]
    drawn += [_head("What was recognized"), recognized_table(case)]
    if len(cases) > 1:
        drawn.append(cases_table(cases, scene.number))
    drawn.append(post_button(as_post(scene.diagnosis, scene.number)))
    return drawn


def _head(text: str) -> SafeString:
    return element(h2, {"class": "part-title"}, text)


def _gaps(gaps: tuple[Gap, ...]) -> list[Node]:
    if not gaps:
        return []
    items = [li(f"Line {count(gap.line)}: {gap.message}") for gap in gaps[:MOST_GAPS]]
    left = len(gaps) - len(items)
    more = [li(f"… and {count(left)} more")] if left else []
    return [_head("Where the text breaks off"), ul(*items, *more)]


def _place(case: Case) -> str:
    first, last = min(run.line for run in case.runs), max(run.last_line for run in case.runs)
    return f"line {count(first)}" if first == last else f"lines {count(first)} to {count(last)}"


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    case = scene.case
    values: dict[str, ReadoutValue] = {readout.name: NOTHING for readout in READOUTS}
    values["cases"] = len(scene.diagnosis.cases)
    if case is None:
        return values
    told: dict[str, ReadoutValue | None] = {
        "slow_part": case.slow,
        "prefill_tokens_per_s": None if case.prefill is None else case.prefill.tokens_per_s,
        "prefill_verdict": None if case.prefill is None else case.prefill.verdict,
        "decode_tokens_per_s": None if case.decode is None else phase_speed(case.decode),
        "decode_verdict": None if case.decode is None else case.decode.verdict,
        "ttft_s": case.ttft_s,
        "tpot_s": case.tpot_s,
        "total_s": case.total_s,
        "mbu": _used(case.decode, "mbu"),
        "mfu": _used(case.prefill, "mfu"),
    }
    return values | {name: value for name, value in told.items() if value is not None}


def _used(phase: Phase | None, name: str) -> float | None:
    used: float | None = None if phase is None or phase.doubt is not None else getattr(phase, name)
    return used


def say(scene: Scene, t_s: float) -> str:
    """The verdict, or why there is none."""
    case = scene.case
    if case is None:
        return "Nothing to read yet." if scene.empty else "The text has no known measurement."
    several = "" if len(scene.diagnosis.cases) == 1 else f"Run {scene.number} of {len(scene.diagnosis.cases)}: "
    return " ".join(f"{several}{answer_of(scene.diagnosis, scene.number).verdict}".split())


def explain(scene: Scene) -> list[Formula]:
    """The two speeds, the share of bandwidth and of math, and where the typical range comes from."""
    return case_math(scene.case)


def table(scene: Scene) -> list[list[Cell]]:
    """One row per case."""
    rows: list[list[Cell]] = [["number", "what", "tool", "first_line", *(readout.name for readout in READOUTS[1:])]]
    for number, case in enumerate(scene.diagnosis.cases, 1):
        values = _values(Scene(diagnosis=scene.diagnosis, number=number, empty=False, note=""))
        first = min(run.line for run in case.runs)
        rows.append(
            [number, case.title, case.runs[0].tool, first, *(_cell(values[readout.name]) for readout in READOUTS[1:])]
        )
    return rows if len(rows) > 1 else [*rows, [0, "nothing found", "", 0, *("none" for _ in READOUTS[1:])]]


def _cell(value: ReadoutValue) -> Cell:
    return value if isinstance(value, str | int | float) else "none"
