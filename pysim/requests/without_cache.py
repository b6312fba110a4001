"""An answer without a KV cache: what does it cost when the whole text goes through again for every token?"""

from __future__ import annotations

from dataclasses import dataclass

from pysim.checks import count


@dataclass(frozen=True, slots=True, kw_only=True)
class Fed:
    """What goes into each pass of one request: new tokens, and rows that a cache already holds."""

    new_tokens: tuple[int, ...]
    context_tokens: tuple[int, ...]


def fed(*, prompt_tokens: int, output_tokens: int, cache: bool) -> Fed:
    """The passes of one request, one for each answer token: with a cache those of `generation`.

    Without one there is never a row to begin from, and pass i (from 0) is fed the prompt and the
    i answer tokens so far.
    """
    prompt, answers = _counts(prompt_tokens, output_tokens)
    if not cache:
        return Fed(new_tokens=tuple(range(prompt, prompt + answers)), context_tokens=(0,) * answers)
    later = range(prompt, prompt + answers - 1)
    return Fed(new_tokens=(prompt, *(1 for _ in later)), context_tokens=(0, *later))


def tokens_computed(*, prompt_tokens: int, output_tokens: int, cache: bool) -> int:
    """How many times a token goes through the model for the whole answer.

    With a cache each token of the text goes once, but for the last answer token, which is never
    fed back: P + N - 1. Without one pass i carries P + i tokens: N·P + N(N - 1)/2.
    """
    prompt, answers = _counts(prompt_tokens, output_tokens)
    if cache:
        return prompt + answers - 1
    return answers * prompt + answers * (answers - 1) // 2


def _counts(prompt_tokens: int, output_tokens: int) -> tuple[int, int]:
    return count(prompt_tokens, "prompt_tokens"), count(output_tokens, "output_tokens")
