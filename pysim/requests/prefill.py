"""The prefill of requests: what reading their prompts costs, and when the first answer token appears (TTFT)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pysim.arrays.numeric import lesser
from pysim.requests.pass_series import Total, one_pass, row_of_passes
from pysim.roofline.times import MICRO_BATCH_TOKENS, pipeline_gain

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.roofline.setting import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefill:
    """The passes over the prompts added up, and `ttft_s`, by how much the devices of a layer split overlap them."""

    passes: Total
    ttft_s: Numeric


def prefill(at: Setting, prompt: Numeric, depth: Numeric, batch: Numeric, chunk_tokens: Numeric | None) -> Prefill:
    """The prefill of `batch` prompts of `prompt` tokens each, after `depth` cached ones.

    `chunk_tokens`: the prompt goes through in pieces of so many tokens. Devices in line work on different
    pieces at the same time; a host's layers, before theirs, take the time that they take.
    """
    passes = _passes(at, prompt, depth, batch, chunk_tokens)
    if at.in_line == 1:
        return Prefill(passes=passes, ttft_s=passes.time_s)
    piece = MICRO_BATCH_TOKENS if chunk_tokens is None else chunk_tokens
    gain = pipeline_gain(at.in_line, prompt * batch, piece, at.stages[0].efficiency.pipeline)
    host_s: Numeric = 0.0
    if at.stages[1:]:
        host_s = _passes(replace(at, stages=at.stages[1:]), prompt, depth, batch, chunk_tokens).time_s
    return Prefill(passes=passes, ttft_s=(passes.time_s - host_s) / gain + host_s)


def _passes(at: Setting, prompt: Numeric, depth: Numeric, batch: Numeric, chunk_tokens: Numeric | None) -> Total:
    if chunk_tokens is None:
        return one_pass(at, prompt, depth, batch)
    chunk = lesser(chunk_tokens, prompt)
    before = -((-prompt) // chunk) - 1  # whole chunks before the last one, which alone predicts a token
    early = row_of_passes(at, chunk, depth, chunk, before, batch, 0)
    done = before * chunk
    return early + one_pass(at, prompt - done, depth + done, batch)
