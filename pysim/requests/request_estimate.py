"""The estimate of a request: how long it takes, how fast its answer runs, and whether it fits in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pysim.arrays.blocks import in_blocks
from pysim.arrays.numeric import checked, choose, common_shape, greater, is_plain, one_number
from pysim.memory.occupancy import fits
from pysim.requests.band import Parts, band
from pysim.requests.pass_series import Total, row_of_passes
from pysim.requests.prefill import prefill
from pysim.roofline.bound import Bound, bound_by
from pysim.roofline.setting import setting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pysim.arrays.numeric import Given, Numeric
    from pysim.deployed import Deployed
    from pysim.engines.spread import Basis
    from pysim.roofline.setting import Setting

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A batch of equal requests.

    `ttft_s`: until the first answer token (with no answer: until the prompt is in the cache).
    `tpot_s` and the decode fields are None for answers of fewer than two tokens, which need no decode
    pass. `prefill_tokens_per_s` and `decode_total_tokens_per_s` count all sequences,
    `decode_tokens_per_s` one. `mfu` is prefill's FLOP against the spec sheet's peak, `mbu` decode's
    bytes against its bandwidth (prefill's, where there is no decode pass). `fits` is None where a
    memory size is not known; times are then, and where it is false, what they would be if it did.
    `band`: for the fields with times and speeds, what one run in ten falls below and one in ten above
    (p10, p90); None at the spec sheet's speed. `basis`: what the band rests on: "measured" like this, "related" to
    it, or "scarce" (best case and a factor then say more than one number); `reasons`: what was not measured.
    """

    ttft_s: float
    tpot_s: float | None
    total_s: float
    prefill_tokens_per_s: float
    decode_tokens_per_s: float | None
    decode_total_tokens_per_s: float | None
    weights_bytes: float
    kv_bytes: float
    prefill_bound: Bound
    decode_bound: Bound | None
    mfu: float
    mbu: float
    fits: bool | None
    band: Mapping[str, tuple[float, float]] | None
    basis: Basis | None = None
    reasons: tuple[str, ...] = ()

    @property
    def range_note(self) -> str:
        """Why the band is wide, in words; empty where runs like this were measured."""
        if self.basis is None or self.basis == "measured":
            return ""
        why = f" ({'; '.join(self.reasons)})" if self.reasons else ""
        if self.basis == "scarce":
            return f"too few similar runs were measured to give one number{why}: trust the range, up to the best case"
        return f"the range is wide because this is predicted from related runs{why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimates:
    """Many estimates: the fields of `Estimate` as arrays of one shape.

    Where an answer has no decode pass its decode fields are NaN and `decode_bound` is "none".
    `weights_bytes` is one number that all share; `fits` is None where a memory size is not known.
    """

    ttft_s: Floats
    tpot_s: Floats
    total_s: Floats
    prefill_tokens_per_s: Floats
    decode_tokens_per_s: Floats
    decode_total_tokens_per_s: Floats
    weights_bytes: float
    kv_bytes: Floats
    prefill_bound: NDArray[np.str_]
    decode_bound: NDArray[np.str_]
    mfu: Floats
    mbu: Floats
    fits: NDArray[np.bool_] | None
    band: Mapping[str, tuple[Floats, Floats]] | None


def estimate(
    on: Deployed,
    *,
    prompt_tokens: float,
    output_tokens: float,
    prompt_depth: float = 0,
    batch: float = 1,
    chunk_tokens: float | None = None,
    speed: str = "typical",
) -> Estimate:
    """Times, speeds and memory of `batch` equal requests that start together.

    `prompt_depth`: tokens in the cache before the prompt. `chunk_tokens`: the prompt goes through in
    pieces of so many tokens. `speed`: "typical", what published measurements show for the engine on such
    devices, or "datasheet", the best case. Raises BadValue, UnknownName or MissingFact.
    """
    prompt = one_number(prompt_tokens, "prompt_tokens", least=1)
    output = one_number(output_tokens, "output_tokens")
    depth = one_number(prompt_depth, "prompt_depth")
    sequences = one_number(batch, "batch", least=1)
    chunk = None if chunk_tokens is None else one_number(chunk_tokens, "chunk_tokens", least=1)
    at = setting(on, speed)
    fields = _fields(at, prompt, output, depth, sequences, chunk)
    if at.spread is None:
        return Estimate(**fields)
    tokens = depth + prompt + output
    return Estimate(
        **fields, basis=at.spread.basis_at(tokens, sequences), reasons=at.spread.reasons_at(tokens, sequences)
    )


def estimate_many(
    on: Deployed,
    *,
    prompt_tokens: Given,
    output_tokens: Given,
    prompt_depth: Given = 0,
    batch: Given = 1,
    chunk_tokens: Given | None = None,
    speed: str = "typical",
) -> Estimates:
    """The estimates of many requests at once; numbers and numpy arrays that broadcast, else as `estimate`.

    Raises BadValue for shapes that do not broadcast.
    """
    import numpy as np

    prompt = np.asarray(checked(prompt_tokens, "prompt_tokens", least=1), dtype=np.float64)
    output = checked(output_tokens, "output_tokens")
    depth = checked(prompt_depth, "prompt_depth")
    sequences = checked(batch, "batch", least=1)
    chunk = None if chunk_tokens is None else checked(chunk_tokens, "chunk_tokens", least=1)
    common_shape(prompt_tokens=prompt, output_tokens=output, prompt_depth=depth, batch=sequences, chunk_tokens=chunk)
    if is_plain(output) and output <= 1:
        output = np.asarray(output, dtype=np.float64)  # no decode pass: NaN for each, not one None for all
    fields = partial(_fields, setting(on, speed))
    return Estimates(**in_blocks(fields, (prompt, output, depth, sequences, chunk), frozenset({"weights_bytes"})))


def _fields(
    at: Setting, prompt: Numeric, output: Numeric, depth: Numeric, sequences: Numeric, chunk: Numeric | None
) -> dict[str, Any]:
    first = prefill(at, prompt, depth, sequences, chunk)
    ttft = first.ttft_s
    passes = greater(output - 1, 0.0)
    decode = row_of_passes(at, 1, depth + prompt, 1, passes, sequences)
    tpot = _over(decode.time_s, passes)
    rows = depth + prompt + passes
    one = None if tpot is None else 1 / tpot
    return {
        "ttft_s": ttft,
        "tpot_s": tpot,
        "total_s": ttft + decode.time_s,
        "prefill_tokens_per_s": prompt * sequences / ttft,
        "decode_tokens_per_s": one,
        "decode_total_tokens_per_s": None if one is None else one * sequences,
        "weights_bytes": at.weights_bytes,
        "kv_bytes": at.shape.held.bytes(rows, at.stored.kv_number) * sequences,
        "prefill_bound": bound_by(first.passes),
        "decode_bound": _decode_bound(decode, passes),
        "mfu": first.passes.flop / (ttft * at.peak_flop_per_s),
        "mbu": _used(first.passes, decode, passes) / at.bandwidth_bytes_per_s,
        "fits": fits(at.places, rows, sequences),
        "band": None
        if at.spread is None
        else band(at.spread, Parts(ttft, tpot, decode.time_s), prompt=prompt, depth=depth, rows=rows, batch=sequences),
    }


def _over(time_s: Numeric, passes: Numeric) -> Numeric | None:
    """Seconds per pass; None or NaN where there is none."""
    if is_plain(time_s, passes):
        return time_s / passes if passes else None
    return choose(passes > 0, time_s / greater(passes, 1.0), float("nan"))


def _decode_bound(decode: Total, passes: Numeric) -> Any:
    """What binds decode; None, or in an array "none", where there is no decode."""
    if is_plain(passes):
        return bound_by(decode) if passes else None
    import numpy as np

    return np.where(passes > 0, bound_by(decode), "none")


def _used(prompts: Total, decode: Total, passes: Numeric) -> Numeric:
    """Bytes per second in decode, or in prefill where there is no decode."""
    if is_plain(passes):
        used = decode if passes else prompts
        return used.moved_bytes / used.time_s
    some = passes > 0
    return choose(some, decode.moved_bytes, prompts.moved_bytes) / choose(some, decode.time_s, prompts.time_s)
