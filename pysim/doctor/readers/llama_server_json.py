"""What does the `timings` object in llama-server's answers say?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.llama_cpp.command import base_name
from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.numbers import count, positive
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.text import Text

TOOLS: Final = {"llama-server": "llama-server"}
_KEYS: Final = ("predicted_per_second", "predicted_ms", "prompt_per_second", "prompt_ms")
_NESTED: Final = 3


def read(text: Text) -> Reading:
    """One run per answer that holds timings."""
    if '"predicted_' not in text.plain and '"prompt_ms"' not in text.plain:
        return Reading(runs=())
    last: dict[object, tuple[JsonObject, Mapping[str, object], Mapping[str, object]]] = {}
    gaps: list[Gap] = []
    setups = Setups(text)
    setup, engine = setups.at(len(text.lines)), setups.engine_at(len(text.lines))
    for record in text.objects:
        for answer, timings in _timings(record.value):
            # A stream may give the times so far with every token: the last ones are the whole request's.
            name = answer.get("id")
            last[name if isinstance(name, str) else len(last)] = (record, answer, timings)
            if not record.whole and _run(record, answer, timings, setup, engine).decode_tokens_per_s is None:
                gaps.append(Gap(line=record.last_line, message="the answer's timings are cut off"))
    return Reading(runs=tuple(_run(*answer, setup, engine) for answer in last.values()), gaps=tuple(gaps))


def _timings(value: object, depth: int = 0) -> Iterator[tuple[Mapping[str, object], Mapping[str, object]]]:
    """Every object of timings with the answer that it is in."""
    if isinstance(value, dict):
        own = value.get("timings", value)
        if isinstance(own, dict) and any(key in own and positive(own[key]) for key in _KEYS):
            yield value, own
        elif depth < _NESTED:
            yield from _within(value.values(), depth + 1)
    elif isinstance(value, list) and depth < _NESTED:
        yield from _within(value, depth + 1)


def _within(values: Iterable[object], depth: int) -> Iterator[tuple[Mapping[str, object], Mapping[str, object]]]:
    for inner in values:
        if isinstance(inner, dict) or (depth < _NESTED and isinstance(inner, list)):
            yield from _timings(inner, depth)


def _run(
    record: JsonObject, answer: Mapping[str, object], timings: Mapping[str, object], setup: Setup, engine: str
) -> Run:
    read, wrote = count(timings.get("prompt_n")), count(timings.get("predicted_n"))
    prompt_s, wrote_s = _seconds(timings, "prompt_ms"), _seconds(timings, "predicted_ms")
    cached = count(timings.get("cache_n"))
    whole = count(answer.get("tokens_evaluated"))
    if cached is None and read is not None and whole is not None and whole > read:
        cached = whole - read
    drafted, accepted = count(timings.get("draft_n")), count(timings.get("draft_n_accepted"))
    return Run(
        tool="llama-server",
        kind="request",
        line=record.line,
        last_line=record.last_line,
        engine=engine,
        setup=_named(setup, answer.get("model")),
        prompt_tokens=read if cached is None or read is None else read + cached,
        cached_tokens=cached,
        output_tokens=wrote,
        sequences=1,
        prefill_s=prompt_s,
        decode_s=wrote_s if wrote is None or wrote > 1 else None,
        decode_passes=max(wrote - 1 - accepted, 0) if wrote is not None and accepted is not None else None,
        total_s=prompt_s + wrote_s if prompt_s is not None and wrote_s is not None else None,
        prefill_tokens_per_s=_speed(read, prompt_s, timings.get("prompt_per_second")),
        decode_tokens_per_s=_speed(wrote, wrote_s, timings.get("predicted_per_second")) if wrote != 1 else None,
        doubts=_doubts(wrote, drafted, accepted),
    )


def _named(setup: Setup, name: object) -> Setup:
    if not isinstance(name, str) or not name:
        return setup
    return replace(setup, model_file=base_name(name)) if name.endswith(".gguf") else replace(setup, model=name)


def _seconds(timings: Mapping[str, object], key: str) -> float | None:
    milliseconds = positive(timings.get(key))
    return None if milliseconds is None else milliseconds / 1e3


def _speed(tokens: int | None, seconds: float | None, printed: object) -> float | None:
    if tokens and seconds:
        return tokens / seconds
    return positive(printed)


def _doubts(wrote: int | None, drafted: int | None, accepted: int | None) -> tuple[str, ...]:
    doubts = []
    if wrote is not None and wrote < 2:
        doubts.append("at most one token was written, so writing was not timed")
    if drafted:
        doubts.append(f"speculative decoding: {accepted or 0} of {drafted} drafted tokens were accepted")
    return tuple(doubts)
