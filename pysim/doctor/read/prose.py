"""Does a text without any tool's lines at least say speeds: "12 t/s on my 3060", "generation 93 tokens per second"?

Looked at only where nothing else was found. One said twice counts once, and one of each phase makes a run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pysim.doctor.read.rates import BOTH, Said, rates_in
from pysim.doctor.read.run import Run, RunKind
from pysim.doctor.read.text import Text

TOOL: Final = "a sentence"
_DOUBT: Final = "taken from a sentence, not from a tool's output: how it was measured is unknown"
_MOST_CHARACTERS: Final = 20_000
_MOST_RATES: Final = 24


def spoken(text: Text) -> list[Run]:
    """A run for each rate, or pair of reading and writing, that a text tells as measured; one said twice once."""
    if len(text.plain) > _MOST_CHARACTERS:
        return []
    rates = _once(rates_in(text))
    if not 0 < len(rates) <= _MOST_RATES:
        return []
    runs: list[list[Said]] = []
    for said in rates:
        last = runs[-1] if runs else []
        if len(last) == 1 and said.what == "prompt" and not last[0].what and last[0].line == said.line:
            # "22 t/s, prompt processing 180 t/s": the first is that of writing.
            last[0] = replace(last[0], what="generation")
        partner = next((run for run in reversed(runs[-2:]) if _completes(said, run)), None)
        if partner is None:
            runs.append([said])
        else:
            partner.append(said)
    several = len(runs) > 1
    return [_run(run, several=several) for run in runs]


def _completes(said: Said, run: list[Said]) -> bool:
    """Is a rate the other phase of what the one before it told?"""
    first = run[-1]
    kinds = {said.what, first.what}
    return len(run) == 1 and said.line - first.line <= 1 and first.state == said.state and kinds == BOTH


def _run(rates: list[Said], *, several: bool) -> Run:
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


def _once(rates: list[Said]) -> list[Said]:
    """Each rate once: the same number again says no more, but may say of which phase it is."""
    kept: list[Said] = []
    for said in rates:
        for place, other in enumerate(kept):
            if other.rate == said.rate and (other.what == said.what or not other.what or not said.what):
                kept[place] = replace(other, what=other.what or said.what)
                break
        else:
            kept.append(said)
    return kept
