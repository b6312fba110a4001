"""The stream of an answer: when does each token appear, and how many are there at a moment?"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING

from pysim import checks
from pysim.arrays.numeric import one_number
from pysim.errors import BadValue
from pysim.requests.pass_series import row_of_passes
from pysim.requests.prefill import prefill
from pysim.roofline.setting import setting

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.roofline.setting import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One answer's tokens in time; the first one appears with the end of the prompt's pass."""

    at: Setting
    prompt_tokens: int
    output_tokens: int
    ttft_s: float

    def token_s(self, number: int) -> float:
        """The moment at which token `number`, counted from 1, appears: a sum in closed form.

        Raises BadValue for a token that the answer does not have.
        """
        if isinstance(number, bool) or not isinstance(number, Real) or not 1 <= number <= self.output_tokens:
            raise BadValue(f"an answer of {self.output_tokens:,} tokens has no token number {checks.shown(number)}")
        return self.ttft_s + float(row_of_passes(self.at, 1, self.prompt_tokens, 1, number - 1, 1).time_s)

    def tokens_at(self, t_s: float) -> int:
        """How many tokens have appeared by a moment.

        Tokens come almost evenly, so each guess between two known moments is nearly right.
        Raises BadValue for what is no moment.
        """
        if isinstance(t_s, bool) or not isinstance(t_s, Real) or t_s != t_s:
            raise BadValue(f"t_s must be a number of seconds, not {checks.shown(t_s)}")
        if self.output_tokens == 0 or t_s < self.ttft_s:
            return 0
        low, low_s, high, high_s = 1, self.ttft_s, self.output_tokens, self.end_s
        if t_s >= high_s:
            return high
        while high - low > 1:
            guess = low + int((t_s - low_s) / (high_s - low_s) * (high - low))
            middle = min(max(guess, low + 1), high - 1)
            middle_s = self.token_s(middle)
            if middle_s <= t_s:
                low, low_s = middle, middle_s
                if self.token_s(low + 1) > t_s:
                    return low
            else:
                high, high_s = middle, middle_s
        return low

    @property
    def end_s(self) -> float:
        """The moment of the last token; with no answer, when the prompt is in the cache."""
        return self.token_s(self.output_tokens) if self.output_tokens else self.ttft_s


def stream(on: Deployed, *, prompt_tokens: int, output_tokens: int, speed: str = "typical") -> Stream:
    """The stream of one request alone on a deployment. Raises what `estimate` raises."""
    prompt = int(one_number(prompt_tokens, "prompt_tokens", least=1))
    output = int(one_number(output_tokens, "output_tokens"))
    at = setting(on, speed)
    return Stream(
        at=at,
        prompt_tokens=prompt,
        output_tokens=output,
        ttft_s=float(prefill(at, prompt, 0, 1, None).ttft_s),
    )
