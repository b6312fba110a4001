"""Timing: the times of one request, and what went into them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.doctor.case import TimePart
    from pysim.doctor.read.run import Run

# Reading a token never costs more than writing one; several times more is no computing.
_COLD: Final = 2.0
_FEW: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Times of one request (of `sequences` equal ones), as far as they can be had; fields as in Case and Phase.

    `answer_depth_tokens`: in the cache when the answer begins. `prefill_at_least`: the reading speed is a lower
    bound. `own_reading_s`: of a service the most that reading one's own prompt can have taken. `prefill_trusted`:
    false where the text contradicts its reading time. `sequences` are in flight, of which `read_sequences` are read
    and `answer_sequences` written at once. `shared`: others' prompts are, or may be, read between the tokens of one
    answer. `decode_pass_s`: of a pass where guesses made more than a token of it. `one_token`: the answers had
    hardly any token after the first. `decode_at_least`: the time of writing has more in it.
    """

    prompt_tokens: float | None = None
    output_tokens: float | None = None
    depth_tokens: float = 0.0
    answer_depth_tokens: float | None = None
    sequences: float = 1.0
    answer_sequences: float | None = None
    read_sequences: float | None = None
    prefill_s: float | None = None
    prefill_tokens_per_s: float | None = None
    prefill_at_least: bool = False
    prefill_trusted: bool = True
    decode_s: float | None = None
    decode_each_tokens_per_s: float | None = None
    decode_total_tokens_per_s: float | None = None
    decode_pass_s: float | None = None
    tpot_s: float | None = None
    ttft_s: float | None = None
    total_s: float | None = None
    own_reading_s: float | None = None
    shared: bool = False
    one_token: bool = False
    decode_at_least: bool = False
    parts_s: dict[TimePart, float] = field(default_factory=dict)

    @property
    def strange(self) -> float | None:
        """How many times as long reading one token took as writing one, where that is too long to be computing."""
        if not (self.prefill_s and self.prompt_tokens and self.tpot_s and self.prefill_trusted):
            return None
        ratio = self.prefill_s / self.prompt_tokens / self.tpot_s
        # A single pass costs a decode pass at least, so very short prompts may look slow per token.
        return ratio if ratio > _COLD and self.prefill_s > _COLD * self.tpot_s else None


def hardly_an_answer(run: Run) -> bool:
    """Had the answers so few tokens that a time per token after the first means nothing?"""
    if run.kind not in ("request", "service"):
        return False
    ttft, tpot = (None if latency is None else latency.mean_s for latency in (run.ttft, run.tpot))
    return (run.output_tokens is not None and run.output_tokens < _FEW) or (ttft is not None and ttft == tpot)


def inverse(value: float | None) -> float | None:
    """A speed of a time, or a time of a speed."""
    return 1 / value if value else None
