"""A chat pane: the question, the wait, then the stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, div, i, span

from demos.kit.html import element, joined
from demos.kit.number import count, percent, plural
from pysim import units

LAST_CHARACTERS = 420
PROMPT_CHARACTERS = 90
MOST_TICKS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Pane:
    """One device at work: what was asked, which tokens stand, and when things happen (seconds)."""

    title: str
    note: str
    prompt: str
    prompt_tokens: int
    answer: Sequence[str]
    written: int
    now_s: float
    ttft_s: float
    end_s: float


def chat_pane(pane: Pane) -> SafeString:
    """Return the pane at its moment; of a long answer the end that can be seen."""
    writing = 0 < pane.written < len(pane.answer)
    waiting = pane.written == 0 and pane.now_s > 0
    caret = [i({"class": "caret"})] if writing else []
    answer = [span({"class": "dots"}, "…")] if waiting else [tail(pane.answer, pane.written), *caret]
    return element(
        div,
        {"class": "chat"},
        div({"class": "chat-head"}, span({"class": "chat-title"}, pane.title), span({"class": "chat-note"}, pane.note)),
        div({"class": "chat-window"}, _question(pane), div({"class": "bubble answer", "dir": "auto"}, *answer)),
        div({"class": "chat-line"}, _line(pane)),
    )


def _question(pane: Pane) -> SafeString:
    text = pane.prompt if len(pane.prompt) <= PROMPT_CHARACTERS else f"{pane.prompt[:PROMPT_CHARACTERS].rstrip()} …"
    size = span({"class": "bubble-size"}, plural(pane.prompt_tokens, "token"))
    return element(div, {"class": "bubble question", "dir": "auto"}, text, " ", size)


def tail(pieces: Sequence[str], written: int) -> str:
    """Return the last characters of the first `written` tokens."""
    kept: list[str] = []
    length = 0
    for position in range(written - 1, -1, -1):
        kept.append(pieces[position])
        length += len(pieces[position])
        if length > LAST_CHARACTERS:
            return "… " + "".join(reversed(kept)).lstrip()
    return "".join(reversed(kept))


def _line(pane: Pane) -> str:
    clock = units.show(min(pane.now_s, pane.end_s), "s", digits=3)
    if pane.now_s <= 0:
        return "not sent yet"
    if pane.written == 0:
        return f"{clock}: reading the prompt (prefill)"
    if pane.written < len(pane.answer):
        return f"{clock}: writing (decode), {count(pane.written)} of {plural(len(pane.answer), 'token')}"
    return f"done after {clock}: {plural(len(pane.answer), 'token')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A run on the timeline: prefill until `ttft_s`, then tokens until `end_s`."""

    title: str
    ttft_s: float
    end_s: float
    tokens: int


def timeline(lines: tuple[Line, ...], scale_s: float, now_s: float) -> SafeString:
    """Return the runs to one scale, with a head where the moment is."""
    return element(div, {"class": "timeline"}, *[_timeline(line, scale_s, now_s) for line in lines])


def _timeline(line: Line, scale_s: float, now_s: float) -> SafeString:
    head = i({"class": "head", "style": f"left:{percent(now_s / scale_s)}"})
    track = element(div, {"class": "strip"}, _segments(line, scale_s), head)
    first = f"first token {units.show(line.ttft_s, 's', digits=3)}"
    words = f"{first}, end {units.show(line.end_s, 's', digits=3)}"
    return element(div, {"class": "timeline-row"}, div({"class": "cap"}, line.title, ": ", words), track)


@lru_cache(maxsize=64)
def _segments(line: Line, scale_s: float) -> SafeString:
    drawn = [i({"class": "prefill", "style": f"left:0;width:{percent(line.ttft_s / scale_s)}"})]
    gaps = max(0, line.tokens - 1)
    ticks = min(gaps, MOST_TICKS)
    for k in range(ticks):
        begin = line.ttft_s + (line.end_s - line.ttft_s) * k / ticks
        width = (line.end_s - line.ttft_s) / ticks
        drawn.append(
            i({"class": "decode", "style": f"left:{percent(begin / scale_s)};width:{percent(width / scale_s)}"})
        )
    return joined(*drawn)
