"""Does a text without any tool's lines at least say speeds: "12 t/s on my 3060", "generation 93 tokens per second"?

Looked at only where nothing else was found. Which tokens such a rate counts is taken from the words next to it, or
left open. Rates that others have or that were expected are no measurement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Run, RunKind
from pysim.doctor.read.text import Text

TOOL: Final = "a sentence"
_DOUBT: Final = "taken from a sentence, not from a tool's output: how it was measured is unknown"
_MOST_CHARACTERS: Final = 20_000
_MOST_RATES: Final = 24
_REACH: Final = 90
_VALUE: Final = rf"(?:{NUMBER}|\d{{1,4}},\d{{1,2}})"
_RATE: Final = re.compile(
    rf"(?<![\w.,])({_VALUE})(?: {{0,2}}(?:-|–|—|to|bis) {{0,2}}~?({_VALUE}))?[*_`]{{0,3}} {{0,3}}"
    r"(?:(?:tokens?|toks?|tks?|t) {0,2}(?:/|per|p|a|par|por|pro) {0,2}"
    r"(seconds?|secs?|sekunden?|secondes?|segundos?|s|minutes?|min)"
    r"|(tps)|(ms|milliseconds?|s|sec|seconds?) {0,2}(?:/|per|a|each) {0,2}t(?:ok(?:en)?)?)(?![\w/])",
    re.IGNORECASE,
)
# "4000 / 80 t/s" where the order of the two is told.
_PAIR: Final = re.compile(rf"(?<![\w.,/])[*_`]{{0,3}}({_VALUE})[*_`]{{0,3}} ?/ ?[*_`]{{0,3}}({_VALUE})(?![\w/])")
_ORDER: Final = re.compile(
    r"(?:pp|prompt|prefill) ?(\d{0,7})[a-z ]{0,12} ?(?:/|,|and|then) ?(?:tg|gen|generation|decode) ?(\d{0,7})",
    re.IGNORECASE,
)
_READS: Final = re.compile(
    r"prompt|prefill|\bpp\d{0,7}\b|ingest|\binput|\breading|\breads?\b|pre-?processing", re.IGNORECASE
)
_WRITES: Final = re.compile(
    r"generate|generati|\btg\d{0,7}\b|decod|\boutput|\bwrit|response|\beval|token gen|\binference", re.IGNORECASE
)
_TEST: Final = re.compile(r"\b(?:pp|tg) ?(\d{1,7})\b", re.IGNORECASE)
_NOT_MEASURED: Final = re.compile(
    r"\b(?:others?|someone|somebody|people|friends?|they|everyone|everybody|reddit|youtube|reviews?|reports?|reported"
    r"|claims?|claimed|advertised|supposed(?:ly)?|expect(?:ed|ing)?|should (?:be|get|give|have|do)|theoretical(?:ly)?"
    r"|want(?:ed)?|hop(?:e|ing)|goal|target|would (?:be|need|like)|at least|need|i'd like|possible"
    r"|up to)\b[^.;]{0,60}\Z",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d]{2,}")
_ARROWS: Final = re.compile(r"[-=]+>|→|(?<=\w) ?= ?(?=[~*\d]|\Z)")
_CLOSED: Final = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
_APART: Final = re.compile(r"[.;,|，、\n](?!\d)| and | but | und | et ")


@dataclass(frozen=True, slots=True)
class _Said:
    """A rate in tokens per second, and of which phase ("": not told).

    `words`: those before it. `between`: the ends of the range that was said.
    """

    what: str
    rate: float
    start: int
    line: int
    words: str
    tokens: int | None = None
    between: tuple[float, float] | None = None


def spoken(text: Text) -> list[Run]:
    """A run for each rate, or pair of reading and writing, that a text tells as measured; one said twice once."""
    if len(text.plain) > _MOST_CHARACTERS:
        return []
    rates = _once(_pairs(text) or list(_rates(text)))
    if not 0 < len(rates) <= _MOST_RATES:
        return []
    runs: list[list[_Said]] = []
    for said in rates:
        last = runs[-1] if runs else []
        kinds = {other.what for other in last}
        together = bool(last) and said.line - last[-1].line <= 1
        if together and len(last) == 1 and {said.what} | kinds == {"prompt", "generation"}:
            last.append(said)
        else:
            runs.append([said])
    several = len(runs) > 1
    return [_run(run, several=several) for run in runs]


def _run(rates: list[_Said], *, several: bool) -> Run:
    speed = {said.what: said for said in rates}
    reads, writes, bare = speed.get("prompt"), speed.get("generation"), speed.get("")
    kind: RunKind = "request" if reads and writes else "prompt" if reads else "generation" if writes else "combined"
    doubts = [_DOUBT]
    doubts += [
        f"said as {said.between[0]:g} to {said.between[1]:g} tokens per second, of which the middle is taken"
        for said in rates
        if said.between is not None
    ]
    return Run(
        tool=TOOL,
        kind=kind,
        line=rates[0].line,
        last_line=rates[-1].line,
        label=rates[0].words if several else "",
        prompt_tokens=reads.tokens if reads else None,
        output_tokens=writes.tokens if writes else None,
        prefill_tokens_per_s=reads.rate if reads else None,
        decode_tokens_per_s=writes.rate if writes else None,
        combined_tokens_per_s=bare.rate if bare else None,
        sequences=1,
        doubts=tuple(doubts),
    )


def _once(rates: list[_Said]) -> list[_Said]:
    """Each rate once: the same number again says no more, but may say of which phase it is."""
    kept: list[_Said] = []
    for said in rates:
        for place, other in enumerate(kept):
            if other.rate == said.rate and (other.what == said.what or not other.what or not said.what):
                kept[place] = replace(other, what=other.what or said.what)
                break
        else:
            kept.append(said)
    return kept


def _rates(text: Text) -> Iterator[_Said]:
    """Each rate with the words between it and the one before."""
    after = 0
    for match in _RATE.finditer(text.plain):
        said = _said(text, match, after)
        after = match.end()
        if said is not None:
            yield said


def _said(text: Text, match: re.Match[str], after: int) -> _Said | None:
    """What a match tells; None where it is no sentence's, not measured, or nothing.

    `after`: where the last one ends.
    """
    start = text.plain.rfind("\n", 0, match.start()) + 1
    end = text.plain.find("\n", match.end())
    before, behind = text.plain[start : match.start()], text.plain[match.end() : end if end >= 0 else None]
    low, high = _number(match[1]), _number(match[2] or match[1])
    if not low or not high or not _in_a_sentence(before, behind):
        return None
    before = before[max(0, after - start, len(before) - _REACH) :]
    if _NOT_MEASURED.search(before):
        return None
    near = _APART.split(before)[-1]
    low, high = _per_second(low, match), _per_second(high, match)
    what = _what(near, _APART.split(behind[:30])[0])
    test = _TEST.search(near)
    words = " ".join(near.split()).strip(" -*:=~#")
    return _Said(
        what=what,
        rate=(low + high) / 2,
        start=match.start(),
        line=text.number_at(match.start()),
        words=words[:60],
        tokens=int(test[1]) if test and what else None,
        between=None if low == high else (min(low, high), max(low, high)),
    )


def _number(shown: str) -> float | None:
    return number(shown.replace(",", ".") if re.fullmatch(r"\d{1,4},\d{1,2}", shown) else shown)


def _per_second(value: float, match: re.Match[str]) -> float:
    """Tokens per second of what was said per minute, or of the time for one token."""
    if match[5]:
        return 1 / (value / 1000 if match[5].lower().startswith("m") else value)
    return value / 60 if (match[3] or "").lower().startswith("m") else value


def _in_a_sentence(before: str, behind: str) -> bool:
    """Words around it, and none of the signs between which tools put their figures: a tool's line cut in half."""
    before = _ARROWS.sub(" ", _CLOSED.sub(" ", before))
    return not set('([{|=<>"•') & set(before) and len(_WORD.findall(before + behind)) > 1


def _what(before: str, behind: str) -> str:
    """Which phase the words next to a rate name, "" for none or both; those before it count first."""
    for words in (before, behind):
        reads = _READS.search(words) is not None
        writes = _WRITES.search(re.sub(r"(?i)prompt eval\w*", "", words)) is not None
        if reads != writes:
            return "prompt" if reads else "generation"
        if reads and writes:
            return ""
    return ""


def _pairs(text: Text) -> list[_Said]:
    """Both rates of each line of a list whose heading says "pp512 / tg128" or the like."""
    order = _ORDER.search(text.plain)
    if order is None or not _RATE.search(text.plain):
        return []
    return [said for match in _PAIR.finditer(text.plain, order.end()) for said in _of_pair(text, match, order)]


def _of_pair(text: Text, match: re.Match[str], order: re.Match[str]) -> Iterator[_Said]:
    start = text.plain.rfind("\n", 0, match.start()) + 1
    before = text.plain[start : match.start()]
    rates = _number(match[1]), _number(match[2])
    if not rates[0] or not rates[1] or not _WORD.search(before) or set("|=<>") & set(before):
        return
    words = " ".join(before.split()).strip(" -*:=~#")[:60]
    for what, rate, tokens in zip(("prompt", "generation"), rates, order.groups(), strict=True):
        yield _Said(
            what=what, rate=rate or 0.0, start=match.start(), line=text.number_at(match.start()), words=words,
            tokens=int(tokens) if tokens else None,
        )  # fmt: skip
