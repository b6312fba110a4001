"""Times of a server under load, or of a whole run in one rate: what they say about its phases."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from pysim.doctor.judge.timing import Timing, hardly_an_answer, inverse
from pysim.doctor.judge.windows import LOWER_BOUND

if TYPE_CHECKING:
    from pysim.doctor.case import TimePart
    from pysim.doctor.read.run import Latency, Run

# A log does not say how long the conversations are; most of chats are no longer.
ASSUMED_DEPTH_TOKENS: Final = 1000.0
_ALONE: Final = 1.5  # fewer requests in flight than these are one at a time
_QUEUED: Final = 1.5  # a TTFT that is longer than so many readings is waiting too


def service(run: Run) -> Timing:
    """Many requests: means, and what of the time to the first token can have been reading at most."""
    ttft_s = _typical_s(run.ttft)
    itl_s = _typical_s(run.itl)
    tpot_s = _typical_s(run.tpot) or itl_s or inverse(run.decode_tokens_per_s)
    end_s = _typical_s(run.end_to_end)
    output_tokens = run.output_tokens
    if output_tokens is None and ttft_s and tpot_s and end_s:
        output_tokens = (end_s - ttft_s) / tpot_s + 1
    few = hardly_an_answer(run)
    decode_s = _decode_s(ttft_s, tpot_s, end_s, output_tokens)
    own_reading_s = _own_reading_s(run, ttft_s)
    parts_s = _parts(ttft_s, own_reading_s, decode_s)
    pause_s = itl_s or tpot_s
    written = run.decode_total_tokens_per_s
    # By Little's law as many answers are being written as tokens come in the time between two of one answer.
    at_once = written * pause_s if written and pause_s and not few else None
    sequences = _in_flight(run, end_s or (ttft_s or 0.0) + (decode_s or 0.0)) or at_once
    alone = sequences is not None and sequences < _ALONE
    own = bool(alone and ttft_s and run.prompt_tokens)
    return Timing(
        prompt_tokens=run.prompt_tokens,
        output_tokens=output_tokens,
        depth_tokens=run.cached_tokens or 0.0,
        answer_depth_tokens=run.prompt_tokens,
        sequences=max(1.0, sequences or 1.0),
        answer_sequences=None if at_once is None else max(1.0, min(at_once, sequences or at_once)),
        prefill_s=ttft_s if own else None,
        prefill_tokens_per_s=run.prompt_tokens / ttft_s if own and ttft_s and run.prompt_tokens else _read_rate(run),
        prefill_at_least=not own,
        own_reading_s=own_reading_s,
        decode_s=decode_s,
        decode_each_tokens_per_s=None if few else inverse(pause_s),
        shared=not alone,
        one_token=few,
        decode_total_tokens_per_s=written,
        tpot_s=None if few else tpot_s,
        ttft_s=ttft_s,
        total_s=end_s if end_s is not None else math.fsum(parts_s.values()) if ttft_s and decode_s else None,
        parts_s=parts_s,
    )


def window(run: Run) -> Timing:
    """A running server over a few seconds: how fast answers were written."""
    running = run.running or run.sequences
    total = run.decode_total_tokens_per_s
    speed = run.decode_tokens_per_s
    if speed is None and total and running and running >= 1:
        speed = total / running
    # Without a steady window the requests began or ended in it, or others' prompts were read.
    least = LOWER_BOUND in run.untrusted
    return Timing(
        output_tokens=run.output_tokens,
        depth_tokens=run.depth_tokens or 0.0,
        answer_depth_tokens=run.depth_tokens or ASSUMED_DEPTH_TOKENS,
        sequences=max(1.0, running or 1.0),
        prefill_tokens_per_s=run.prefill_tokens_per_s or None,
        prefill_at_least=True,
        decode_each_tokens_per_s=speed or None,
        decode_total_tokens_per_s=total or speed,
        decode_at_least=least,
        shared=least,
        tpot_s=None if least else inverse(speed),
    )


def combined(run: Run) -> Timing:
    """Both phases in one rate: only bounds."""
    # Written tokens over the whole time: the writing alone was faster.
    alone = (run.requests or 1) == 1 and (run.sequences or 1) == 1
    least = run.output_tokens / run.total_s if alone and run.output_tokens and run.total_s else None
    return Timing(
        prompt_tokens=run.prompt_tokens,
        output_tokens=run.output_tokens,
        depth_tokens=run.depth_tokens or 0.0,
        answer_depth_tokens=(run.depth_tokens or 0.0) + (run.prompt_tokens or 0.0),
        sequences=run.sequences or 1.0,
        decode_each_tokens_per_s=run.decode_tokens_per_s or least,
        decode_total_tokens_per_s=run.decode_total_tokens_per_s or least,
        decode_at_least=run.decode_tokens_per_s is None,
        ttft_s=_typical_s(run.ttft),
        tpot_s=inverse(run.decode_tokens_per_s) or _typical_s(run.tpot),
        total_s=run.total_s,
    )


def _typical_s(latency: Latency | None) -> float | None:
    """The mean of a latency, or else its median, in seconds."""
    if latency is None:
        return None
    return latency.mean_s if latency.mean_s is not None else latency.median_s


def _decode_s(
    ttft_s: float | None, tpot_s: float | None, end_s: float | None, output_tokens: float | None
) -> float | None:
    """Seconds from the first token to the last."""
    if end_s is not None and ttft_s is not None:
        return max(0.0, end_s - ttft_s)
    if tpot_s is not None and output_tokens is not None and output_tokens > 1:
        return tpot_s * (output_tokens - 1)
    return None


def _read_rate(run: Run) -> float | None:
    """Prompt tokens per second of all requests over the whole time."""
    if run.total_prefill_tokens_per_s is None and run.prompt_tokens and run.request_throughput_per_s:
        return run.prompt_tokens * run.request_throughput_per_s
    return run.total_prefill_tokens_per_s


def _own_reading_s(run: Run, ttft_s: float | None) -> float | None:
    """The most that reading one's own prompt can have taken: the server read them all in the whole time."""
    rate = _read_rate(run)
    if ttft_s is None or not run.prompt_tokens or not rate:
        return None
    return min(ttft_s, run.prompt_tokens / rate)


def _parts(ttft_s: float | None, own_reading_s: float | None, decode_s: float | None) -> dict[TimePart, float]:
    parts: dict[TimePart, float | None] = {"decode": decode_s, "prefill": ttft_s}
    if ttft_s is not None and own_reading_s is not None and ttft_s > _QUEUED * own_reading_s:
        parts |= {"prefill": own_reading_s, "queue": ttft_s - own_reading_s}
    return {part: seconds for part, seconds in parts.items() if seconds}


def _in_flight(run: Run, request_s: float) -> float | None:
    """Requests at once: as the tool counted them, by Little's law from the length of one, or as it limited them."""
    if run.requests and run.total_s and request_s and run.sequences is None:
        return min(run.requests, run.requests * request_s / run.total_s)
    return run.sequences or run.concurrency_limit
