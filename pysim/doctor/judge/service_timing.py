"""What do the times of a server under load, or of a whole run in one rate, say about its phases?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pysim.doctor.judge.timing import Timing, hardly_an_answer, inverse

if TYPE_CHECKING:
    from pysim.doctor.case import Part
    from pysim.doctor.read.run import Run


def service(run: Run) -> Timing:
    """Many requests: means, and what of the time to the first token can have been reading at most."""
    ttft = _typical(run, "ttft")
    tpot = _typical(run, "tpot") or _typical(run, "itl") or inverse(run.decode_tokens_per_s)
    end = _typical(run, "end_to_end")
    output = run.output_tokens
    if output is None and ttft and tpot and end:
        output = (end - ttft) / tpot + 1
    few = hardly_an_answer(run)
    decode = None
    if end is not None and ttft is not None:
        decode = max(0.0, end - ttft)
    elif tpot is not None and output is not None and output > 1:
        decode = tpot * (output - 1)
    most = None
    rate = run.total_prefill_tokens_per_s
    if rate is None and run.prompt_tokens and run.request_throughput_per_s:
        rate = run.prompt_tokens * run.request_throughput_per_s
    if ttft is not None and run.prompt_tokens and rate:
        most = min(ttft, run.prompt_tokens / rate)
    parts: dict[Part, float | None] = {"decode": decode}
    if most is not None and ttft is not None:
        parts |= {"prefill": most, "queue": ttft - most if ttft > 1.5 * most else 0.0}
        if not parts["queue"]:
            parts["prefill"] = ttft
    elif ttft is not None:
        parts["prefill"] = ttft
    spent = {name: value for name, value in parts.items() if value}
    sequences = run.sequences or run.concurrency_limit
    if run.requests and run.total_s and (whole := end or (ttft or 0.0) + (decode or 0.0)) and run.sequences is None:
        sequences = min(run.requests, run.requests * whole / run.total_s)
    pause = _typical(run, "itl") or tpot
    written = run.decode_total_tokens_per_s
    # By Little's law as many answers are being written as tokens come in the time between two of one answer.
    at_once = written * pause if written and pause and not few else None
    sequences = sequences or at_once
    alone = sequences is not None and sequences < 1.5
    own = bool(alone and ttft and run.prompt_tokens)
    return Timing(
        prompt_tokens=run.prompt_tokens,
        output_tokens=output,
        depth_tokens=run.cached_tokens or 0.0,
        answer_depth_tokens=run.prompt_tokens,
        sequences=max(1.0, sequences or 1.0),
        answer_sequences=None if at_once is None else max(1.0, min(at_once, sequences or at_once)),
        prefill_s=ttft if own else None,
        prefill_tokens_per_s=run.prompt_tokens / ttft if own and ttft and run.prompt_tokens else rate,
        prefill_at_least=not own,
        own_reading_s=most,
        decode_s=decode,
        decode_each_tokens_per_s=None if few else inverse(pause),
        shared=not alone,
        one_token=few,
        decode_total_tokens_per_s=run.decode_total_tokens_per_s,
        tpot_s=None if few else tpot,
        ttft_s=ttft,
        total_s=end if end is not None else math.fsum(spent.values()) if ttft and decode else None,
        parts_s=spent,
    )


def _typical(run: Run, name: str) -> float | None:
    latency = getattr(run, name)
    if latency is None:
        return None
    return latency.mean_s if latency.mean_s is not None else latency.median_s  # type: ignore[no-any-return]


def window(run: Run) -> Timing:
    """A running server over a few seconds: how fast answers were written."""
    running = run.running or run.sequences
    total = run.decode_total_tokens_per_s
    each = run.decode_tokens_per_s
    if each is None and total and running and running >= 1:
        each = total / running
    return Timing(
        output_tokens=run.output_tokens,
        depth_tokens=run.depth_tokens or 0.0,
        sequences=max(1.0, running or 1.0),
        prefill_tokens_per_s=run.prefill_tokens_per_s or None,
        prefill_at_least=True,
        decode_each_tokens_per_s=each or None,
        decode_total_tokens_per_s=total or each,
        shared=True,
        tpot_s=inverse(each),
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
        ttft_s=_typical(run, "ttft"),
        tpot_s=inverse(run.decode_tokens_per_s) or _typical(run, "tpot"),
        total_s=run.total_s,
    )
