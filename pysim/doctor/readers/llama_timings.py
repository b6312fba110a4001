"""What do llama.cpp's timing lines say, from its first main program to the server's slots?"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import Final

from pysim.doctor.read.llama_cpp.lines import Task, TimingBlock, TimingLine, blocks
from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.llama_cpp.slots import Slot, slots
from pysim.doctor.read.llama_cpp.unfinished import several_writing, unfinished, unfinished_gaps, writing_together
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.text import Text

TOOLS: Final = {"llama.cpp": "llama.cpp", "llama-server": "llama-server"}
_PREFIX_HIT: Final = re.compile(r"(\d{1,9}) prefix-match hit")
_SPEED_DIFFERS: Final = 0.05


def read(text: Text) -> Reading:
    """One run per block of timing lines, and gaps where one broke off."""
    timed_blocks = blocks(text)
    tasks = slots(text) if "task" in text.plain else {}
    if not timed_blocks and not tasks:
        return Reading(runs=())
    setups = Setups(text)
    hits = text.places("prefix-match hit")
    runs: list[Run] = []
    gaps: list[Gap] = []
    seen: set[Task] = set()
    after = -1
    for block in timed_blocks:
        setup, engine = setups.at(block.first), setups.engine_at(block.first)
        slot = tasks.get(block.task) if block.task else None
        if block.task:
            seen.add(block.task)
        run = _run(text, block, slot, setup, engine)
        hit = bisect_left(hits, block.first) - 1
        if hit >= 0 and hits[hit] > after and block.task is None:
            run = _with_prefix(run, text.lines[hits[hit]].text)
        after = block.last
        runs.append(run)
        gaps += _missing(text, block)
    open_tasks = {task: slot for task, slot in tasks.items() if task not in seen}
    together = writing_together(list(open_tasks.values()))
    if together:
        runs.append(several_writing(text, together, setups))
    for task, slot in open_tasks.items():
        runs += [run for run in unfinished(text, slot, setups) if slot not in together or run.kind == "prompt"]
        gaps += unfinished_gaps(text, task, slot)
    return Reading(runs=tuple(runs), gaps=tuple(gaps))


def _run(text: Text, block: TimingBlock, slot: Slot | None, setup: Setup, engine: str) -> Run:
    times = block.timings
    prompt, wrote, predict = times.get("prompt"), times.get("eval"), times.get("predict")
    total, load, sample = (times[name].seconds if name in times else None for name in ("total", "load", "sample"))
    if predict is not None and prompt is None and wrote is None:
        return _oldest(text, block, predict, load, total, setup, engine)
    run = Run(
        tool="llama-server" if block.task or any(map(_of_server, times.values())) else "llama.cpp",
        kind="request",
        line=text.lines[block.first].number,
        last_line=text.lines[block.last].number,
        label=f"slot {block.task[0]}, task {block.task[1]}" if block.task else "",
        engine=engine,
        setup=setup,
        prompt_tokens=prompt.count if prompt else None,
        output_tokens=wrote.count if wrote else None,
        sequences=1,
        load_s=load,
        prefill_s=prompt.seconds if prompt and prompt.seconds else None,
        decode_s=wrote.seconds if wrote and wrote.seconds else None,
        decode_passes=_passes(wrote, slot),
        total_s=total,
        prefill_tokens_per_s=_speed(prompt),
        decode_tokens_per_s=_speed(wrote),
        unaccounted_s=_unaccounted(total, prompt, wrote, sample),
        doubts=_doubts(prompt, wrote, load),
    )
    return run if slot is None else _with_slot(run, slot)


def _of_server(timing: TimingLine) -> bool:
    return timing.of_server or (timing.what == "eval" and timing.unit == "token")


def _oldest(
    text: Text,
    block: TimingBlock,
    predict: TimingLine,
    load: float | None,
    total: float | None,
    setup: Setup,
    engine: str,
) -> Run:
    """The first version timed prompt and answer together."""
    return Run(
        tool="llama.cpp",
        kind="combined",
        line=text.lines[block.first].number,
        last_line=text.lines[block.last].number,
        engine=engine,
        setup=setup,
        sequences=1,
        load_s=load,
        total_s=total,
        combined_tokens_per_s=1e3 / predict.count if predict.unit == "ms per token" and predict.count else None,
    )


def _speed(timing: TimingLine | None) -> float | None:
    if timing is None or not timing.count or not timing.seconds:
        return None
    if timing.unit == "token" and timing.what == "eval" and timing.count < 2:
        return None
    return timing.count / timing.seconds


def _passes(wrote: TimingLine | None, slot: Slot | None) -> float | None:
    """Known of runs; of the server's tokens the first came out of the prompt, and a draft saved those accepted."""
    if wrote is None or wrote.count is None:
        return None
    if wrote.unit == "run":
        return wrote.count
    return max(wrote.count - 1 - slot.drafted[0], 0) if slot is not None and slot.drafted else None


def _unaccounted(
    total: float | None, prompt: TimingLine | None, wrote: TimingLine | None, sample: float | None
) -> float | None:
    if total is None or prompt is None or wrote is None:
        return None
    left = total - prompt.seconds - wrote.seconds - (sample or 0)
    return left if left > 0.001 * total else None


def _doubts(prompt: TimingLine | None, wrote: TimingLine | None, load: float | None) -> tuple[str, ...]:
    doubts = []
    if prompt is not None and not prompt.seconds:
        doubts.append("no time for the prompt: it was already in the cache, so reading was not timed")
    if wrote is not None and (not wrote.seconds or _speed(wrote) is None):
        doubts.append("at most one token was written, so writing was not timed")
    if load is not None and prompt is not None and prompt.seconds and abs(load - prompt.seconds) < 0.02 * load:
        doubts.append("the load time printed here covers the first prompt, not loading")
    doubts += [
        f"the printed {timing.speed:g} tokens per second do not match the printed tokens and time"
        for timing in (prompt, wrote)
        if timing is not None and timing.speed is not None and _differs(timing.speed, _speed(timing))
    ]
    return tuple(doubts)


def _differs(printed: float, computed: float | None) -> bool:
    rounding = 0.02
    return computed is not None and abs(printed - computed) > max(rounding, _SPEED_DIFFERS * computed)


def _with_slot(run: Run, slot: Slot) -> Run:
    doubts = [*run.doubts]
    if slot.truncated:
        doubts.append("the context was full and the text was cut to fit")
    if slot.drafted:
        doubts.append(f"speculative decoding: {slot.drafted[0]} of {slot.drafted[1]} drafted tokens were accepted")
    if slot.beside:
        doubts.append(f"up to {slot.beside + 1} requests ran at the same time, so this speed is one request's share")
    processed, prompt = run.prompt_tokens, slot.prompt_tokens
    cached = None
    if processed is not None and prompt is not None and prompt >= processed:
        cached = prompt - processed
    elif processed is not None and slot.kept_tokens:
        cached, prompt = slot.kept_tokens, int(processed) + slot.kept_tokens
    elif processed is not None and run.output_tokens and slot.done_tokens and not slot.truncated:
        before = slot.done_tokens - int(processed + run.output_tokens)
        # The last token written is in the cache or not, as versions differ.
        cached, prompt = (before, int(processed) + before) if before > 1 else (None, prompt)
    return replace(
        run,
        setup=run.setup if slot.context_tokens is None else replace(run.setup, context_tokens=slot.context_tokens),
        sequences=None if slot.beside else run.sequences,
        running=slot.beside + 1 if slot.beside else run.running,
        prompt_tokens=prompt if cached is not None else processed,
        cached_tokens=cached,
        doubts=tuple(doubts),
    )


def _with_prefix(run: Run, line: str) -> Run:
    match = _PREFIX_HIT.search(line)
    if match is None or run.prompt_tokens is None:
        return run
    return replace(run, cached_tokens=int(match[1]), prompt_tokens=run.prompt_tokens + int(match[1]))


def _missing(text: Text, block: TimingBlock) -> list[Gap]:
    line = text.lines[block.last].number
    if "predict" in block.timings:
        return []
    lacks = [
        f'the line "{words}"'
        for name, words in (("prompt", "prompt eval time"), ("eval", "eval time"))
        if name not in block.timings
    ]
    lacks += [
        f"the token count of the {timing.what} time"
        for timing in block.timings.values()
        if timing.what in ("prompt", "eval") and timing.count is None
    ]
    return [Gap(line=line, message=f"{' and '.join(lacks)} is missing")] if lacks else []
