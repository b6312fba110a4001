"""What can be said without a model or a device, from the times of a run alone?

Nothing here is predicted from data sheets: tokens are taken to cost what they cost in this run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Advice
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Case
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.timing import Timing

_KEPT: Final = 0.9
_LONG_PROMPT: Final = 256
_LONG_ANSWER: Final = 64


def alone_changes(case: Case, group: Group, time: Timing) -> Iterator[Advice]:
    """A prompt whose beginning is kept, a shorter one, a shorter answer."""
    if case.assembled or group.first.kind != "request" or time.shared or not time.prefill_trusted:
        return
    if time.strange is None and not group.first.cached_tokens:
        yield from _less_to_read(time)
    decode, total = time.parts_s.get("decode"), time.total_s
    if decode and total and decode < total and (time.output_tokens or 0) >= _LONG_ANSWER:
        gain = total / (total - decode / 2)
        yield Advice(
            kind="answer",
            what=f"an answer half as long, {(time.output_tokens or 0) / 2:,.0f} tokens "
            "(a limit, another instruction, thinking switched off)",
            figure="the whole request",
            low=gain,
            high=gain,
            why=f"writing took {show(decode, 's', digits=3)} of {show(total, 's', digits=3)}, a token at a time",
            setting="each token as fast as in this run",
        )


def _less_to_read(time: Timing) -> Iterator[Advice]:
    reading, tokens = time.prefill_s, time.prompt_tokens or 0.0
    if not reading or tokens < _LONG_PROMPT:
        return
    # Were all of it attention, the last tenth would cost what it looks back at; a pass is the least.
    least, most = (max(each * reading, time.tpot_s or 0.0) for each in (1 - _KEPT, 1 - _KEPT**2))
    yield Advice(
        kind="prefix",
        what="the beginning of the prompt kept word for word, so that its cache can be used again",
        figure="reading",
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
        figure="reading",
        low=2.0,
        high=4.0,
        why="reading takes a time for each token, and looks back at all that stand before it",
        setting="from half the time, each token as fast as in this run, to a quarter, were all of it attention",
    )
