"""What do llama.cpp's example programs print under their own work: simple, speculative, lookup, parallel?"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.numbers import NUMBER, count, positive
from pysim.doctor.read.run import Reading, Run
from pysim.doctor.read.text import Text

TOOLS: Final = {"llama.cpp": "llama.cpp", "llama-parallel": "llama.cpp"}
_DONE: Final = re.compile(
    rf"\b(encoded|decoded)\s{{1,6}}(\d{{1,9}}) tokens in\s{{1,12}}({NUMBER}) (?:s|seconds), "
    rf"speed:\s{{1,12}}({NUMBER}) t/s"
)
_DRAFT: Final = re.compile(r"\b(n_drafted|n_accept)\s{1,6}= (\d{1,9})")
_ALL: Final = re.compile(rf"Total (prompt|gen) tokens:\s{{1,12}}(\d{{1,9}}), speed:\s{{1,12}}({NUMBER}) t/s")
_LINES_BETWEEN: Final = 8


def read(text: Text) -> Reading:
    """One run per summary of an example program."""
    runs: list[Run] = []
    if "coded" in text.plain and " t/s" in text.plain:
        runs += _single(text)
    if "Total gen tokens" in text.plain:
        runs += _parallel(text)
    return Reading(runs=tuple(runs))


def _single(text: Text) -> list[Run]:
    setups = Setups(text)
    runs: list[Run] = []
    before: tuple[int, re.Match[str]] | None = None
    for index in text.places("encoded ", "decoded "):
        match = _DONE.search(text.lines[index].text)
        if match is None:
            continue
        if match[1] == "encoded":
            before = (index, match)
            continue
        read = before[1] if before is not None and index - before[0] <= _LINES_BETWEEN else None
        first = before[0] if before is not None and read is not None else index
        before = None
        prefill_s, decode_s = positive(read[3]) if read else None, positive(match[3])
        run = Run(
            tool="llama.cpp",
            kind="request" if read else "generation",
            line=text.lines[first].number,
            last_line=text.lines[index].number,
            engine=setups.engine_at(index),
            setup=setups.at(index),
            prompt_tokens=count(read[2]) if read else None,
            output_tokens=count(match[2]),
            sequences=1,
            prefill_s=prefill_s,
            decode_s=decode_s,
            prefill_tokens_per_s=positive(read[4]) if read else None,
            decode_tokens_per_s=positive(match[4]),
            doubts=_draft(text, index),
        )
        runs.append(run)
    return runs


def _draft(text: Text, index: int) -> tuple[str, ...]:
    below = [_DRAFT.search(line.text) for line in text.lines[index + 1 : index + 1 + _LINES_BETWEEN]]
    counts = {match[1]: match[2] for match in below if match is not None}
    if "n_drafted" not in counts or "n_accept" not in counts:
        return ()
    return (f"speculative decoding: {counts['n_accept']} of {counts['n_drafted']} drafted tokens were accepted",)


def _parallel(text: Text) -> list[Run]:
    """Both speeds are over the whole time, so neither is a phase's own."""
    setups = Setups(text)
    runs = []
    for index in text.places("Total gen tokens"):
        near = [at for at in (index - 1, index - 2) if at >= 0]
        first, above = next(
            ((at, prompt) for at in near if (prompt := _ALL.search(text.lines[at].text)) and prompt[1] == "prompt"),
            (0, None),
        )
        match = _ALL.search(text.lines[index].text)
        if match is None or match[1] != "gen" or above is None:
            continue
        speed, tokens = positive(match[3]), count(match[2])
        run = Run(
            tool="llama-parallel",
            kind="service",
            line=text.lines[first].number,
            last_line=text.lines[index].number,
            engine=setups.engine_at(index),
            setup=setups.at(index),
            total_s=tokens / speed if tokens and speed else None,
            decode_total_tokens_per_s=speed,
            total_prefill_tokens_per_s=positive(above[3]),
        )
        runs.append(run)
    return runs
