"""A post: the answer as Markdown for a forum, without words of the pasted text that may be private."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.doctor.answer.answer import answer_of

if TYPE_CHECKING:
    from pysim.doctor.case import Diagnosis

_BY: Final = "Read by the doctor of Two Speeds, which compares a run with what its spec sheet and other runs say."


def as_post(diagnosis: Diagnosis, number: int | None = None) -> str:
    """The verdict, the changes and the figures as Markdown, for case `number` as in `answer_of`."""
    answer = answer_of(diagnosis, number)
    lines = [f"**{_plain(answer.verdict)}**"]
    if answer.changes:
        lines.append("")
        for at, change in enumerate(answer.changes, 1):
            lines.append(f"{at}. {_plain(change.what)}" + (f": {change.gain}" if change.gain else ""))
    if answer.figures:
        lines += ["", "| | |", "| --- | --- |"]
        lines += [f"| {_cell(figure.label)} | {_cell(figure.text)} |" for figure in answer.figures]
    if answer.unknown:
        lines += ["", "What the text cannot tell:", ""]
        lines += [f"- {_plain(unknown)}" for unknown in answer.unknown]
    return "\n".join([*lines, "", _BY, ""])


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    for sign in ("\\", "*", "_", "<", "`"):
        text = text.replace(sign, f"\\{sign}")
    return text
