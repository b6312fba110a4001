"""Verdict of a case: is this normal, and if not, what is it? In one or two sentences for the person who asks.

What is certain and explains the most comes first: names that cannot be right, layers on the host, a wait; then the
comparison with such runs; then, without model or device, what memory is as fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.doctor.answer.memory_kinds import LONG_PASS_S, memory_like, slowest_card_bytes_per_s, stream_words
from pysim.doctor.answer.server_words import gap_words, room_words
from pysim.doctor.answer.setup_words import device_words, setup_words
from pysim.doctor.answer.speed_words import range_words, rate_words, speed_of
from pysim.doctor.words import PHASE_WORDS
from pysim.units import show

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pysim.doctor.case import Case, Expected, OpenKind, Phase, PhaseName, Stream, Verdict

_ROUNDED: Final = 0.9  # people round what they tell
_MUCH: Final = 0.5  # more of the time than this is what the request is about
# Good runs write at 60% of the bandwidth and more; below 30% something else than the memory takes the time.
_NEAR, _LITTLE = 0.6, 0.3
_MAIN_MEMORY: Final = 0.4
_FAR_BELOW: Final = 0.15  # of the bandwidth: no setting of an engine costs that much


def verdict_of(case: Case) -> str:
    """The verdict in plain words."""
    return next(_verdicts(case)) + room_words(case)


def _verdicts(case: Case) -> Iterator[str]:
    yield from _impossible(case)
    yield from _elsewhere(case)
    yield from _waits(case)
    yield from _compared(case)
    yield from _if_writing(case)
    if reason := _reason(case):
        yield f"{_slow(case)}{reason.strip()}"
    yield from _streamed(case)
    yield f"{_slow(case)}Whether this is normal cannot be told: {missing(case)}."


def _impossible(case: Case) -> Iterator[str]:
    for name, phase in _phases(case):
        if phase.doubt is not None and name == "prefill" and case.decode is not None and case.decode.doubt is None:
            yield (
                f"Reading at {speed_of(phase)} is more than {setup_words(case) or 'this set-up'} can do: most of the "
                f"prompt came from the cache, or a name is wrong.{_writes(case.decode)}"
            )
        elif phase.doubt is not None:
            yield (
                f"Something is wrong with the names: {PHASE_WORDS[name]} at {speed_of(phase)} is more than "
                f"{setup_words(case) or 'this set-up'} can do."
            )


def _writes(decode: Phase) -> str:
    """Writing, where the reading says nothing."""
    speed, typical = decode.tokens_per_s, decode.typical
    if speed is None or typical is None:
        return ""
    low, high = typical.low_tokens_per_s, typical.high_tokens_per_s
    is_so = "slower than normal" if speed < low else "faster than most" if speed > high else "normal"
    return f" Writing is {is_so}: {speed_of(decode)} ({range_words(typical)} is typical)."


def _elsewhere(case: Case) -> Iterator[str]:
    open_kinds = {question.kind for question in case.cannot_tell}
    slow = _main(case)
    if slow is None:
        if case.on_host is not None:
            yield f"Part of the model is in main memory, which slows everything down: {case.on_host}."
        elif "does not fit" in open_kinds:
            yield f"{_slow(case)}The model does not fit, so a part of it is in main memory: {_too_much(case)}."
        return
    name, phase = slow
    does = f"{PHASE_WORDS[name].capitalize()} {speed_of(phase)}"
    if case.on_host is not None:
        if case.expected is not None and case.decode is not None and not case.decode.at_least:
            yield f"{expected_words(case, case.expected)}{_on_device(case, phase)}"
        yield f"{does}, held back by main memory: {case.on_host}.{_on_device(case, phase)}"
    elif "does not fit" in open_kinds:
        yield f"{does}, and the model does not fit: {_too_much(case)}."


def _too_much(case: Case) -> str:
    """What does not fit, out of the open question's words."""
    question = next(question for question in case.cannot_tell if question.kind == "does not fit")
    return question.message.partition(": ")[2].partition(", so ")[0]


def expected_words(case: Case, expected: Expected) -> str:
    """Is writing as fast as it can be with a part of the model in main memory?"""
    assert case.decode is not None
    speed = case.decode.each_tokens_per_s or case.decode.tokens_per_s or 0.0
    head = (
        "Slower than this set-up should be"
        if speed < _ROUNDED * expected.low_tokens_per_s
        else "Faster than expected"
        if _ROUNDED * speed > expected.high_tokens_per_s
        else "Normal for this set-up"
    )
    low, high = (show(value, "B/s", digits=2) for value in (expected.low_bytes_per_s, expected.high_bytes_per_s))
    of = expected.memory + (f": {low}" if low == high else f": {low} to {high}")
    memory = f"if main memory is {of}" if expected.assumed else f"with its memory ({of})"
    return (
        f"{head}: writing {speed_of(case.decode)}, where {range_words(expected)} is expected {memory}. "
        f"Main memory holds it back: {case.on_host}."
    )


def _on_device(case: Case, phase: Phase) -> str:
    device = case.device
    if phase.typical is None or device is None or device.key is None:
        return ""
    moves = next((advice for advice in case.advice if advice.kind == "device"), None)
    if moves is None or "weights" in moves.what.split(",")[0]:
        return ""
    return f" All of it on the {device_words(case, device.name)} would give {range_words(phase.typical)}."


def _waits(case: Case) -> Iterator[str]:
    load, queue = case.shares.get("load", 0.0), case.parts_s.get("queue", 0.0)
    if load > _MUCH:
        yield (
            f"Most of the time went to loading the model: {show(case.parts_s['load'], 's', digits=3)} ({load:.0%}). "
            "The next request does not wait for that."
        )
    if queue and case.ttft_s and queue > _MUCH * case.ttft_s:
        yield (
            f"Requests wait: of {show(case.ttft_s, 's', digits=3)} to the first token, about "
            f"{show(queue, 's', digits=3)} pass before their own prompt is read."
        )
    if gaps := gap_words(case):
        yield f"{_slow(case)}{gaps}"
    if any(question.kind == "cold" for question in case.cannot_tell):
        yield "This was a first run: reading took longer than computing can explain, so its speed means nothing yet."


def _compared(case: Case) -> Iterator[str]:
    judged = [(name, phase) for name, phase in _phases(case) if phase.verdict is not None]
    verdicts: dict[Verdict, list[str]] = {}
    for name, phase in judged:
        assert phase.verdict is not None
        typical = "" if phase.typical is None else range_words(phase.typical)
        verdicts.setdefault(phase.verdict, []).append(f"{PHASE_WORDS[name]} {speed_of(phase)} ({typical} is typical)")
    of = setup_words(case)
    for verdict in _HEADS:
        if verdict in verdicts:
            rest = [
                f"{PHASE_WORDS[name]} is {_ASIDE[phase.verdict]}"
                for name, phase in judged
                if phase.verdict is not None and phase.verdict != verdict
            ]
            beside = f"; {', '.join(rest)}" if rest else ""
            reason = _reason(case) or _from_elsewhere(case) if verdict == "slower" else ""
            yield f"{_head(verdict, judged)} for {of}: {' and '.join(verdicts[verdict])}{beside}.{reason}"


def _head(verdict: Verdict, judged: Sequence[tuple[PhaseName, Phase]]) -> str:
    near = verdict == "slower" and all(_nearly(phase) for _, phase in judged)
    return "A little slower than normal" if near else _HEADS[verdict]


def _nearly(phase: Phase) -> bool:
    """Is a phase that is slower than nine of ten almost as fast as the slowest of the nine?"""
    if phase.verdict != "slower" or phase.typical is None or phase.tokens_per_s is None:
        return True
    return phase.tokens_per_s >= _ROUNDED * phase.typical.low_tokens_per_s


_HEADS: Final[dict[Verdict, str]] = {
    "slower": "Slower than normal", "typical": "Normal", "faster": "Faster than most",
}  # fmt: skip
_ASIDE: Final[dict[Verdict, str]] = {"slower": "slower", "typical": "normal", "faster": "faster than most"}


def _reason(case: Case) -> str:
    """What the text itself shows to be the cause."""
    shown = next((cause for cause in case.causes if cause.certainty == "shown"), None)
    return "" if shown is None else f" The reason: {shown.reveals}."


def _from_elsewhere(case: Case) -> str:
    """Where writing is so far below a device that its memory cannot be what is read."""
    decode, stream = case.decode, case.stream
    if (
        decode is None
        or stream is None
        or stream.prompt_pass_s
        or decode.mbu is None
        or decode.mbu > _FAR_BELOW
        or case.device is None
    ):
        return ""
    # What is slower than any card by far, with no likelier cause in the text.
    if decode.verdict != "slower" or case.causes or stream.bytes_per_s > _MAIN_MEMORY * slowest_card_bytes_per_s():
        return ""
    like = memory_like(stream)
    return f" {stream_words(stream)} {like}" if like else ""


def _if_writing(case: Case) -> Iterator[str]:
    rate, typical = case.rate_tokens_per_s, case.if_writing
    if rate is None or typical is None:
        return
    low, high = typical.low_tokens_per_s, typical.high_tokens_per_s
    head = "Slower than normal" if rate < _ROUNDED * low else "Faster than most" if _ROUNDED * rate > high else "Normal"
    yield (
        f"{head} for {setup_words(case)}, if {rate_words(rate)} is the speed of writing: "
        f"{range_words(typical)} is typical."
    )


def _streamed(case: Case) -> Iterator[str]:
    stream = case.stream
    if stream is None:
        return
    if stream.prompt_pass_s is not None:
        yield (
            f"{_slow(case)}It is not the memory that slows writing: the prompt's pass read the same weights in "
            f"{show(stream.prompt_pass_s, 's', digits=2)}, a token took {show(stream.pass_s, 's', digits=2)}."
        )
    like = memory_like(stream) if stream.share is None else _of_device(case, stream)
    if like:
        guess = "If that is the speed of writing: " if stream.if_writing else ""
        yield f"{_slow(case)}{guess}{stream_words(stream)} {like}"


def _of_device(case: Case, stream: Stream) -> str:
    """How much of a known device's bandwidth an unknown model uses."""
    share = stream.share or 0.0
    if case.device is None or share > 1 or (share < _LITTLE and stream.pass_s < LONG_PASS_S):
        return ""
    held = (
        "close to the most that runs reach"
        if share >= _NEAR
        else "a usual share"
        if share >= _LITTLE
        else "little: something other than the memory holds it back, or the weights are elsewhere"
    )
    return f"That is {share:.0%} of what the {case.device.name} can read, {held}."


def _slow(case: Case) -> str:
    """What was measured, and the larger part of the time."""
    did = [f"{PHASE_WORDS[name]} {speed_of(phase)}" for name, phase in _phases(case) if speed_of(phase)]
    if not did and case.rate_tokens_per_s is not None:
        did = [rate_words(case.rate_tokens_per_s)]
    if not did:
        return "" if case.total_s is None else f"The whole request took {show(case.total_s, 's', digits=3)}. "
    takes = ""
    if case.slow in PHASE_WORDS and len(case.shares) > 1:
        takes = f", which is {case.shares[case.slow]:.0%} of the time"
        did.sort(key=lambda words: words.startswith(PHASE_WORDS[case.slow]))  # type: ignore[index]
    return f"{' and '.join(did)}{takes}. ".capitalize()


def missing(case: Case) -> str:
    """What the text would have to name for a comparison, in words."""
    kinds: tuple[tuple[OpenKind, str], ...] = (
        ("unknown model", "model"), ("unknown device", "device"), ("unknown weights", "format of the weights"),
    )  # fmt: skip
    asked = {question.kind for question in case.cannot_tell}
    lacks = [what for kind, what in kinds if kind in asked]
    if not lacks:
        return "others ran at the same time" if "shared" in asked else "the phases were not timed one by one"
    return f"the text names no known {' and no known '.join(lacks)}"


def _phases(case: Case) -> list[tuple[PhaseName, Phase]]:
    both: tuple[tuple[PhaseName, Phase | None], ...] = (("prefill", case.prefill), ("decode", case.decode))
    return [(name, phase) for name, phase in both if phase is not None]


def _main(case: Case) -> tuple[PhaseName, Phase] | None:
    """The phase that a reader feels most: writing, if it was timed."""
    phases = [(name, phase) for name, phase in _phases(case) if speed_of(phase)]
    return phases[-1] if phases else None
