"""Which rates does running text tell, of which phase, and which of them were measured?

Which tokens a rate counts is taken from the words next to it, or left open. Rates that others have or that were
expected are no measurement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.text import Text

_REACH: Final = 90
_VALUE: Final = rf"(?:{NUMBER}|\d{{1,4}},\d{{1,2}})"
_RATE: Final = re.compile(
    rf"(?<![A-Za-z0-9_.,])({_VALUE})(?: {{0,2}}(-+>|=+>|→|-|–|—|~|to|bis|到) {{0,2}}~?({_VALUE}))?"
    r"(?:ish)?[*_`]{0,3} {0,3}个?"
    r"(?:(?:tokens?|toks?|tks?|t) {0,2}(?:/|per|p|a|par|por|pro) {0,2}"
    r"(seconds?|secs?|sekunden?|secondes?|segundos?|s|minutes?|min)"
    r"|(tps)|(ms|milliseconds?|s|sec|seconds?) {0,2}(?:/|per|a|each) {0,2}t(?:ok(?:en)?)?)(?![A-Za-z0-9_/])",
    re.IGNORECASE,
)
# "Decode token/s: 10.1": the unit before the number.
_LABELED: Final = re.compile(
    r"\b(?:(prefill|prompt(?: processing| eval(?:uation)?)?|pp)"
    r"|decod(?:e|ing)|(?:token )?generation|tg|eval(?:uation)?|output)[ _-]{0,2}(?:speed|rate|throughput)?\s{0,2}"
    rf"[\[(（]?(?:tokens?|tok|t)/s(?:ec)?[\])）]?"
    rf"(?: {{0,2}}[（(][^()（）\n]{{0,20}}[)）])?\s{{0,2}}(?:[:：=]|is|是)\s{{0,3}}({_VALUE})"
    r"(?![A-Za-z0-9.,%])",
    re.IGNORECASE,
)
# Phases with bare numbers, believed only where both are told.
_BARE: Final = re.compile(
    r"\b(?:(prompt processing|prefill|pp)|(?:token |text )?generation|decod(?:e|ing)|tg)(?: speed| rate)?"
    rf"(?: is| was|[:=])\s{{1,3}}({_VALUE})(?=\s*(?:\Z|[\n.;]))",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(rf"[*_ ]{{0,4}}(?:down |up )?(?:to|-+>|=+>|→) {{0,2}}~?({_VALUE})(?! ?[A-Za-z0-9/%.,]\w)")
_OF_OTHERS: Final = re.compile(
    r"^.{0,40}(?:官方|官网|official|reference|expected|readme|advertised).{0,40}[:：]", re.IGNORECASE
)
# "4000 / 80 t/s" where the order of the two is told.
_PAIR: Final = re.compile(rf"(?<![\w.,/])[*_`]{{0,3}}({_VALUE})[*_`]{{0,3}} ?/ ?[*_`]{{0,3}}({_VALUE})(?![\w/])")
_ORDER: Final = re.compile(
    r"(?:pp|prompt|prefill) ?(\d{0,7})[a-z ]{0,12} ?(?:/|,|and|then) ?(?:tg|gen|generation|decode) ?(\d{0,7})",
    re.IGNORECASE,
)
_READS: Final = re.compile(
    r"prompt|prefill|\bpp\d{0,7}\b|ingest|\binput|\breading|\breads?\b|pre-?processing|预填", re.IGNORECASE
)
_WRITES: Final = re.compile(
    r"generate|generati|\btg\d{0,7}\b|decod|\boutput|\bwrit|response|\beval|token gen|\binference|解码|生成",
    re.IGNORECASE,
)
_PHASE: Final = re.compile(r"\b(?:pp|tg|prefill|decode)\b", re.IGNORECASE)
_TEST: Final = re.compile(r"\b(?:pp|tg) ?(\d{1,7})\b", re.IGNORECASE)
_NOT_MEASURED: Final = re.compile(
    r"\b(?:others?|someone|somebody|people|friends?|they|everyone|everybody|reddit|youtube|reviews?|reports?|reported"
    r"|claims?|claimed|advertised|supposed(?:ly)?|expect(?:ed|ing)?|should (?:be|get|give|have|do)|theoretical(?:ly)?"
    r"|want(?:ed)?|hop(?:e|ing)|goal|target|would (?:be|need|like)|at least|need|i'd like|possible|exceeds?"
    r"|up to)\b[^.;]{0,60}\Z|(?:官方|预期|期望|理论|别人)[^.;。]{0,40}\Z",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(r"(?: (?:for|of|in)(?: the)? \w{2,12})?(?: and|,| /|/|\+) ?(?:about |~)?")
BOTH: Final = frozenset({"prompt", "generation"})
_WORD: Final = re.compile(r"[^\W\d]{2,}")
_ARROWS: Final = re.compile(r"[-=]+>|→|(?<=\w) ?= ?(?=[~*\d]|\Z)")
_CLOSED: Final = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
_APART: Final = re.compile(r"[.;,|，、\n](?!\d)| and | but | und | et ")


@dataclass(frozen=True, slots=True)
class Said:
    """A rate in tokens per second, and of which phase ("": not told).

    `words`: those before it. `between`: the ends of the range that was said. `state`: "before" or "after" a change.
    """

    what: str
    rate: float
    line: int
    words: str
    tokens: int | None = None
    between: tuple[float, float] | None = None
    state: str = ""


def rates_in(text: Text) -> list[Said]:
    """All rates of a text: of a list with both in each line, or of its sentences, or bare numbers of both phases."""
    return _pairs(text) or list(_rates(text)) or _bare(text)


def _rates(text: Text) -> Iterator[Said]:
    """Each rate with the words between it and the one before."""
    after = set_aside = 0
    found = [*_RATE.finditer(text.plain), *_LABELED.finditer(text.plain)]
    for match in sorted(found, key=lambda match: match.start()):
        if match.start() < after:
            continue
        told = list(_labeled(text, match) if match.re is _LABELED else _said(text, match, after))
        # "would be 255 t/s for reading and 17 t/s for writing": neither was measured.
        if not told or _GOES_ON.fullmatch(text.plain[set_aside : match.start()]):
            set_aside = match.end()
        else:
            yield from told
        after = match.end()


def _labeled(text: Text, match: re.Match[str]) -> Iterator[Said]:
    rate = _number(match[2])
    if rate and not _of_others(text, match.start()):
        what = "prompt" if match[1] else "generation"
        yield Said(what=what, rate=rate, line=text.number_at(match.start()), words="")


def _bare(text: Text) -> list[Said]:
    """Reading and writing as numbers without a unit, if a text has one of each."""
    found = [(match, _number(match[2])) for match in _BARE.finditer(text.plain)]
    rates = [
        Said(
            what="prompt" if match[1] else "generation", rate=rate, line=text.number_at(match.start()), words=""
        )
        for match, rate in found
        if rate
    ]  # fmt: skip
    return rates if len(rates) == 2 and {said.what for said in rates} == BOTH else []


def _of_others(text: Text, at: int) -> bool:
    """Does one of the two lines above say that these figures are a reference?"""
    start = text.plain.rfind("\n", 0, at) + 1
    above = text.plain[max(0, start - 200) : start].split("\n")[:-1]
    return any(_OF_OTHERS.match(line) for line in above[-2:])


def _said(text: Text, match: re.Match[str], after: int) -> Iterator[Said]:
    """What a match tells, nothing where it is no sentence's or not measured; `after`: where the last one ends."""
    start = text.plain.rfind("\n", 0, match.start()) + 1
    end = text.plain.find("\n", match.end())
    before, behind = text.plain[start : match.start()], text.plain[match.end() : end if end >= 0 else None]
    low, high = _number(match[1]), _number(match[3] or match[1])
    if not low or not high or not _in_a_sentence(before, behind) or _of_others(text, match.start()):
        return
    before = before[max(0, after - start, len(before) - _REACH) :]
    if _NOT_MEASURED.search(before):
        return
    near = _APART.split(before)[-1]
    what = _what(near, _APART.split(behind[:30])[0])
    test = _TEST.search(near)
    said = Said(
        what=what,
        rate=_per_second(low, match),
        line=text.number_at(match.start()),
        words=" ".join(near.split()).strip(" -*:=~#")[:60],
        tokens=int(test[1]) if test and what else None,
    )
    changed = _changed_to(match, before, behind)
    if changed is not None:
        yield replace(said, state="before", words=f"{said.words} before".strip())
        yield replace(said, state="after", words=f"{said.words} after".strip(), rate=_per_second(changed, match))
    elif low != high:
        ends = sorted((said.rate, _per_second(high, match)))
        yield replace(said, rate=sum(ends) / 2, between=(ends[0], ends[1]))
    else:
        yield said


def _changed_to(match: re.Match[str], before: str, behind: str) -> float | None:
    """The number behind an arrow, or in "from 20 t/s to 0.5"; None where no change is told."""
    arrow = match[2] or ""
    came_from = re.search(r"(?i)\bfrom[ ~*]{1,3}\Z", before) is not None
    if match[3] and (">" in arrow or "→" in arrow or (came_from and arrow.lower() == "to")):
        return _number(match[3])
    further = None if match[3] else _BEHIND.match(behind)
    if further is None or not (came_from or ">" in further[0] or "→" in further[0]):
        return None
    return _number(further[1])


def _number(shown: str) -> float | None:
    return number(shown.replace(",", ".") if re.fullmatch(r"\d{1,4},\d{1,2}", shown) else shown)


def _per_second(value: float, match: re.Match[str]) -> float:
    """Tokens per second of what was said per minute, or of the time for one token."""
    if match[6]:
        return 1 / (value / 1000 if match[6].lower().startswith("m") else value)
    return value / 60 if (match[4] or "").lower().startswith("m") else value


def _in_a_sentence(before: str, behind: str) -> bool:
    """Words around it, and none of the signs between which tools put their figures: a tool's line cut in half."""
    before = _ARROWS.sub(" ", _CLOSED.sub(" ", before))
    if set('([{|=<>"•') & set(before):
        return False
    words = _WORD.findall(before + behind)
    return len(words) > 1 or (len(words) == 1 and (bool(_PHASE.search(before)) or not words[0].isascii()))


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


def _pairs(text: Text) -> list[Said]:
    """Both rates of each line of a list whose heading says "pp512 / tg128"."""
    order = _ORDER.search(text.plain)
    if order is None or not _RATE.search(text.plain):
        return []
    return [said for match in _PAIR.finditer(text.plain, order.end()) for said in _of_pair(text, match, order)]


def _of_pair(text: Text, match: re.Match[str], order: re.Match[str]) -> Iterator[Said]:
    start = text.plain.rfind("\n", 0, match.start()) + 1
    before = text.plain[start : match.start()]
    rates = _number(match[1]), _number(match[2])
    if not rates[0] or not rates[1] or not _WORD.search(before) or set("|=<>") & set(before):
        return
    words = " ".join(before.split()).strip(" -*:=~#")[:60]
    for what, rate, tokens in zip(("prompt", "generation"), rates, order.groups(), strict=True):
        yield Said(
            what=what, rate=rate or 0.0, line=text.number_at(match.start()), words=words,
            tokens=int(tokens) if tokens else None,
        )  # fmt: skip
