"""Speeds and ranges as the answer says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Phase, Range


def speed_of(phase: Phase) -> str:
    """The speed of a phase: of one answer, with that of all together where they differ."""
    each, total = phase.each_tokens_per_s, phase.tokens_per_s
    speed = total if each is None else each
    if speed is None:
        return ""
    least = "at least " if phase.at_least else ""
    if each is not None and total is not None and each < 0.99 * total:
        return f"{least}{rate_words(total)} together, {rate_words(each)} for each"
    return f"{least}{rate_words(speed)}"


def range_words(typical: Range) -> str:
    """Such as "24.3 to 36.8", in tokens per second."""
    low, high = (
        rate_words(value).removesuffix(" tokens/s") for value in (typical.low_tokens_per_s, typical.high_tokens_per_s)
    )
    return f"{low} to {high}"


def rate_words(tokens_per_s: float) -> str:
    """Tokens per second with three digits."""
    return show(tokens_per_s, "tokens/s", digits=3)
