"""Open questions: what an output cannot tell, and what should be run instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import CannotTell
from pysim.doctor.judge.verdict import FEW_TOKENS
from pysim.doctor.read.prose import TOOL as SENTENCE
from pysim.doctor.words import PHASE_WORDS
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Case, OpenKind, Recognised
    from pysim.doctor.judge.judgement import Judgement
    from pysim.doctor.judge.timing import Timing
    from pysim.doctor.read.run import Run

# Standard deviations above these parts of the mean hide what a change would bring.
UNSTABLE: Final = 0.1
# An H100 multiplies 295 times as many 16-bit numbers as it reads bytes: nothing reads prompts faster than that ratio.
_CACHED: Final = 300
_ANY_TOOL: Final = "a run that prints time to first token, time per output token, and both token counts"


def open_questions(judgement: Judgement) -> tuple[CannotTell, ...]:
    """All that stays open, what matters most first."""
    return (
        *_of_faults(judgement),
        *_of_queue(judgement),
        *_of_form(judgement),
        *_of_length(judgement),
        *_of_load(judgement),
        *_of_cached(judgement),
        *_of_scatter(judgement),
        *_of_place(judgement),
        *_of_names(judgement),
    )


def _of_faults(judgement: Judgement) -> Iterator[CannotTell]:
    timing = judgement.timing
    if not timing.prefill_trusted:
        bound = ""
        if timing.prefill_s is not None:
            bound = f"; from the total, reading took at most {show(timing.prefill_s, 's', digits=3)}"
        yield CannotTell(
            kind="prompt rate",
            message=f"how fast the prompt was read: the printed rate cannot be right{bound}",
            instead="update the tool, send a prompt it has not seen before, and include the total time",
        )
    for name, phase in judgement.phases():
        if phase.doubt is not None:
            yield CannotTell(
                kind="impossible",
                message=f"how close {PHASE_WORDS[name]} is to the limit: {phase.doubt}",
                instead="check the names recognized below, and choose the right ones",
            )


def _of_queue(judgement: Judgement) -> Iterator[CannotTell]:
    timing, run = judgement.timing, judgement.run
    if run.kind == "service":
        yield from _of_waiting(timing, run)
        yield from _of_others(judgement.case, timing)
        yield from _of_pauses(run)
    elif timing.shared and run.kind == "request":
        yield CannotTell(
            kind="shared",
            message="how fast one request alone would be: others ran at the same time",
            instead="the same test with one request at a time",
        )


def _of_waiting(timing: Timing, run: Run) -> Iterator[CannotTell]:
    if not timing.ttft_s:
        return
    if timing.parts_s.get("queue"):
        own = show(timing.own_reading_s or 0.0, "s", digits=2)
        yield CannotTell(
            kind="queue",
            message=f"how long reading a prompt takes: of a TTFT of {show(timing.ttft_s, 's', digits=3)} at most {own} "
            "is reading the request's own prompt; the rest is waiting for others",
            instead="the same test with one request at a time (--max-concurrency 1), and with as many as you expect",
        )
    elif timing.own_reading_s is None and (run.requests or 2) > 1 and timing.sequences > 1.5:
        yield CannotTell(
            kind="queue",
            message="how much of TTFT is waiting and how much reading: prompt lengths or total throughput are missing",
            instead="the whole result block, or the same test with one request at a time",
        )


def _of_others(case: Case, timing: Timing) -> Iterator[CannotTell]:
    if timing.shared and case.decode is not None and case.decode.each_tokens_per_s:
        yield CannotTell(
            kind="shared",
            message="how fast writing alone is: between the tokens of one answer, other requests' prompts "
            + ("are read" if timing.sequences > 1.5 else "may be read, and the text doesn't say how many there were"),
            instead="the same test with one request at a time",
        )


def _of_pauses(run: Run) -> Iterator[CannotTell]:
    itl = run.itl
    if itl is not None and itl.mean_s and itl.p99_s and itl.mean_s > itl.p99_s:
        yield CannotTell(
            kind="pauses",
            message=f"the usual pause between tokens: its mean, {show(itl.mean_s, 's', digits=3)}, is above the P99 "
            f"of {show(itl.p99_s, 's', digits=3)}, so a few very long pauses dominate it",
            instead="look at the median and the largest values",
        )


def _of_form(judgement: Judgement) -> Iterator[CannotTell]:
    case, timing, run = judgement.case, judgement.timing, judgement.run
    lost = case.shares.get("other", 0.0)
    if lost > 0.2:
        yield CannotTell(
            kind="unexplained",
            message=f"where {lost:.0%} of the time went: to no phase that the tool reports (waiting for input, "
            "sampling, images, templates)",
            instead=_both(judgement),
        )
    if run.kind == "combined":
        yield CannotTell(
            kind="combined",
            message="which phase is slow: "
            + ("a single rate doesn't say" if run.tool == SENTENCE else "reading and writing were timed together"),
            instead=_both(judgement),
        )
        return
    end_s = None if run.end_to_end is None else run.end_to_end.mean_s
    if timing.ttft_s and end_s and timing.ttft_s > 0.98 * end_s and (timing.output_tokens or 3) >= 2:
        yield CannotTell(
            kind="no streaming",
            message="TTFT: it equals the time of the whole request, so nothing was streamed",
            instead="the same benchmark with streaming on",
        )
    if run.kind == "window":
        yield CannotTell(
            kind="window",
            message="TTFT or how long the conversations are: these lines are averages of a running server",
            instead=_both(judgement),
        )
        return
    yield from _of_missing_phases(judgement)


def _of_missing_phases(judgement: Judgement) -> Iterator[CannotTell]:
    case = judgement.case
    if case.prefill is None and case.ttft_s is None:
        yield CannotTell(
            kind="no prefill",
            message="anything about reading the prompt: the output doesn't time it",
            instead=_both(judgement),
        )
    if case.decode is None:
        yield CannotTell(
            kind="no decode",
            message="anything about writing the answer: the output doesn't time it",
            instead=_both(judgement),
        )


def _of_length(judgement: Judgement) -> Iterator[CannotTell]:
    timing = judgement.timing
    if timing.one_token:
        output = timing.output_tokens
        why = "TTFT and TPOT are the same" if output is None else f"the answers have {output:.2g} tokens"
        yield CannotTell(
            kind="one token",
            message=f"the speed of writing: {why}, which is too little to time a token by",
            instead="answers of 100 tokens or more",
        )
    prompt = timing.prompt_tokens
    if prompt is None or prompt >= FEW_TOKENS or not judgement.case.prefill:
        return
    if judgement.run.kind in ("request", "prompt"):
        few = f"{prompt:,.0f} new tokens are" if prompt and timing.depth_tokens else f"{prompt:,.0f} tokens are"
        few = "one new token is" if prompt == 1 else few
        yield CannotTell(
            kind="short prompt",
            message=f"how fast a long prompt is read: {few} too few to keep the compute units busy",
            instead="a prompt of 500 tokens or more",
        )


def _of_load(judgement: Judgement) -> Iterator[CannotTell]:
    again = "the same run again: the model is loaded by then"
    ratio = judgement.timing.strange
    if ratio is not None:
        yield CannotTell(
            kind="cold",
            message=f"how fast prompts are read: a token took {ratio:,.0f} times as long to read as to write, which "
            "computing can't explain; the first run reads the model from disk or compiles kernels",
            instead=again,
        )
    share = judgement.case.shares.get("load", 0.0)
    if share > 0.2:
        yield CannotTell(
            kind="load",
            message=f"how long a normal request takes: {share:.0%} of this one went to loading the model",
            instead=again,
        )


def _of_cached(judgement: Judgement) -> Iterator[CannotTell]:
    """A prompt that is read hundreds of times as fast as an answer is written was in the cache for the most part."""
    prefill, decode, timing = judgement.case.prefill, judgement.case.decode, judgement.timing
    if prefill is None or decode is None or timing.sequences > 1 or timing.shared or judgement.known.devices:
        return
    read, written = prefill.tokens_per_s, decode.each_tokens_per_s
    if read and written and not decode.at_least and read > _CACHED * written and not judgement.run.cached_tokens:
        yield CannotTell(
            kind="prompt rate",
            message=f"how fast the prompt was read: {read / written:,.0f} times as fast as the answer was written; no "
            "device does that, so most of it came from the cache, which the tool counts in",
            instead="a prompt that the server has not seen before",
        )


def _of_scatter(judgement: Judgement) -> Iterator[CannotTell]:
    for name, phase in judgement.phases():
        if not phase.tokens_per_s or not phase.deviation_tokens_per_s:
            continue
        share = phase.deviation_tokens_per_s / phase.tokens_per_s
        if share > UNSTABLE:
            yield CannotTell(
                kind="unstable",
                message=f"the speed of {PHASE_WORDS[name]} to better than {share:.0%}: repeats differ by that much",
                instead="more repeats on a warm device with nothing else running; check for throttling",
            )


def _of_place(judgement: Judgement) -> Iterator[CannotTell]:
    if judgement.on_host is not None:
        yield CannotTell(
            kind="offload",
            message=f"how close this is to the device's limits: {judgement.on_host}, and host memory sets the pace",
            instead="all layers on the device, if they fit",
        )
    elif judgement.does_not_fit:
        yield CannotTell(
            kind="does not fit",
            message=f"how close this is to the device's limits: {_too_much(judgement)}, so part of them is "
            "elsewhere, or a name is wrong",
            instead="the start of the tool's log, which says where the layers are",
        )


def _too_much(judgement: Judgement) -> str:
    """What does not fit on the fullest device; of several set-ups in the first."""
    memories = judgement.possible[0].memories
    fullest = memories.fullest
    taken_bytes = 0.0 if fullest is None else fullest.weights_bytes + fullest.taken_bytes
    memory_bytes = 0.0 if fullest is None else fullest.size_bytes or 0.0
    taken, memory = show(taken_bytes, "B", digits=3), show(memory_bytes, "B", digits=3)
    count = len(memories.per_device)
    if count == 1:
        return f"weights and cache of {taken} do not fit in {memory}"
    return f"weights and cache on the fullest of {count} devices, {taken}, do not fit in its {memory}"


def _of_names(judgement: Judgement) -> Iterator[CannotTell]:
    case = judgement.case
    named: tuple[tuple[OpenKind, Recognised | None, str, str], ...] = (
        ("unknown device", case.device, "how close this is to what the device can do", "choose the device"),
        ("unknown model", case.model, "what such a model should reach", "choose the model, or paste its config.json"),
        ("unknown weights", case.weights, "what weights of this format should reach",
         "choose the format of the weights"),
    )  # fmt: skip
    for kind, recognised, what, instead in named:
        if recognised is not None and recognised.key is not None:
            continue
        if kind == "unknown weights" and not judgement.known.models:
            continue
        yield CannotTell(kind=kind, message=f"{what}: {_why(kind, recognised)}", instead=instead)


def _why(kind: OpenKind, recognised: Recognised | None) -> str:
    if recognised is None:
        return f"the text names no {kind.removeprefix('unknown ')}"
    if recognised.candidates:
        several = kind == "unknown model"
        return f'"{recognised.words}" names several: {recognised.how}' if several else recognised.how
    return f'"{recognised.words}" is {recognised.how}'


def _both(judgement: Judgement) -> str:
    """A command that times both phases, with the tool that was used where it can."""
    tool, program = judgement.run.tool, judgement.known.program
    if tool == SENTENCE:
        return "ollama run MODEL --verbose, llama-bench -m FILE -p 512 -n 128, or vllm bench serve --max-concurrency 1"
    if program is None:
        return _ANY_TOOL
    return (program.benchmark if "bench" in tool else None) or program.command or _ANY_TOOL
