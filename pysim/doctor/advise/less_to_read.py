"""Less to read: what narrower arithmetic, larger pieces of the prompt and a kept beginning would bring to prefill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.advise.changed_runs import gain_of
from pysim.doctor.case import Advice
from pysim.doctor.judge.prediction import predicted
from pysim.formats.names import weight_format

if TYPE_CHECKING:
    from pysim.doctor.judge.judgement import Judgement
    from pysim.doctor.judge.prediction import PossibleRun

_MICRO_BATCH_TOKENS: Final = 2048
_LONG_PROMPT_TOKENS: Final = 256


def reading_changes(judgement: Judgement) -> Iterator[Advice]:
    """Every such change that this run has not made yet, with what pysim computes for it."""
    prefill = judgement.case.prefill
    if not judgement.on_device or judgement.run.kind == "combined" or prefill is None or prefill.doubt is not None:
        return
    yield from _narrow_arithmetic(judgement)
    yield from _larger_pieces(judgement)
    yield from _reused_prefix(judgement)


def _narrow_arithmetic(judgement: Judgement) -> Iterator[Advice]:
    first = judgement.possible[0]
    wide = weight_format(first.on.weight_format).multiplies_in in ("fp16", "fp32")
    stored = None if judgement.engine is None else judgement.engine.weights
    if stored is None or stored.stored_as != "checkpoint" or not wide:
        return
    if not all("fp8" in run.on.device.peak_flop_per_s for run in judgement.possible):
        return
    gain = gain_of(judgement.possible, "prefill", lambda run: run.stored_in("FP8"))
    if gain is not None:
        yield Advice(
            kind="arithmetic",
            what=f"use FP8 weights instead of {weight_format(first.on.weight_format).name}",
            figure="prefill",
            low=gain[0],
            high=gain[1],
            why="reading is limited by compute, and this device multiplies 8-bit numbers faster than 16-bit ones",
            setting="FP8 weights, everything else the same",
        )


def _larger_pieces(judgement: Judgement) -> Iterator[Advice]:
    engine, prompt = judgement.engine, judgement.possible[0].prompt_tokens
    if engine is None or engine.larger_chunk is None or engine.chunk_tokens is None:
        return
    now = judgement.run.setup.micro_batch_tokens or engine.chunk_tokens
    if now >= _MICRO_BATCH_TOKENS or prompt <= now:
        return
    after = min(_MICRO_BATCH_TOKENS, prompt)
    gain = gain_of(
        judgement.possible,
        "prefill",
        lambda run: replace(run, on=replace(run.on, micro_batch_tokens=after)),
        lambda run: replace(run, on=replace(run.on, micro_batch_tokens=min(now, prompt))),
    )
    if gain is not None:
        yield Advice(
            kind="micro-batch",
            what=f"use micro-batches of {_MICRO_BATCH_TOKENS:,} tokens instead of {now:,} "
            f"({engine.larger_chunk} {_MICRO_BATCH_TOKENS})",
            figure="prefill",
            low=gain[0],
            high=gain[1],
            why="each chunk of the prompt reads the weights once, nearly all experts of a mixture included",
            setting=f"chunks of {after:,} tokens instead of {now:,}",
        )


def _reused_prefix(judgement: Judgement) -> Iterator[Advice]:
    run, first = judgement.run, judgement.possible[0]
    if judgement.case.assembled and judgement.case.slow != "prefill":
        return  # a test's prompt is made up: nobody sends it twice
    if first.prompt_tokens < _LONG_PROMPT_TOKENS or run.cached_tokens or (run.prefix_hit_share or 0) > 0.5:
        return
    kept = first.prompt_tokens * 9 // 10
    ratios = [
        ratio
        for possible in judgement.possible
        if (now := predicted(possible, "prefill")) is not None
        and (after := predicted(_behind(possible, kept), "prefill")) is not None
        for ratio in (now.typical_s / after.typical_s, now.best_s / after.best_s)
    ]
    if ratios and min(ratios) > 1:
        yield Advice(
            kind="prefix",
            what="keep the beginning of the prompt word for word, so its cache can be reused",
            figure="prefill",
            low=min(ratios),
            high=max(ratios),
            why="what is already in the cache need not be read again: put what changes at the end",
            setting=f"{kept:,} of {first.prompt_tokens:,} prompt tokens the same as in the previous request",
        )


def _behind(run: PossibleRun, kept_tokens: int) -> PossibleRun:
    """The run with the beginning of its prompt in the cache."""
    return replace(
        run,
        prompt_tokens=run.prompt_tokens - kept_tokens,
        prompt_depth_tokens=run.prompt_depth_tokens + kept_tokens,
    )
