"""Terminal: the answer to a text in at most 25 lines, none wider than the terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from pysim.doctor.answer.answer import answer_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pysim.doctor.answer.answer import Answer
    from pysim.doctor.answer.ask import Ask
    from pysim.doctor.case import Diagnosis

MOST_LINES: Final = 25
WIDTH: Final = 80
_NARROWEST: Final = 40
_MORE: Final = "--all shows every run with all that is known of it."


def as_lines(diagnosis: Diagnosis, *, width: int = WIDTH) -> list[str]:
    """The verdict, at most three changes, the figures, and what cannot be told."""
    lines = list(_lines(answer_of(diagnosis), max(_NARROWEST, width)))
    if len(lines) >= MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], _MORE]
    return lines


def _lines(answer: Answer, width: int) -> Iterator[str]:
    yield from _wrapped(answer.verdict, width)
    if answer.changes:
        yield "Try:"
    for number, change in enumerate(answer.changes, 1):
        gain = f": {change.gain}" if change.gain else ""
        yield from _wrapped(f"{change.what}{gain}", width, first=f"  {number}. ")
        if change.reveals:
            where = f" (line {change.line:,})" if change.line else ""
            yield from _wrapped(f"because: {change.reveals}{where}", width, first="     ")
    for figure in answer.figures:
        yield from _wrapped(figure.text, width, first=f"{figure.label:<9}")
    if answer.ask is not None:
        yield from _wrapped(_asked(answer.ask), width, first="asked    ")
    for unknown in answer.unknown:
        yield from _wrapped(unknown, width, first="open     ")


def _asked(ask: Ask) -> str:
    """The question, with the options that answer it."""
    if ask.about == "memory":
        return f"{ask.question} Add {ask.paste}, such as {ask.guesses[0].name}."
    options = ", ".join(f"--{ask.about} {guess.value}" for guess in ask.guesses) or f"--{ask.about} KEY"
    return f"{ask.question} {options}; or paste {ask.paste}."


def _wrapped(text: str, width: int, *, first: str = "") -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False
    ) or [first.rstrip()]
