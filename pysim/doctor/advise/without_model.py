"""Advice without a model or a device, from the times of a run alone.

Nothing here is predicted from data sheets: tokens are taken to cost what they cost in this run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Advice
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.judge.judgement import Judgement
    from pysim.doctor.judge.timing import Timing

_KEPT: Final = 0.9
_LONG_PROMPT: Final = 256
_LONG_ANSWER: Final = 64


def alone_changes(judgement: Judgement) -> Iterator[Advice]:
    """A prompt whose beginning is kept, a shorter one, a shorter answer."""
    timing, run = judgement.timing, judgement.run
    if judgement.possible or judgement.case.assembled or run.kind != "request":
        return
    if timing.shared or not timing.prefill_trusted:
        return
    if timing.strange is None and not run.cached_tokens:
        yield from _less_to_read(timing)
    decode_s, total_s = timing.parts_s.get("decode"), timing.total_s
    if decode_s and total_s and decode_s < total_s and (timing.output_tokens or 0) >= _LONG_ANSWER:
        gain = total_s / (total_s - decode_s / 2)
        yield Advice(
            kind="answer",
            what=f"an answer half as long, {(timing.output_tokens or 0) / 2:,.0f} tokens "
            "(a limit, another instruction, thinking switched off)",
            figure="request",
            low=gain,
            high=gain,
            why=f"writing took {show(decode_s, 's', digits=3)} of {show(total_s, 's', digits=3)}, a token at a time",
            setting="each token as fast as in this run",
        )


def _less_to_read(timing: Timing) -> Iterator[Advice]:
    reading, tokens = timing.prefill_s, timing.prompt_tokens or 0.0
    if not reading or tokens < _LONG_PROMPT:
        return
    # Were all of it attention, the last tenth would cost what it looks back at; a pass is the least.
    least, most = (max(share * reading, timing.tpot_s or 0.0) for share in (1 - _KEPT, 1 - _KEPT**2))
    yield Advice(
        kind="prefix",
        what="the beginning of the prompt kept word for word, so that its cache can be used again",
        figure="prefill",
        low=reading / most,
        high=reading / least,
        why=f"of {show(reading, 's', digits=3)} of reading {show(least, 's', digits=2)} to {show(most, 's', digits=2)} "
        "are left where only the end of the prompt is new: put what changes at the end",
        setting=f"{tokens * _KEPT:,.0f} of {tokens:,.0f} prompt tokens as in the request before, each other one "
        "as slow as in this run",
    )
    yield Advice(
        kind="shorter prompt",
        what=f"half the prompt, {tokens / 2:,.0f} tokens instead of {tokens:,.0f}",
        figure="prefill",
        low=2.0,
        high=4.0,
        why="reading takes a time for each token, and looks back at all that stand before it",
        setting="from half the time, each token as fast as in this run, to a quarter, were all of it attention",
    )
