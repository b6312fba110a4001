"""Lost time, neither arithmetic nor memory: what helps against loading, waiting and a run below its kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Advice
from pysim.doctor.judge.prediction import predicted
from pysim.doctor.words import PHASE_WORDS
from pysim.roofline.attention_scores import score_bytes
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import PhaseName
    from pysim.doctor.judge.judgement import Judgement
    from pysim.doctor.judge.prediction import PossibleRun
    from pysim.doctor.judge.timing import Timing

_MORE: Final = 4


def time_changes(judgement: Judgement) -> Iterator[Advice]:
    """Every such change."""
    yield from _kept_loaded(judgement)
    yield from _half_the_requests(judgement.timing)
    yield from _as_others_do(judgement)
    yield from warm(judgement.timing)
    yield from fused(judgement)
    yield from more_at_once(judgement)


def _kept_loaded(judgement: Judgement) -> Iterator[Advice]:
    timing = judgement.timing
    load_s = timing.parts_s.get("load")
    if not load_s or not timing.total_s or load_s >= timing.total_s:
        return
    gain = timing.total_s / (timing.total_s - load_s)
    program = judgement.known.program
    option = f" ({program.name}: {program.keep_loaded})" if program is not None and program.keep_loaded else ""
    took = f"loading took {show(load_s, 's', digits=3)} of {show(timing.total_s, 's', digits=3)}"
    yield Advice(
        kind="load",
        what=f"keep the model loaded between requests{option}",
        figure="request",
        low=gain,
        high=gain,
        why=f"{took}; the next request does not load it again",
        setting="the same request without the loading",
    )


def _half_the_requests(timing: Timing) -> Iterator[Advice]:
    waited_s, own_s = timing.parts_s.get("queue"), timing.own_reading_s
    if not waited_s or own_s is None or not timing.ttft_s:
        return
    gain = timing.ttft_s / (own_s + waited_s / 2)
    yield Advice(
        kind="queue",
        what="halve the requests per server: send fewer at once, or add a server",
        figure="ttft",
        low=gain,
        high=gain,
        why=f"requests wait {waited_s / own_s:,.0f} times as long as reading a prompt takes; no model setting helps",
        setting="half the wait, the same reading time",
    )


def _as_others_do(judgement: Judgement) -> Iterator[Advice]:
    line = judgement.run.setup.device_line
    elsewhere = "" if line is None else f"; or it ran on something other than line {line} names"
    for name, phase in judgement.phases():
        if phase.verdict != "slower" or phase.typical is None or not phase.tokens_per_s:
            continue
        yield Advice(
            kind="below typical",
            what=f"check what slows {PHASE_WORDS[name]} down: layers on the host, backend, power limit, heat, other "
            "programs",
            figure=name,
            low=phase.typical.low_tokens_per_s / phase.tokens_per_s,
            high=phase.typical.typical_tokens_per_s / phase.tokens_per_s,
            why="nine of ten such runs are faster: check for layers left on the host, the backend and its version, "
            "power limits and heat, the number of threads, the memory modules, and what else is running" + elsewhere,
            setting="from the low end of the typical range to its middle",
        )


def warm(timing: Timing) -> Iterator[Advice]:
    """The time of a first run, which later ones do not take."""
    if timing.strange is None or not (timing.prefill_s and timing.prompt_tokens and timing.tpot_s and timing.ttft_s):
        return
    # Read one by one, as slowly as an answer is written: no reading takes longer than that.
    warm_s = timing.prompt_tokens * timing.tpot_s
    yield Advice(
        kind="warm",
        what="send a warm-up request first",
        figure="prefill",
        low=timing.prefill_s / warm_s,
        high=timing.prefill_s / timing.tpot_s,
        why="the first run reads the model from disk or compiles kernels; later ones don't",
        setting="from prompt tokens as slow as answer tokens, to all of them in one pass",
    )


def fused(judgement: Judgement) -> Iterator[Advice]:
    """Attention that keeps its scores on the chip, for a run whose text says that it is off."""
    if judgement.run.setup.flash_attention is not False:
        return
    yield from unfused_cost(judgement)


def unfused_cost(judgement: Judgement) -> Iterator[Advice]:
    """What a run without it loses."""
    for name, phase in judgement.phases():
        if phase.doubt is not None:
            continue
        pairs = [_without_scores(run, phase.pass_s, name) for run in judgement.possible]
        gains = [gain for pair in pairs if pair is not None for gain in pair]
        if not gains:
            continue
        yield Advice(
            kind="flash attention",
            what="turn on flash attention (-fa 1)",
            figure=name,
            low=min(gains),
            high=max(gains),
            why="without it, every head's scores go through memory four times; with it, they stay on the chip",
            setting="saves the time these bytes take at the spec sheet's bandwidth, or at two thirds of it",
        )


def _without_scores(run: PossibleRun, pass_s: float | None, phase: PhaseName) -> tuple[float, float] | None:
    """How many times as fast the measured pass is without the time of its scores; None where that is most of it."""
    if not pass_s:
        return None
    new = 1 if phase == "decode" else run.prompt_tokens
    before = run.decode_depth_tokens if phase == "decode" else run.prompt_depth_tokens
    moved = score_bytes(run.on.model, new, before, run.sequences)
    gains = []
    for share in (1.0, 2 / 3):
        saved_s = moved / (share * run.on.device.memory_bandwidth_bytes_per_s * run.on.n_devices)
        if saved_s > 0.8 * pass_s:
            return None
        gains.append(pass_s / (pass_s - saved_s))
    return gains[0], gains[1]


def more_at_once(judgement: Judgement, *, asked: bool = False) -> Iterator[Advice]:
    """What several requests at once bring; `asked`: also where the text shows no server of many."""
    run = judgement.run
    if not (asked or run.kind in ("service", "window")) or not judgement.possible or judgement.case.decode is None:
        return
    if (run.waiting or 0) > 0 or "queue" in judgement.case.parts_s:
        return
    ratios = []
    for possible in judgement.possible:
        now = predicted(possible, "decode")
        after = predicted(replace(possible, answer_sequences=possible.answer_sequences * _MORE), "decode")
        if now is None or after is None or after.fits is False:
            return
        ratios += [_MORE * now.typical_s / after.typical_s, _MORE * now.best_s / after.best_s]
    if min(ratios) > 1:
        sequences = judgement.possible[0].answer_sequences
        yield Advice(
            kind="batch",
            what=f"run {_MORE} times as many requests at once",
            figure="all answers",
            low=min(ratios),
            high=max(ratios),
            why="requests in the same batch share each read of the weights; each one gets a little slower",
            setting=f"{sequences * _MORE:,} sequences instead of {sequences:,}",
        )
