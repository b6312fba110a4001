"""What would help against time that is neither arithmetic nor memory: loading, waiting, a run below its kind?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Advice
from pysim.doctor.judge.prediction import outlook
from pysim.roofline.attention_scores import score_bytes
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Case
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.prediction import Subject
    from pysim.doctor.judge.setups import Known
    from pysim.doctor.judge.timing import Timing

_MORE: Final = 4


def time_changes(case: Case, group: Group, time: Timing, facts: Known) -> Iterator[Advice]:
    """Every such change."""
    yield from _kept_loaded(case, group, time)
    yield from _half_the_requests(time)
    yield from _as_others_do(case, group)
    yield from _warm(time)
    yield from _fused(case, group, facts)
    yield from more_at_once(case, group, facts)


def _kept_loaded(case: Case, group: Group, time: Timing) -> Iterator[Advice]:
    load = time.parts_s.get("load")
    if not load or not time.total_s or load >= time.total_s:
        return
    gain = time.total_s / (time.total_s - load)
    how = " (ollama: keep_alive)" if "ollama" in group.first.tool.lower() else ""
    yield Advice(
        kind="load",
        what=f"the model kept in memory between requests{how}",
        figure="the whole request",
        low=gain,
        high=gain,
        why=f"loading took {show(load, 's', digits=3)} of {show(time.total_s, 's', digits=3)}; a second one has none",
        setting="the same request without its load time",
    )


def _half_the_requests(time: Timing) -> Iterator[Advice]:
    waited, own = time.parts_s.get("queue"), time.own_reading_s
    if not waited or own is None or not time.ttft_s:
        return
    gain = time.ttft_s / (own + waited / 2)
    yield Advice(
        kind="queue",
        what="half as many requests per server: fewer at once, or a second server",
        figure="TTFT",
        low=gain,
        high=gain,
        why=f"TTFT is waiting {waited / own:,.0f} times as long as reading takes; no setting of the model helps",
        setting="half the waiting, the same reading",
    )


def _as_others_do(case: Case, group: Group) -> Iterator[Advice]:
    line = group.first.setup.device_line
    elsewhere = "" if line is None else f"; or it ran on something else than line {line} names"
    for figure, phase in (("reading", case.prefill), ("writing", case.decode)):
        if phase is None or phase.verdict != "slower" or phase.typical is None or not phase.tokens_per_s:
            continue
        yield Advice(
            kind="below typical",
            what=f"a search for what holds {figure} back",
            figure=figure,
            low=phase.typical.low_tokens_per_s / phase.tokens_per_s,
            high=phase.typical.typical_tokens_per_s / phase.tokens_per_s,
            why="nine of ten such runs are faster: look for layers left on the host, at the backend and its version, "
            "power and heat, the number of threads, memory modules, and what else is running" + elsewhere,
            setting="the lower end of the typical range, and its middle",
        )


def _warm(time: Timing) -> Iterator[Advice]:
    if time.strange is None or not (time.prefill_s and time.prompt_tokens and time.tpot_s and time.ttft_s):
        return
    # Read one by one, as slowly as an answer is written: no reading takes longer than that.
    warm_s = time.prompt_tokens * time.tpot_s
    yield Advice(
        kind="warm",
        what="a first request that nobody waits for",
        figure="reading",
        low=time.prefill_s / warm_s,
        high=time.prefill_s / time.tpot_s,
        why="the first run fetches the model from disk or compiles kernels, later ones do not",
        setting="from each prompt token as slow as an answer token, to all of them in one pass",
    )


def _fused(case: Case, group: Group, facts: Known) -> Iterator[Advice]:
    if group.first.setup.flash_attention is not False:
        return
    for figure, phase in (("reading", case.prefill), ("writing", case.decode)):
        if phase is None or phase.doubt is not None or not facts.subjects:
            continue
        found = [_without_scores(each, phase.pass_s, writing=figure == "writing") for each in facts.subjects]
        gains = [gain for each in found if each is not None for gain in each]
        if not gains:
            continue
        yield Advice(
            kind="flash attention",
            what="flash attention switched on (-fa 1)",
            figure=figure,
            low=min(gains),
            high=max(gains),
            why="without it every head's scores go through memory four times; with it they stay in the chip",
            setting="the time that these bytes take at the datasheet's bandwidth, and at two thirds of it, saved",
        )


def _without_scores(subject: Subject, pass_s: float | None, *, writing: bool) -> tuple[float, float] | None:
    """How many times as fast the measured pass is without the time of its scores; None where that is most of it."""
    if not pass_s:
        return None
    new = 1 if writing else subject.prompt_tokens
    before = subject.decode_depth_tokens if writing else subject.prompt_depth_tokens
    moved = score_bytes(subject.model, new, before, subject.sequences)
    gains = []
    for share in (1.0, 2 / 3):
        saved_s = moved / (share * subject.device.memory_bandwidth_bytes_per_s * subject.n_devices)
        if saved_s > 0.8 * pass_s:
            return None
        gains.append(pass_s / (pass_s - saved_s))
    return gains[0], gains[1]


def more_at_once(case: Case, group: Group, facts: Known, *, asked: bool = False) -> Iterator[Advice]:
    """What several requests at once bring; `asked`: also where the text shows no server of many."""
    if not (asked or group.first.kind in ("service", "window")) or not facts.subjects or case.decode is None:
        return
    if (group.first.waiting or 0) > 0 or "queue" in case.parts_s:
        return
    first = facts.subjects[0]
    ratios = []
    for each in facts.subjects:
        one, many = (
            outlook(each, "decode"),
            outlook(replace(each, answer_sequences=each.answer_sequences * _MORE), "decode"),
        )
        if one is None or many is None or many.fits is False:
            return
        ratios += [_MORE * one.typical_s / many.typical_s, _MORE * one.best_s / many.best_s]
    if min(ratios) > 1:
        yield Advice(
            kind="batch",
            what=f"{_MORE} times as many requests at once",
            figure="all answers together",
            low=min(ratios),
            high=max(ratios),
            why="requests that are written together share each reading of the weights; each gets a little slower",
            setting=f"{first.answer_sequences * _MORE:,} sequences instead of {first.answer_sequences:,}",
        )
