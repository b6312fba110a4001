"""Corpus of tools' outputs to test readers with, whole and after mishaps."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from math import isfinite
from typing import Final

from pysim.doctor.judge.plausible import sane
from pysim.doctor.read.run import Latency, Reading, Run, Setup
from tests.pysim.doctor.samples import names, sample
from tests.tools.field_forms import FIELD_FORMS

# A rate without limit is infinite; parts may sum to more than their total.
_MAY_BE_ANYTHING: Final = ("request_rate_per_s", "unaccounted_s")
_MOST_CHARACTERS: Final = 20_000
_SPLINTERS: Final = (
    *("{", "}", '{"', '"', "[", "]", ",", ":", "\\", "\n", "\r", "\t", "|", "| --- |", "-", "±", "=", "/", " ms", " s"),
    *("0", "-1", "1e308", "1e-320", "inf", "nan", "Infinity", "9" * 30, "0.00", "1,234", "%", "tokens", "t/s", "(s):"),
    *("\x1b[31m", "\x00", "\u00a0", "\ufeff", "µs", "INSERT INTO t (avg_ts) VALUES (", "llama-1  | ", "> ", "```"),
)


@cache
def corpus() -> dict[str, str]:
    """Every sample of the samples' folder by name, of whatever form."""
    return {name: sample(name) for name in names()}


def mutated(chance: random.Random) -> str:
    """One text of the corpus, or two mixed, after up to six mishaps."""
    texts = [*corpus().values(), *FIELD_FORMS]
    text = chance.choice(texts)
    if chance.random() < 0.2:
        text = _interleaved(chance, text, chance.choice(texts))
    for _ in range(chance.randint(1, 6)):
        text = chance.choice(_MISHAPS)(chance, text)
    return text[:_MOST_CHARACTERS]


def _span(chance: random.Random, text: str, most: int = 200) -> tuple[int, int]:
    start = chance.randint(0, len(text))
    return start, min(len(text), start + chance.randint(0, most))


def _cut_out(chance: random.Random, text: str) -> str:
    start, end = _span(chance, text)
    return text[:start] + text[end:]


def _cut_off(chance: random.Random, text: str) -> str:
    at = chance.randint(0, len(text))
    return text[:at] if chance.random() < 0.5 else text[at:]


def _repeated(chance: random.Random, text: str) -> str:
    start, end = _span(chance, text)
    return text[:end] + text[start:end] * chance.randint(1, 3) + text[end:]


def _splintered(chance: random.Random, text: str) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chance.choice(_SPLINTERS) * chance.choice((1, 1, 1, 2, 50)) + text[at:]


def _digits(chance: random.Random, text: str) -> str:
    return "".join(chance.choice("0123456789.,-eE") if c.isdigit() and chance.random() < 0.1 else c for c in text)


def _wrapped(chance: random.Random, text: str) -> str:
    columns = chance.randint(5, 120)
    return "\n".join(line[at : at + columns] for line in text.split("\n") for at in range(0, len(line) or 1, columns))


def _prefixed(chance: random.Random, text: str) -> str:
    prefix = chance.choice(("> ", "    ", "x-1 | ", "2025-01-01 10:00:00 ", "INFO ", '"', "| ", "\t"))
    return "\n".join(prefix + line for line in text.split("\n"))


def _shuffled(chance: random.Random, text: str) -> str:
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


def _joined(chance: random.Random, text: str) -> str:
    return text.replace("\n", chance.choice(("", " ", "\r", "\\n", "\n\n")))


def _one_character(chance: random.Random, text: str) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chr(chance.choice((chance.randrange(128), chance.randrange(0x11000)))) + text[at + 1 :]


def _interleaved(chance: random.Random, text: str, other: str) -> str:
    mixed = [(chance.random(), line) for line in text.split("\n") + other.split("\n")]
    return "\n".join(line for _, line in sorted(mixed)) if chance.random() < 0.3 else text + other


_MISHAPS: Final[tuple[Callable[[random.Random, str], str], ...]] = (
    *(_cut_out, _cut_off, _repeated, _splintered, _digits, _wrapped, _prefixed, _shuffled, _joined, _one_character),
)


def assert_sound(reading: Reading) -> None:
    """What holds of every reading, of whatever text."""
    assert [run.line for run in reading.runs] == sorted(run.line for run in reading.runs)
    for run in reading.runs:
        assert run.tool
        assert 1 <= run.line <= run.last_line <= reading.lines, run
        known = sane(run)
        for record in (known, known.setup, known.ttft, known.tpot, known.itl, known.end_to_end):
            _assert_possible(record)
    for gap in reading.gaps:
        assert 1 <= gap.line <= reading.lines, gap
        assert gap.message


def _assert_possible(record: Run | Setup | Latency | None) -> None:
    if record is None:
        return
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, int | float) and field.name not in _MAY_BE_ANYTHING:
            assert isfinite(value), (field.name, record)
            assert value >= 0 or isinstance(record, Setup), (field.name, record)
