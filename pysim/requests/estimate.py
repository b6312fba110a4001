"""How long does a request take, how fast does its answer run, and does it fit in memory?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pysim.arrays.blocks import in_blocks
from pysim.arrays.numeric import checked, choose, exponential, greater, is_plain, lesser
from pysim.requests.pass_series import Total, one_pass, row_of_passes
from pysim.roofline.pass_cost import Bound, bound_of
from pysim.roofline.setting import setting
from pysim.roofline.times import MICRO_BATCH_TOKENS, pipeline_gain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pysim.arrays.numeric import Flags, Given, Numeric
    from pysim.engines.measured import Spread
    from pysim.hardware.device import Device
    from pysim.models.model import Model
    from pysim.roofline.setting import Setting

Band = Mapping[str, tuple["Numeric", "Numeric"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A batch of equal requests; with array arguments all fields but weights_bytes are arrays.

    `ttft_s`: until the first answer token (with no answer: until the prompt is in the cache).
    `tpot_s` and the decode fields are None (NaN in arrays) for answers of fewer than two tokens,
    which need no decode pass. `prefill_tokens_per_s` and `decode_total_tokens_per_s` count all
    sequences, `decode_tokens_per_s` one. `mfu` is prefill's FLOP against the datasheet's peak,
    `mbu` decode's bytes against its bandwidth (prefill's, where there is no decode pass).
    `fits` is None where a memory size is not known; times are then, and where it is false, what
    they would be if it did. `band`: for the fields with times and speeds, what one run in ten
    falls below and one in ten above (p10, p90); None for the best case.
    """

    ttft_s: Numeric
    tpot_s: Numeric | None
    total_s: Numeric
    prefill_tokens_per_s: Numeric
    decode_tokens_per_s: Numeric | None
    decode_total_tokens_per_s: Numeric | None
    weights_bytes: float
    kv_bytes: Numeric
    prefill_bound: Bound | NDArray[np.str_]
    decode_bound: Bound | NDArray[np.str_] | None
    mfu: Numeric
    mbu: Numeric
    fits: Flags | None
    band: Band | None


def estimate(
    model: Model,
    device: Device,
    *,
    prompt_tokens: Given,
    output_tokens: Given,
    prompt_depth: Given = 0,
    batch: Given = 1,
    weights: str = "f16",
    kv: str = "f16",
    engine: str | None = None,
    backend: str | None = None,
    n_devices: int = 1,
    split: str = "tensor",
    chunk_tokens: Given | None = None,
    layers_on_host: int = 0,
    host: Device | None = None,
) -> Estimate:
    """Times, speeds and memory of `batch` equal requests that start together.

    `prompt_depth`: tokens in the cache before the prompt. `split`: "tensor" (all devices work on
    every layer) or "layers" (each has its own layers). `layers_on_host` run on `host`.
    `engine` and `backend`: names as published measurements use them; None is the best case of the
    datasheet, "typical" all engines of the device's family together, an unknown one widens the band.
    Raises BadValue, UnknownName or MissingFact.
    """
    prompt = checked(prompt_tokens, "prompt_tokens", least=1)
    output = checked(output_tokens, "output_tokens")
    depth = checked(prompt_depth, "prompt_depth")
    sequences = checked(batch, "batch", least=1)
    chunk = None if chunk_tokens is None else checked(chunk_tokens, "chunk_tokens", least=1)
    at = setting(model, device, weights, kv, engine, backend, n_devices, split, layers_on_host, host)
    if is_plain(prompt, output, depth, sequences) and (chunk is None or is_plain(chunk)):
        return _estimate(at, prompt, output, depth, sequences, chunk)
    return in_blocks(partial(_estimate, at), (prompt, output, depth, sequences, chunk), frozenset({"weights_bytes"}))


def _estimate(
    at: Setting, prompt: Numeric, output: Numeric, depth: Numeric, sequences: Numeric, chunk: Numeric | None
) -> Estimate:
    prefill = _prefill(at, prompt, depth, sequences, chunk)
    passes = greater(output - 1, 0.0)
    decode = row_of_passes(at, 1, depth + prompt, 1, passes, sequences)
    gain: Numeric = 1.0
    if at.in_line > 1:
        piece = MICRO_BATCH_TOKENS if chunk is None else chunk
        gain = pipeline_gain(at.in_line, prompt * sequences, piece, at.stages[0].efficiency.pipeline)
    ttft = prefill.time_s / gain
    tpot = _over(decode.time_s, passes)
    rows = depth + prompt + passes
    one = None if tpot is None else 1 / tpot
    kept: Numeric = 0.0
    for count, window in at.shape.windows:
        kept = kept + count * (rows if window is None else lesser(rows, window))
    kv_bytes = kept * at.stored.kv_row * sequences
    return Estimate(
        ttft_s=ttft,
        tpot_s=tpot,
        total_s=ttft + decode.time_s,
        prefill_tokens_per_s=prompt * sequences / ttft,
        decode_tokens_per_s=one,
        decode_total_tokens_per_s=None if one is None else one * sequences,
        weights_bytes=at.weights_bytes,
        kv_bytes=kv_bytes,
        prefill_bound=bound_of(prefill.memory_s, prefill.compute_s, prefill.overhead_s),
        decode_bound=None if tpot is None else bound_of(decode.memory_s, decode.compute_s, decode.overhead_s),
        mfu=prefill.flop / (ttft * at.peak_flop_per_s),
        mbu=_used(prefill, decode, passes) / at.bandwidth_bytes_per_s,
        fits=_fits(at, kv_bytes),
        band=None if at.spread is None else _band(at.spread, ttft, tpot, decode.time_s, prompt, sequences),
    )


def _band(
    spread: Spread, ttft_s: Numeric, tpot_s: Numeric | None, decode_s: Numeric, prompt: Numeric, batch: Numeric
) -> Band:
    """What one run in ten falls below and above, from how far measured runs scatter about predictions."""
    several = batch > 1
    early = [each * choose(several, spread.batched_prefill, 1.0) for each in spread.prefill]
    late = [each * choose(several, spread.batched_decode, 1.0) for each in spread.decode]
    fast, slow = exponential(early[0]), exponential(early[1])
    band = {
        "ttft_s": (ttft_s * fast, ttft_s * slow),
        "prefill_tokens_per_s": (prompt * batch / (ttft_s * slow), prompt * batch / (ttft_s * fast)),
        "total_s": (
            ttft_s * fast + decode_s * exponential(late[0]),
            ttft_s * slow + decode_s * exponential(late[1]),
        ),
    }
    if tpot_s is not None:
        quick, lame = tpot_s * exponential(late[0]), tpot_s * exponential(late[1])
        band["tpot_s"] = (quick, lame)
        band["decode_tokens_per_s"] = (1 / lame, 1 / quick)
        band["decode_total_tokens_per_s"] = (batch / lame, batch / quick)
    return band


def _prefill(at: Setting, prompt: Numeric, depth: Numeric, batch: Numeric, chunk_tokens: Numeric | None) -> Total:
    if chunk_tokens is None:
        return one_pass(at, prompt, depth, batch)
    chunk = lesser(chunk_tokens, prompt)
    before = -((-prompt) // chunk) - 1  # whole chunks before the last one, which alone predicts a token
    early = row_of_passes(at, chunk, depth, chunk, before, batch, 0)
    done = before * chunk
    return early + one_pass(at, prompt - done, depth + done, batch)


def _over(time_s: Numeric, passes: Numeric) -> Numeric | None:
    """Seconds per pass; None or NaN where there is none."""
    if is_plain(time_s, passes):
        return time_s / passes if passes else None
    return choose(passes > 0, time_s / greater(passes, 1.0), float("nan"))


def _used(prefill: Total, decode: Total, passes: Numeric) -> Numeric:
    """Bytes per second in decode, or in prefill where there is no decode."""
    if is_plain(passes):
        used = decode if passes else prefill
        return used.moved_bytes / used.time_s
    some = passes > 0
    return choose(some, decode.moved_bytes, prefill.moved_bytes) / choose(some, decode.time_s, prefill.time_s)


def _fits(at: Setting, kv_bytes: Numeric) -> Flags | None:
    """Does every device's share of weights and cache fit in its memory?"""
    fits: Flags = True
    for of_weights, of_cache, memory_bytes in at.memories:
        if memory_bytes is None:
            return None
        enough = at.weights_bytes * of_weights + kv_bytes * of_cache <= memory_bytes
        fits = enough if fits is True else fits & enough
    return fits
