"""What do the lines say that `ollama run --verbose` prints after an answer, and averages of them?

`prompt eval duration: 204.563ms`, `eval rate: 24.61 tokens/s`: Summary() in ollama's api/types.go. Scripts around it
print the same words, all in one line or only the rates, and an average at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from pysim.doctor.read.numbers import DURATION, NUMBER, duration_s, number
from pysim.doctor.read.ollama.phases import completed
from pysim.doctor.read.ollama.setup import model_above, models_named, setup
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.statistics import deviation
from pysim.doctor.read.text import Text, is_whole

TOOL: Final = "ollama --verbose"
KTRANSFORMERS: Final = "ktransformers"
TOOLS: Final = {TOOL: "ollama", KTRANSFORMERS: "ktransformers"}
_WORDS: Final = (
    "eval rate", "eval count", "eval duration", "total duration", "load duration", "Eval Rate", "Eval rate",
    "eval_rate", "eval_count", "eval_duration", "total_duration", "load_duration", "Total duration", "Load duration",
)  # fmt: skip
_ENTRY: Final = re.compile(
    r"(?<![\"\w.])(average (?:of )?)?"
    r"(total[ _]duration|load[ _]duration|(?:prompt[ _])?eval[ _](?:count|duration|rate))"
    rf"[*`']{{0,3}}[ \t]{{0,3}}[:=|][ \t|*`]{{0,40}}(?:({DURATION})(?![\w.])|({NUMBER})(?![\w.%]))",
    re.IGNORECASE,
)
_COLUMN: Final = re.compile(r"[^|\n]{0,20}\|\s{0,40}[*~]{0,3}\d")
_NAMES: Final = ("total duration", "load duration", "prompt eval count", "prompt eval duration", "prompt eval rate",
                 "eval count", "eval duration", "eval rate")  # fmt: skip
_RATES: Final = frozenset({"eval rate", "prompt eval rate"})
_MOST_LINES_APART: Final = 12


@dataclass(slots=True)
class _Block:
    at: int
    line: int
    last_line: int
    values: dict[str, float] = field(default_factory=dict)


def read(text: Text) -> Reading:
    """One run per answer; answers of which only rates were kept are one run if an average follows."""
    places = text.places(*_WORDS)
    if not places:
        return Reading(runs=())
    answers: list[_Block] = []
    averages: list[_Block] = []
    for at in places:
        for average, name, value in _entries(text, at):
            _add(averages if average else answers, text, at, name, value)
    rates = [block for block in answers if block.values.keys() <= _RATES]
    if not answers and not averages:
        return Reading(runs=())
    known, named = setup(text), models_named(text)
    tool = KTRANSFORMERS if KTRANSFORMERS in text.plain.lower() else TOOL
    runs: list[Run] = []
    gaps: list[Gap] = []
    averaged: set[int] = set()
    first = 0  # of the rates that no average has claimed yet
    for block in averages:
        end = first
        while end < len(rates) and rates[end].at < block.at:
            end += 1
        of, first = rates[first:end], end + (end < len(rates) and rates[end].at == block.at)
        if of or len(answers) == len(averaged):
            runs.append(_of_program(_average(block, of, _setup(known, named, block.at)), tool))
            averaged.update(answer.at for answer in of)
    for block in answers:
        if block.at in averaged:
            continue
        runs.append(_of_program(_run(block, _setup(known, named, block.at)), tool))
        gaps += _missing(block) if tool == TOOL else []
    return Reading(runs=tuple(sorted(runs, key=lambda run: run.line)), gaps=tuple(gaps), lines=len(text.lines))


def _of_program(run: Run, tool: str) -> Run:
    """The run as that of another program that prints the same words, on another engine."""
    return run if tool == TOOL else replace(run, tool=tool, engine=KTRANSFORMERS)


def _entries(text: Text, at: int) -> Iterator[tuple[bool, str, float]]:
    content = text.lines[at].text
    if content.rstrip().endswith(":"):
        content = f"{content} {text.joined(at + 1, 1)}"
    if not content.isascii():
        content = content.replace("Âµ", "µ").replace("┬╡", "µ")
    for match in _ENTRY.finditer(content):
        average, label, duration, plain = match.groups()
        if "|" in match[0] and _COLUMN.match(content, match.end()):
            continue  # a table that somebody made of several answers
        name = label.lower().replace("_", " ")
        if not is_whole(text, at, match.end(), plain or ""):
            continue
        value = duration_s(duration) if duration else number(plain)
        if value is None or (duration and not name.endswith("duration")):
            continue
        if not duration and name.endswith("duration"):
            # A bare duration is one of the API's whole nanoseconds.
            value *= 1e-9
        yield bool(average), name, value


def _add(blocks: list[_Block], text: Text, at: int, name: str, value: float) -> None:
    line = text.lines[at].number
    last = blocks[-1] if blocks else None
    if (
        last is None
        or name in last.values
        or line - last.last_line > _MOST_LINES_APART
        or _NAMES.index(name) < max(map(_NAMES.index, last.values))
    ):
        blocks.append(last := _Block(at, line, line))
    last.values[name] = value
    last.last_line = line


def _setup(known: Setup, named: list[tuple[int, str]], at: int) -> Setup:
    return replace(known, model=model_above(named, at) or known.model)


def _run(block: _Block, known: Setup) -> Run:
    values = block.values
    whole = "total duration" in values and "eval rate" in values
    return completed(
        Run(
            tool=TOOL,
            kind="generation" if values.keys() <= {"eval rate", "eval count", "eval duration"} else "request",
            line=block.line,
            last_line=block.last_line,
            engine="llama.cpp",
            setup=known,
            prompt_tokens=values.get("prompt eval count"),
            output_tokens=values.get("eval count"),
            sequences=1,
            load_s=values.get("load duration"),
            prefill_s=values.get("prompt eval duration"),
            decode_s=values.get("eval duration"),
            total_s=values.get("total duration"),
            prefill_tokens_per_s=values.get("prompt eval rate"),
            decode_tokens_per_s=values.get("eval rate"),
        ),
        cached=whole and "prompt eval duration" not in values,
    )


def _average(block: _Block, of: list[_Block], known: Setup) -> Run:
    blocks = [*of, block]
    speeds = [answer.values["eval rate"] for answer in of if "eval rate" in answer.values]
    reading = [answer.values["prompt eval rate"] for answer in of if "prompt eval rate" in answer.values]
    prefill = block.values.get("prompt eval rate")
    return Run(
        tool=TOOL,
        kind="generation" if prefill is None else "request",
        line=min(block.line for block in blocks),
        last_line=block.last_line,
        label=f"average of {len(of)} answers" if of else "average",
        engine="llama.cpp",
        setup=known,
        sequences=1,
        repeats=len(of) or None,
        prefill_tokens_per_s=prefill,
        prefill_deviation=deviation(reading) if prefill is not None else None,
        decode_tokens_per_s=block.values.get("eval rate"),
        decode_deviation=deviation(speeds),
        doubts=() if prefill is not None else ("only the speed of writing was printed, not that of reading",),
    )


def _missing(block: _Block) -> list[Gap]:
    """What an answer's lines lack because the text was cut; the prompt's may be left out by ollama itself."""
    there = set(block.values)
    there |= {f"{phase} rate" for phase in ("eval", "prompt eval") if {f"{phase} count", f"{phase} duration"} <= there}
    if not any(name.startswith("prompt") for name in there):
        there |= {name for name in _NAMES if name.startswith("prompt")}
    missing = [name for name in _NAMES if name not in there]
    if not missing or block.values.keys() <= _RATES:
        return []
    return [Gap(line=block.last_line, message=f"missing: {', '.join(missing)}")]
