"""Guessing ahead: what do guesses save, with the cost of making them counted?

A guess is right with the same chance `acceptance`, whatever the others are, until the first wrong one (Leviathan,
Kalman and Matias, 2023, section 3.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysim import checks
from pysim.errors import BadValue
from pysim.roofline.cost_of_pass import pass_cost

if TYPE_CHECKING:
    from pysim.deployed import Deployed


@dataclass(frozen=True, slots=True, kw_only=True)
class Guessed:
    """A round of guessing and checking, for each of the conversations, in seconds and tokens.

    `plain_s` is a pass without guesses. `gain` is how many times as fast the answer is written: below 1 it is slower.
    """

    tokens: float
    plain_s: float
    draft_s: float
    check_s: float
    gain: float


def tokens_per_round(draft_tokens: int, acceptance: float) -> float:
    """Mean tokens that a round yields: accepted guesses, and the one of the model itself."""
    _check_acceptance(acceptance)
    checks.count(draft_tokens, "draft_tokens", least=0)
    return sum(acceptance**length for length in range(draft_tokens + 1))


def chances(draft_tokens: int, acceptance: float) -> tuple[float, ...]:
    """The chance that a round yields 1, 2, … `draft_tokens` + 1 tokens."""
    _check_acceptance(acceptance)
    checks.count(draft_tokens, "draft_tokens", least=0)
    stopped = [acceptance**length * (1 - acceptance) for length in range(draft_tokens)]
    return (*stopped, acceptance**draft_tokens)


def guessed(
    on: Deployed,
    draft_tokens: int,
    acceptance: float,
    context_tokens: int,
    batch: int = 1,
    *,
    draft: Deployed | None = None,
    speed: str = "typical",
) -> Guessed:
    """What a round costs and yields on a deployment. `draft`: the model that guesses; None where guesses cost nothing.

    A guessing model writes the guesses one after the other. Without guesses the gain is 1. Raises BadValue.
    """
    plain_s = pass_cost(on, 1, context_tokens, batch, speed=speed).time_s
    tokens = tokens_per_round(draft_tokens, acceptance)
    if not draft_tokens:
        return Guessed(tokens=1.0, plain_s=plain_s, draft_s=0.0, check_s=plain_s, gain=1.0)
    fed = draft_tokens + 1
    check_s = pass_cost(on, fed, context_tokens, batch, logit_rows=fed, speed=speed).time_s
    draft_s = 0.0
    if draft is not None:
        draft_s = draft_tokens * pass_cost(draft, 1, context_tokens, batch, speed=speed).time_s
    gain = tokens * plain_s / (draft_s + check_s)
    return Guessed(tokens=tokens, plain_s=plain_s, draft_s=draft_s, check_s=check_s, gain=gain)


def _check_acceptance(acceptance: float) -> None:
    if checks.amount(acceptance, "acceptance") > 1:
        raise BadValue(f"acceptance is {checks.shown(acceptance)}; allowed is 0 to 1")
