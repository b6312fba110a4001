"""The answer of the small transformer to a prompt, computed both with a KV cache and without one.

Its vocabulary is a handful of short words and its prompt ends with the same question at any length. A pass is
computed when it is asked for, so a long answer costs nothing before somebody looks at it.
"""

from __future__ import annotations

from functools import lru_cache

from demos.kv_cache.tiny_transformer import REACH, Cache, TinyTransformer

_WORDS = (
    "the sky is blue sun sea red light wave air day night moon star rain wind cloud snow bird fish tree leaf a and "
    "in on of to up down far near long short warm cold deep high it we you see look ask fall rise shine blow go come "
    "so but not all when then why what how . ? , gray green"
)
_STORY = (
    "the sun is far and warm . the sea is deep and cold . the moon and a star rise in the night . "
    "rain and snow fall when it is cold . wind and wave come and go . a bird is high up , a fish is deep down . "
    "look , a red leaf . we see the light of day , and all is green . why is the sky blue ?"
)
WORDS, STORY = _WORDS.split(), _STORY.split()
SEED = 118


def prompt_word(back: int) -> str:
    """The prompt's word that is `back` before its end; it is the same in prompts of every length."""
    return STORY[-1 - (back - 1) % len(STORY)]


class TinyRun:
    """One answer, pass by pass. Pass i (from 0) is fed the prompt and i answer tokens and gives answer token i."""

    def __init__(self, prompt: list[int]) -> None:
        """Begin an answer to a prompt of token numbers."""
        self.prompt = prompt
        self._answer: list[int] = []
        self._looks: list[list[int]] = []
        self._recomputed: dict[int, int] = {}
        self._cache: Cache = ()

    def token(self, index: int) -> int:
        """What pass `index` gives with a cache: the prompt was read at once, then each new token alone."""
        while len(self._answer) <= index:
            done = network().read(self._answer[-1:] or self.prompt, self._cache)
            self._cache = done.cache
            self._answer.append(done.token)
            self._looks.append([round(100 * float(share)) for share in done.looks])
        return self._answer[index]

    def recomputed(self, index: int) -> int:
        """What pass `index` gives without a cache, from the text alone.

        Of a text longer than REACH the end is enough: nothing before it can change what the last token gives.
        """
        if index not in self._recomputed:
            self.token(index)
            text = [*self.prompt, *self._answer[:index]]
            self._recomputed[index] = network().read(text[-REACH:]).token
        return self._recomputed[index]

    def looks(self, index: int) -> list[int]:
        """How much the last token of pass `index` looks at each of the last tokens so far, in percent."""
        self.token(index)
        return self._looks[index]


@lru_cache(maxsize=1)
def network() -> TinyTransformer:
    """The one network of all runs."""
    return TinyTransformer(SEED, len(WORDS))


def tiny_run(prompt_tokens: int) -> TinyRun:
    """The answer to the prompt of this many tokens; prompts longer than REACH share one."""
    return _run(min(prompt_tokens, REACH))


@lru_cache(maxsize=16)
def _run(prompt_tokens: int) -> TinyRun:
    return TinyRun([WORDS.index(prompt_word(back)) for back in range(prompt_tokens, 0, -1)])
