"""Do the times that ollama reports for one request agree with each other?

ollama's total holds load, reading, writing and a little else. Some versions timed only the last batch of a
long prompt, see https://github.com/ollama/ollama/pull/12742: then the total leaves seconds that no phase explains.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from pysim.doctor.read.run import Run

# Time of the total that no phase explains and that is not yet worth a word.
_QUIET_S: Final = 0.25
_QUIET_SHARE: Final = 0.05
# A prompt read this many times faster than the answer was written came from the cache, if nothing else explains it.
_CACHED: Final = 1000.0
# Reading takes one pass over the weights at least, as each written token does; passes differ, but not by so much.
_LEAST_PASSES: Final = 0.4


def completed(run: Run, *, cached: bool) -> Run:
    """The run with rates that follow from counts and times, and with what its own figures contradict.

    `cached`: the tool left the prompt's lines out, which ollama does for a prompt that its cache holds.
    """
    run = replace(
        run,
        prefill_tokens_per_s=_rate(run.prefill_tokens_per_s, run.prompt_tokens, run.prefill_s),
        decode_tokens_per_s=_rate(run.decode_tokens_per_s, run.output_tokens, run.decode_s),
        unaccounted_s=_unaccounted(run),
    )
    doubts = list(run.doubts)
    untrusted: list[str] = []
    left, total, reading = run.unaccounted_s, run.total_s, run.prefill_s
    if cached:
        doubts.append("no reading time was printed: the prompt was in the cache, or its lines are missing")
    if left is not None and total and left > max(_QUIET_S, _QUIET_SHARE * total):
        if reading and run.prompt_tokens and left > 2 * reading:
            most = reading + left
            doubts.append(
                f"the total leaves {left:.3g} s that no phase explains, and {reading:.3g} s are given as reading: "
                "this version of ollama times only the last part of a long prompt; reading took up to "
                f"{most:.3g} s, or {run.prompt_tokens / most:.4g} tokens/s"
            )
            untrusted += ["prefill_s", "prefill_tokens_per_s"]
        else:
            doubts.append(f"the total leaves {left:.3g} s that no phase explains: waiting, images, or a template")
    elif left is not None and total and left < -max(_QUIET_S, _QUIET_SHARE * total):
        doubts.append(f"the phases add up to {-left:.3g} s more than the total: these lines are not from one request")
    if _came_from_cache(run) and not untrusted:
        doubts.append("the prompt was read impossibly fast: most of it came from the cache")
        untrusted += ["prefill_s", "prefill_tokens_per_s"]
    if run.output_tokens == 1:
        doubts.append("one token was written: its time says nothing about the speed of writing")
    doubts += _contradictions(run)
    return replace(run, doubts=tuple(doubts), untrusted=(*run.untrusted, *untrusted))


def _rate(printed: float | None, tokens: float | None, time_s: float | None) -> float | None:
    if printed is None and tokens and time_s:
        return tokens / time_s
    return printed


def _unaccounted(run: Run) -> float | None:
    if run.total_s is None or run.prefill_s is None or run.decode_s is None:
        return None
    return math.fsum((run.total_s, -(run.load_s or 0.0), -run.prefill_s, -run.decode_s))


def _came_from_cache(run: Run) -> bool:
    reading, writing = run.prefill_tokens_per_s, run.decode_tokens_per_s
    if not writing or not run.prompt_tokens or run.prompt_tokens < 2:
        return False
    too_short = run.prefill_s is not None and 0 < run.prefill_s * writing < _LEAST_PASSES
    return too_short or (reading is not None and reading > _CACHED * writing)


def _contradictions(run: Run) -> list[str]:
    """Printed rates that do not match their own count and time."""
    return [
        f"the rate of {word}, {rate:.4g} tokens/s, does not match {tokens:.0f} tokens in {time_s:.4g} s"
        for word, rate, tokens, time_s in (
            ("reading", run.prefill_tokens_per_s, run.prompt_tokens, run.prefill_s),
            ("writing", run.decode_tokens_per_s, run.output_tokens, run.decode_s),
        )
        if rate and tokens and time_s and abs(rate * time_s / tokens - 1) > 0.02 and time_s > 0.001
    ]
