"""What is asked of a server, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request: when it arrives (s), the tokens of its prompt, and those of its answer.

    `limit_tokens`: the longest answer that it allows, which some schedulers set memory aside for (None: the answer's
    own length). `beginning`: names of the pieces of its text, `piece_tokens` tokens each, from the first token on; two
    requests whose first names are equal begin with the same text. The names may go on into the answer. `session`:
    requests of one conversation, which a router may keep together.
    """

    number: int
    arrive_s: float
    prompt_tokens: int
    output_tokens: int
    limit_tokens: int | None = None
    beginning: tuple[int, ...] = ()
    piece_tokens: int = 16
    session: int | None = None

    @property
    def rows_at_most(self) -> int:
        """Rows of the cache that it may come to need: the last token of an answer is not fed."""
        return self.prompt_tokens + max(self.output_tokens, self.limit_tokens or 0) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a request: when it was first admitted, its first and its last token, and what was done twice.

    Times are seconds on the load's clock. `recomputed_tokens`: fed again after evictions, kept rows not counted.
    `cached_tokens`: rows of its prompt that were found at admission. `pauses`: from each eviction (s) to the next token
    (s). `replica`: which one wrote the answer. `sent_s`: when its rows had reached the replica that writes, where
    another one reads prompts.
    """

    request: Request
    admitted_s: float
    first_s: float
    finish_s: float
    evictions: int
    recomputed_tokens: int
    cached_tokens: int = 0
    pauses: tuple[tuple[float, float], ...] = ()
    replica: int = 0
    sent_s: float | None = None

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
