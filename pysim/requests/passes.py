"""Passes of a generation: how many times does the text go through the model, and what does each carry?"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Real
from typing import Literal

from pysim.checks import shown
from pysim.errors import BadValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One trip of some tokens through the model; the counts are of one sequence.

    `new_tokens` are fed in, after `context_tokens` rows that the cache already holds.
    `yielded_tokens` of the answer come out. Of the fed tokens `drafted` were guesses, of which
    `accepted` were right; rows of refused guesses are dropped, which leaves `rows_after`.
    """

    kind: Literal["prefill", "decode"]
    index: int
    new_tokens: int
    context_tokens: int
    yielded_tokens: int
    drafted: int = 0
    accepted: int = 0
    rows_after: int


def generation(
    *,
    prompt_tokens: int,
    output_tokens: int,
    chunk_tokens: int | None = None,
    draft_tokens: int = 0,
    acceptance: float = 1.0,
    seed: int = 0,
) -> Iterator[Pass]:
    """The passes of one request, in order.

    The last prompt pass yields the first answer token, each decode pass one more, and the last
    answer token is never fed back: N tokens after a prompt of P take 1 + (N - 1) passes and leave
    P + N - 1 rows. With `chunk_tokens` the prompt takes several passes. With `draft_tokens` each
    decode pass also carries guesses; each is right with probability `acceptance` until the first
    refusal. Raises `BadValue` naming the argument that is out of its range.
    """
    _at_least("prompt_tokens", prompt_tokens, 1)
    _at_least("output_tokens", output_tokens, 0)
    _at_least("draft_tokens", draft_tokens, 0)
    if chunk_tokens is not None:
        _at_least("chunk_tokens", chunk_tokens, 1)
    if isinstance(acceptance, bool) or not isinstance(acceptance, Real) or not 0.0 <= acceptance <= 1.0:
        raise BadValue(f"acceptance is {shown(acceptance)}; allowed is 0 to 1")
    return _passes(prompt_tokens, output_tokens, chunk_tokens or prompt_tokens, draft_tokens, acceptance, seed)


def _passes(
    prompt_tokens: int,
    output_tokens: int,
    chunk_tokens: int,
    draft_tokens: int,
    acceptance: float,
    seed: int,
) -> Iterator[Pass]:
    index = rows = 0
    while rows < prompt_tokens:
        fed = min(chunk_tokens, prompt_tokens - rows)
        ends_prompt = rows + fed == prompt_tokens
        yield Pass(
            kind="prefill",
            index=index,
            new_tokens=fed,
            context_tokens=rows,
            yielded_tokens=int(ends_prompt and output_tokens > 0),
            rows_after=rows + fed,
        )
        rows += fed
        index += 1

    chance = random.Random(seed)
    needed = output_tokens - 1
    while needed > 0:
        # The model itself yields one token after the accepted guesses, so one guess fewer than
        # the tokens still needed can be of use.
        drafted = min(draft_tokens, needed - 1)
        accepted = 0
        while accepted < drafted and chance.random() < acceptance:
            accepted += 1
        yield Pass(
            kind="decode",
            index=index,
            new_tokens=1 + drafted,
            context_tokens=rows,
            yielded_tokens=accepted + 1,
            drafted=drafted,
            accepted=accepted,
            rows_after=rows + accepted + 1,
        )
        rows += accepted + 1
        needed -= accepted + 1
        index += 1


def _at_least(name: str, value: int, lowest: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
        raise BadValue(f"{name} is {shown(value)}; allowed is a whole number from {lowest}")
