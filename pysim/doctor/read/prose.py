"""Does a text without any tool's lines at least say a speed: "12 t/s on my 3060", "generation 93 tokens per second"?

Looked at only where nothing else was found. Which tokens such a rate counts is taken from the words next to it, or
left open.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Run
from pysim.doctor.read.text import Text

TOOL: Final = "a sentence"
_MOST_CHARACTERS: Final = 20_000
_MOST_RATES: Final = 4
_RATE: Final = re.compile(
    rf"(?<![\w.])({NUMBER}) {{0,3}}"
    r"(?:(?:tokens?|toks?|tks?|t) {0,2}(?:/|per|p|a) {0,2}(seconds?|secs?|s|minutes?|min)"
    r"|tps)\b",
    re.IGNORECASE,
)
_READS: Final = re.compile(r"prompt|prefill|\bpp\b|ingest|\binput|\breading|\breads?\b", re.IGNORECASE)
_WRITES: Final = re.compile(r"generate|generati|\btg\b|decod|\boutput|\bwrit|response|\beval", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d]{2,}")
_APART: Final = re.compile(r"[.;,|\n]| and ")


def spoken(text: Text) -> list[Run]:
    """One run, if the text names at most one rate of each phase; none where it names more."""
    if len(text.plain) > _MOST_CHARACTERS:
        return []
    rates = [(match, *_what(text, match)) for match in _RATE.finditer(text.plain) if _in_a_sentence(text, match)]
    rates = [rate for rate in rates if rate[2]]
    kinds = [what for _, what, _ in rates]
    if not 0 < len(rates) <= _MOST_RATES or len(set(kinds)) < len(kinds) or ("" in kinds and len(kinds) > 1):
        return []
    speed = {what: rate for _, what, rate in rates}
    lines = [text.number_at(match.start()) for match, _, _ in rates]
    both = {"prompt", "generation"} <= set(kinds)
    run = Run(
        tool=TOOL,
        kind="request"
        if both
        else "prompt"
        if "prompt" in speed
        else "generation"
        if "generation" in speed
        else "combined",
        line=lines[0],
        last_line=lines[-1],
        prefill_tokens_per_s=speed.get("prompt"),
        decode_tokens_per_s=speed.get("generation"),
        combined_tokens_per_s=speed.get(""),
        sequences=1,
        doubts=("taken from a sentence, not from a tool's output: how it was measured is unknown",),
    )
    return [run]


def _in_a_sentence(text: Text, match: re.Match[str]) -> bool:
    """Words around it, and none of the signs between which tools put their figures: a tool's line cut in half."""
    start = text.plain.rfind("\n", 0, match.start()) + 1
    end = text.plain.find("\n", match.end())
    before, behind = text.plain[start : match.start()], text.plain[match.end() : end if end >= 0 else None]
    return not set('([{|=<>"•') & set(before) and len(_WORD.findall(before + behind)) > 1


def _what(text: Text, match: re.Match[str]) -> tuple[str, float]:
    """Which phase the words next to a rate name ("" for none or both), and the rate in tokens per second."""
    value = number(match[1]) or 0.0
    rate = value / 60 if (match[2] or "").lower().startswith("m") else value
    before = _APART.split(text.plain[max(0, match.start() - 60) : match.start()])[-1]
    behind = _APART.split(text.plain[match.end() : match.end() + 30])[0]
    reads = _READS.search(before) or _READS.search(behind)
    writes = _WRITES.search(re.sub(r"(?i)prompt eval\w*", "", before)) or _WRITES.search(behind)
    return ("" if bool(reads) == bool(writes) else "prompt" if reads else "generation"), max(0.0, rate)
