"""What is asked of a server, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request: when it arrives (s), the tokens of its prompt, and those of its answer."""

    number: int
    arrive_s: float
    prompt_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a request: when it was first admitted, its first and its last token, and what was done twice.

    Times are seconds on the load's clock. `recomputed_tokens`: fed again after evictions, kept rows not counted.
    """

    request: Request
    admitted_s: float
    first_s: float
    finish_s: float
    evictions: int
    recomputed_tokens: int

    @property
    def ttft_s(self) -> float:
        """Seconds from arrival to the first token."""
        return self.first_s - self.request.arrive_s

    @property
    def end_to_end_s(self) -> float:
        """Seconds from arrival to the last token."""
        return self.finish_s - self.request.arrive_s

    @property
    def tpot_s(self) -> float | None:
        """Mean seconds per token after the first; None for an answer of one token."""
        if self.request.output_tokens < 2:
            return None
        return (self.finish_s - self.first_s) / (self.request.output_tokens - 1)
