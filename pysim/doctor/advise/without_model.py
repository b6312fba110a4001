"""Advice without a model or a device, from the times of a run alone.

Nothing here is predicted from spec sheets: tokens are taken to cost what they cost in this run.
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
            what=f"ask for half the answer, {(timing.output_tokens or 0) / 2:,.0f} tokens "
            "(set a limit, change the instruction, turn off thinking)",
            figure="request",
            low=gain,
            high=gain,
            why=f"writing took {show(decode_s, 's', digits=3)} of {show(total_s, 's', digits=3)}, one token at a time",
            setting="at this run's speed per token",
        )


def _less_to_read(timing: Timing) -> Iterator[Advice]:
    reading, tokens = timing.prefill_s, timing.prompt_tokens or 0.0
    if not reading or tokens < _LONG_PROMPT:
        return
    # If all of it were attention, the last tenth would cost what it looks back at; a pass is the least.
    least, most = (max(share * reading, timing.tpot_s or 0.0) for share in (1 - _KEPT, 1 - _KEPT**2))
    yield Advice(
        kind="prefix",
        what="keep the beginning of the prompt word for word, so its cache can be reused",
        figure="prefill",
        low=reading / most,
        high=reading / least,
        why=f"{show(least, 's', digits=2)} to {show(most, 's', digits=2)} of the {show(reading, 's', digits=3)} of "
        "reading remain if only the end of the prompt is new: put what changes at the end",
        setting=f"{tokens * _KEPT:,.0f} of {tokens:,.0f} prompt tokens the same as in the previous request, the rest "
        "at this run's speed",
    )
    yield Advice(
        kind="shorter prompt",
        what=f"halve the prompt to {tokens / 2:,.0f} tokens from {tokens:,.0f}",
        figure="prefill",
        low=2.0,
        high=4.0,
        why="each prompt token takes time, and looks back at every token before it",
        setting="half the time at this run's speed per token, a quarter if all of it were attention",
    )
