"""What does llama-server's log say about each request besides its two times?"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from pysim.doctor.read.llama_cpp.lines import Task, task_of
from pysim.doctor.read.numbers import NUMBER, number, whole
from pysim.doctor.read.text import Text

_CONTEXT: Final = re.compile(r"\bn_ctx_slot = (\d{1,9})")
_PROMPT: Final = re.compile(r"\b(?:n_prompt_tokens|task\.n_tokens) = (\d{1,9})")
_KEPT: Final = re.compile(r"(?:kv cache rm|memory_seq_rm) (?:- )?\[(\d{1,9}), ?end\)|\bp0=(\d{1,9})\b")
_DRAFT: Final = re.compile(r"\(\s{0,8}(\d{1,9}) accepted /\s{0,8}(\d{1,9}) generated\)")
_WROTE: Final = re.compile(rf"\bn_(?:decoded|gen) =\s{{0,8}}(\d{{1,9}}), tg =\s{{0,8}}({NUMBER}) t/s")
_READ: Final = re.compile(
    r"\bprompt processing, n_tokens =\s{0,8}(\d{1,9}), "
    rf".{{0,40}}t =\s{{0,8}}({NUMBER}) s /\s{{0,8}}({NUMBER}) tokens per"
)
_PROGRESS: Final = re.compile(
    r"\bprogress, (?:n_past = \d{1,9}, )?n_tokens = (\d{1,9}),.{0,60}progress = (\d\.\d{1,8})"
)
_OLD_PROGRESS: Final = re.compile(r"\bprogress, n_past = (\d{1,9}), n_tokens = \d{1,9}, progress = (\d\.\d{1,8})")
_DONE: Final = re.compile(r"stop processing: n_(?:tokens|past) = (\d{1,9})")
_OWN_CLOCK: Final = re.compile(r"\b(\d{1,6})\.(\d\d)\.(\d{3})\.(\d{3}) [IWEDT] ")
_CLOCK: Final = re.compile(r"\b(\d\d):(\d\d):(\d\d)[.,](\d{3})")
_WORDS: Final = (
    "n_ctx_slot",
    "kv cache rm",
    "memory_seq_rm",
    "accepted /",
    "n_decoded =",
    "n_gen =",
    "prompt processing",
    "launch_slot_",
    "release:",
    "truncated = 1",
)


@dataclass(slots=True)
class Slot:
    """What is known of one task of the server; `read` is (line index, tokens, seconds, tokens per second).

    `started`: the text has its beginning.
    """

    first: int
    last: int
    context_tokens: int | None = None
    prompt_tokens: int | None = None
    kept_tokens: int | None = None
    drafted: tuple[int, int] | None = None
    wrote: tuple[int, float, float] | None = None
    read: tuple[int, float, float, float] | None = None
    progress: list[tuple[float, float, float | None]] = field(default_factory=list)
    done_tokens: int | None = None
    truncated: bool = False
    beside: int = 0
    started: bool = False


def slots(text: Text) -> dict[Task, Slot]:
    """Every task that the log names."""
    known: dict[Task, Slot] = {}
    running: set[Task] = set()
    if "task" not in text.plain:
        return known
    for index in text.places(*_WORDS):
        line = text.lines[index].text
        task = task_of(line)
        if task is None:
            continue
        slot = known.setdefault(task, Slot(first=index, last=index))
        slot.last = index
        if "launch_slot_" in line:
            _launched(known, running, task)
        elif "release:" in line:
            running.discard(task)
        _learn(slot, index, line)
    return known


def _launched(known: dict[Task, Slot], running: set[Task], task: Task) -> None:
    for other in running:
        known[other].beside = max(known[other].beside, len(running))
    known[task].beside = max(known[task].beside, len(running))
    running.add(task)


def _learn(slot: Slot, index: int, line: str) -> None:
    # A word is looked for much sooner than a pattern, and a busy server writes little else than these lines.
    slot.started = slot.started or "n_ctx_slot" in line or "launch_slot_" in line
    if "n_ctx_slot" in line and (match := _CONTEXT.search(line)) is not None:
        slot.context_tokens = whole(match[1])
        if (match := _PROMPT.search(line)) is not None:
            slot.prompt_tokens = whole(match[1])
    elif slot.kept_tokens is None and "rm [" in line and (match := _KEPT.search(line)) is not None:
        # What a later batch of a prompt keeps is what the batches before it read.
        is_first = slot.started or match[1] is None
        slot.kept_tokens = whole(match[1] or match[2]) if is_first and not slot.progress and not slot.read else 0
    elif "accepted /" in line and (match := _DRAFT.search(line)) is not None:
        slot.drafted = (int(match[1]), int(match[2]))
    elif "tg = " in line and (match := _WROTE.search(line)) is not None and (speed := number(match[2])):
        slot.wrote = (index, float(match[1]), speed)
    elif "progress" in line:
        _learn_progress(slot, index, line)
    if "stop processing" in line and (match := _DONE.search(line)) is not None:
        slot.done_tokens = whole(match[1])
    slot.truncated = slot.truncated or "truncated = 1" in line


def _learn_progress(slot: Slot, index: int, line: str) -> None:
    if (match := _READ.search(line)) is not None:
        seconds, speed = number(match[2]), number(match[3])
        if seconds and speed:
            slot.read = (index, float(match[1]), seconds, speed)
    elif (match := _OLD_PROGRESS.search(line) or _PROGRESS.search(line)) is not None:
        slot.progress.append((float(match[1]), float(match[2]), _clock_s(line)))
        if float(match[2]) == 1 and slot.prompt_tokens is None:
            slot.prompt_tokens = int(match[1])


def _clock_s(line: str) -> float | None:
    """The log's clock: the server's own counts minutes, seconds, milliseconds and microseconds since its start."""
    head = line[:80]
    if (match := _OWN_CLOCK.search(head)) is not None:
        minutes, seconds, milliseconds, microseconds = map(int, match.groups())
        return minutes * 60 + seconds + milliseconds * 1e-3 + microseconds * 1e-6
    if (match := _CLOCK.search(head)) is not None:
        hours, minutes, seconds, milliseconds = map(int, match.groups())
        return hours * 3600 + minutes * 60 + seconds + milliseconds * 1e-3
    return None
