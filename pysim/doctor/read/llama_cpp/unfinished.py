"""What can be known about a request of llama-server whose times were never printed?"""

from __future__ import annotations

import math
from dataclasses import replace

from pysim.doctor.read.llama_cpp.lines import Task
from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.llama_cpp.slots import Slot
from pysim.doctor.read.run import Gap, Run
from pysim.doctor.read.text import Text


def unfinished(text: Text, slot: Slot, setups: Setups) -> list[Run]:
    """A request whose times never came: what its running lines say."""
    setup = setups.at(slot.first)
    if slot.context_tokens is not None:
        setup = replace(setup, context_tokens=slot.context_tokens)
    common = Run(
        tool="llama-server",
        kind="generation",
        line=text.lines[slot.first].number,
        last_line=text.lines[slot.last].number,
        engine=setups.engine_at(slot.first),
        setup=setup,
        sequences=1,
    )
    runs = []
    if slot.read is not None:
        index, tokens, seconds, speed = slot.read
        runs.append(
            replace(
                common,
                kind="prompt",
                line=text.lines[slot.first].number,
                label="while reading",
                last_line=text.lines[index].number,
                prompt_tokens=tokens,
                prefill_s=seconds,
                prefill_tokens_per_s=speed,
            )
        )
    elif (pace := _pace(slot)) is not None:
        tokens, seconds = pace
        runs.append(
            replace(
                common,
                kind="prompt",
                line=text.lines[slot.first].number,
                label="progress lines",
                last_line=text.lines[slot.last].number,
                prompt_tokens=tokens,
                prefill_s=seconds,
                prefill_tokens_per_s=tokens / seconds,
            )
        )
    if slot.wrote is not None:
        index, tokens, speed = slot.wrote
        runs.append(
            replace(
                common,
                line=text.lines[slot.first].number,
                last_line=text.lines[index].number,
                label="while writing",
                output_tokens=tokens,
                decode_s=tokens / speed,
                decode_tokens_per_s=speed,
            )
        )
    return runs


def _pace(slot: Slot) -> tuple[float, float] | None:
    clocks = [(tokens, clock) for tokens, _, clock in slot.progress if clock is not None]
    if len(clocks) < 2 or clocks[-1][1] <= clocks[0][1] or clocks[-1][0] <= clocks[0][0]:
        return None
    return clocks[-1][0] - clocks[0][0], clocks[-1][1] - clocks[0][1]


def writing_together(slots: list[Slot]) -> list[Slot]:
    """Of requests whose times never came, those whose answers were being written at once; none where one was alone."""
    writing = sorted((slot for slot in slots if slot.wrote is not None), key=lambda slot: slot.first)
    if len(writing) < 2 or any(after.first > writing[0].last for after in writing[1:]):
        return []
    return writing


def several_writing(text: Text, together: list[Slot], setups: Setups) -> Run:
    """What a server did for several answers at once, by the last speed that was printed of each."""
    first, last = together[0].first, max(slot.last for slot in together)
    speeds = [slot.wrote[2] for slot in together if slot.wrote is not None]
    total = math.fsum(speeds)
    return Run(
        tool="llama-server",
        kind="window",
        line=text.lines[first].number,
        last_line=text.lines[last].number,
        label="while writing",
        engine=setups.engine_at(first),
        setup=setups.at(first),
        sequences=len(together),
        running=len(together),
        decode_tokens_per_s=total / len(together),
        decode_total_tokens_per_s=total,
        doubts=(f"{len(together)} answers were written at once: the speed of one alone cannot be told",),
    )


def unfinished_gaps(text: Text, task: Task, slot: Slot) -> list[Gap]:
    """A gap for an answer that was being written, or a prompt that was being read, when the text ended."""
    name = f"slot {task[0]}, task {task[1]}"
    if slot.wrote is not None:
        return [Gap(line=text.lines[slot.last].number, message=f"{name}: the answer was still being written")]
    if slot.progress or slot.read:
        share = f" ({slot.progress[-1][1]:.0%} of it read)" if slot.progress else ""
        return [Gap(line=text.lines[slot.last].number, message=f"{name}: the text ends before the answer{share}")]
    return []
