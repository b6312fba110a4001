"""Fewer bytes per token: what smaller weights, a smaller cache, less context and guesses would bring to decode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.advise.changed_runs import gain_of
from pysim.doctor.case import Advice
from pysim.formats.names import kv_format, weight_format
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.weights import weights_bytes
from pysim.roofline.cost_of_pass import pass_cost
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.judge.judgement import Judgement

# The next smaller weights and caches that people find ready-made where the engine is not known.
_SMALLER: Final = ("Q8_0", "Q4_K_M")
_SMALLER_CACHE: Final = "Q8_0"
_MUCH_LESS: Final = 0.75
_LONG_TOKENS: Final = 4096
_GUESSES: Final = 4
_ACCEPTED: Final = (0.4, 0.75)


def memory_changes(judgement: Judgement) -> Iterator[Advice]:
    """Every such change that this run has not made yet, with what pysim computes for it."""
    decode = judgement.case.decode
    if not judgement.on_device or judgement.run.kind == "combined" or decode is None or decode.doubt is not None:
        return
    yield from _smaller_weights(judgement)
    yield from _smaller_cache(judgement)
    yield from _shorter_context(judgement)
    guessed = any("draft" in doubt or "guess" in doubt for doubt in judgement.case.doubts)
    if _can_guess(judgement) and not guessed:
        yield from _guesses(judgement)


def _can_guess(judgement: Judgement) -> bool:
    """Can the engine guess tokens, and does the program around it let its user ask for that?"""
    engine, program = judgement.engine, judgement.known.program
    return engine is not None and engine.speculates and (program is None or program.speculates)


def _smaller_weights(judgement: Judgement) -> Iterator[Advice]:
    first = judgement.possible[0]
    now = weights_bytes(first.on.model, first.on.weight_format, engine=first.on.engine)
    stored = None if judgement.engine is None else judgement.engine.weights
    smaller = _SMALLER if stored is None else stored.smaller
    targets = [
        name for name in smaller if weights_bytes(first.on.model, name, engine=first.on.engine) < _MUCH_LESS * now
    ]
    for target in reversed(targets):
        gain = gain_of(judgement.possible, "decode", lambda run, name=target: run.stored_in(name))  # type: ignore[misc]
        if gain is None:
            continue
        then = weights_bytes(first.on.model, target, engine=first.on.engine)
        sizes = f"{show(then, 'B', digits=3)} instead of {show(now, 'B', digits=3)}"
        yield Advice(
            kind="weights",
            what=f"use {target} weights instead of {weight_format(first.on.weight_format).name}",
            figure="decode",
            low=gain[0],
            high=gain[1],
            why=f"every answer token reads the weights once: {sizes} in total",
            setting=f"{target} weights, everything else the same",
        )
        return


def _smaller_cache(judgement: Judgement) -> Iterator[Advice]:
    first = judgement.possible[0]
    target = _SMALLER_CACHE if judgement.engine is None else judgement.engine.smaller_cache
    if target is None or kv_format(first.on.kv_format).bits_per_element < 16:
        return
    gain = gain_of(judgement.possible, "decode", lambda run: run.cached_in(target.lower()))
    if gain is None:
        return
    tokens = first.decode_depth_tokens + first.output_tokens
    size = show(kv_cache_bytes(first.on.model, tokens, first.on.kv_format, first.answer_sequences), "B", digits=3)
    yield Advice(
        kind="cache",
        what=f"store the cache in {target} instead of {kv_format(first.on.kv_format).name}",
        figure="decode",
        low=gain[0],
        high=gain[1],
        why=f"every answer token reads the cache, here {size}; half the bytes per number take half as long",
        setting=f"{target} cache, everything else the same",
    )


def _shorter_context(judgement: Judgement) -> Iterator[Advice]:
    tokens = judgement.possible[0].decode_depth_tokens
    if tokens < _LONG_TOKENS:
        return
    gain = gain_of(
        judgement.possible, "decode", lambda run: replace(run, decode_depth_tokens=run.decode_depth_tokens // 2)
    )
    if gain is not None:
        yield Advice(
            kind="context",
            what=f"halve the context to {tokens // 2:,} tokens from {tokens:,}",
            figure="decode",
            low=gain[0],
            high=gain[1],
            why="every answer token looks back at the whole conversation",
            setting=f"{tokens // 2:,} tokens in the cache when the answer begins",
        )


def _guesses(judgement: Judgement) -> Iterator[Advice]:
    """Guessing from the text so far needs no second model; one pass then checks the guesses and the next token."""
    first = judgement.possible[0]
    if first.answer_sequences > 1:
        return
    lows, highs = [], []
    for run in judgement.possible:
        for speed in ("datasheet", "typical"):
            one, many = (
                pass_cost(run.on, new, run.decode_depth_tokens, logit_rows=new, speed=speed).time_s
                for new in (1, 1 + _GUESSES)
            )
            slower = one / many
            lows.append(_yielded(_ACCEPTED[0]) * slower)
            highs.append(_yielded(_ACCEPTED[1]) * slower)
    if min(lows) > 1:
        yield Advice(
            kind="guesses",
            what=f"use speculative decoding, with {_GUESSES} guesses per pass from the text so far (prompt lookup)",
            figure="decode",
            low=min(lows),
            high=max(highs),
            why="a pass that checks guesses reads the weights once for several tokens; it pays off when the answer "
            "repeats its prompt, as in code, summaries or corrections",
            setting=f"{_GUESSES} guesses, {_ACCEPTED[0]:.0%} to {_ACCEPTED[1]:.0%} of them right; guessing is free",
        )


def _yielded(chance: float) -> float:
    """Tokens per pass: 1 + a + a² + … for as many guesses, each of which counts only behind right ones."""
    return (1 - chance ** (_GUESSES + 1)) / (1 - chance)
