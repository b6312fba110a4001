"""Prediction of a run: what pysim computes for one set-up that it may have had."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from pysim.doctor.judge.own_device import has_peak
from pysim.errors import MissingFact
from pysim.memory.occupancy import occupancy
from pysim.requests.request_estimate import estimate
from pysim.roofline.cost_of_pass import pass_cost

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.doctor.case import PhaseName
    from pysim.hardware.device import Device
    from pysim.memory.occupancy import Occupancy
    from pysim.roofline.bound import Bound

MOST_TOKENS: Final = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleRun:
    """One set-up that a run may have had.

    `on`: the model on its devices. `sequences` are read at once, `answer_sequences` written. `prompt_depth_tokens`:
    in the cache before the prompt is read, `decode_depth_tokens`: when the answer begins.
    """

    on: Deployed
    sequences: int
    answer_sequences: int
    prompt_tokens: int
    prompt_depth_tokens: int
    output_tokens: int
    decode_depth_tokens: int
    chunk_tokens: int | None = None

    @property
    def memories(self) -> Occupancy:
        """The devices' memories when the answer ends; as in the prediction of its phase."""
        tokens = max(1, self.decode_depth_tokens) + max(1, self.output_tokens)
        return occupancy(self.on, tokens, self.answer_sequences)

    def stored_in(self, weight_format: str) -> PossibleRun:
        """The same run with weights in another format."""
        return replace(self, on=replace(self.on, weight_format=weight_format))

    def cached_in(self, kv_format: str) -> PossibleRun:
        """The same run with a cache in another format."""
        return replace(self, on=replace(self.on, kv_format=kv_format))

    def moved_to(self, device: Device, n_devices: int = 1) -> PossibleRun:
        """The same run on one device of another kind, or on several."""
        return replace(self, on=replace(self.on, device=device, backend=None, n_devices=n_devices))


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What is predicted of one phase: seconds of the whole prompt, or of a decode pass of all sequences.

    `low_s` to `high_s` is the band from p10 to p90; `best_s` the spec sheet's limit, of which `best_memory_s`
    and `best_compute_s` are the parts.
    """

    typical_s: float
    low_s: float
    high_s: float
    side: Bound
    best_s: float
    best_memory_s: float
    best_compute_s: float
    moved_bytes: float
    flop: float
    fits: bool | None
    kv_bytes: float
    weights_bytes: float


@lru_cache(maxsize=256)
def predicted(run: PossibleRun, phase: PhaseName) -> Prediction | None:
    """The prediction of one phase; None where a fact is missing, such as a device's peak."""
    if phase == "prefill" and not has_peak(run.on.device):
        return None
    try:
        return _prefill(run) if phase == "prefill" else _decode(run)
    except MissingFact:
        return None


def _prefill(run: PossibleRun) -> Prediction:
    typical, best = (
        estimate(
            run.on,
            prompt_tokens=run.prompt_tokens,
            output_tokens=1,
            prompt_depth=run.prompt_depth_tokens,
            batch=run.sequences,
            chunk_tokens=run.chunk_tokens,
            speed=speed,
        )
        for speed in ("typical", "datasheet")
    )
    cost = pass_cost(run.on, run.prompt_tokens, run.prompt_depth_tokens, run.sequences, speed="datasheet")
    band = typical.band or {}
    # Devices of a layer split work on other pieces of the prompt at the same time.
    working = min(run.on.n_devices, run.on.model.num_hidden_layers - run.on.layers_on_host)
    in_line = max(1, working) if run.on.split == "layers" else 1
    return Prediction(
        typical_s=typical.ttft_s,
        low_s=band["ttft_s"][0],
        high_s=band["ttft_s"][1],
        side=typical.prefill_bound,
        best_s=best.ttft_s / in_line,
        best_memory_s=cost.memory_s / in_line,
        best_compute_s=cost.compute_s / in_line,
        moved_bytes=cost.moved_bytes,
        flop=cost.flop,
        fits=typical.fits,
        kv_bytes=typical.kv_bytes,
        weights_bytes=typical.weights_bytes,
    )


def _decode(run: PossibleRun) -> Prediction:
    depth = max(0, run.decode_depth_tokens - 1)
    passes = max(1, run.output_tokens)
    typical, best = (
        estimate(
            run.on,
            prompt_tokens=1,
            output_tokens=passes + 1,
            prompt_depth=depth,
            batch=run.answer_sequences,
            speed=speed,
        )
        for speed in ("typical", "datasheet")
    )
    middle = depth + 1 + (passes - 1) // 2
    cost = pass_cost(run.on, 1, middle, run.answer_sequences, speed="datasheet")
    band = typical.band or {}
    return Prediction(
        typical_s=_plain(typical.tpot_s),
        low_s=band["tpot_s"][0],
        high_s=band["tpot_s"][1],
        side=cast("Bound", typical.decode_bound),
        best_s=_plain(best.tpot_s),
        best_memory_s=cost.memory_s,
        best_compute_s=cost.compute_s,
        moved_bytes=cost.moved_bytes,
        flop=cost.flop,
        fits=typical.fits,
        kv_bytes=typical.kv_bytes,
        weights_bytes=typical.weights_bytes,
    )


def speed_up(before: PossibleRun, after: PossibleRun, phase: PhaseName) -> tuple[float, float] | None:
    """How many times as fast a change makes a phase: by the spec sheet alone and as such engines do, the lower first.

    None where it does not fit or a fact is missing.
    """
    one, other = predicted(before, phase), predicted(after, phase)
    if one is None or other is None or other.fits is False:
        return None
    ratios = (one.typical_s / other.typical_s, one.best_s / other.best_s)
    return min(ratios), max(ratios)


def whole_tokens(value: float | None, default: int) -> int:
    """A mean number of tokens as one that can be computed with."""
    if value is None or not math.isfinite(value):
        return default
    return max(0, min(MOST_TOKENS, round(value)))


def _plain(value: object) -> float:
    return cast("float", value)
