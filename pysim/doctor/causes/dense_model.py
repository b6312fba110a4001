"""A dense model on a machine with much memory that is slow: a sparse one of the size writes many times as fast."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.catalog.files import model_keys
from pysim.doctor.advise.changed_runs import fits, gain_of
from pysim.doctor.case import Cause
from pysim.formats.names import weight_format
from pysim.load import load_model
from pysim.models.parameters import parameters
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence
    from pysim.doctor.judge.prediction import PossibleRun
    from pysim.models.model import Model

# Fewer tokens a second than people read.
_SLOW_TOKENS_PER_S: Final = 12.0
_SLOW_MEMORY_BYTES_PER_S: Final = 300e9
_LARGE_BYTES: Final = 24e9
# Total parameters of the other model, as many times those of this one.
_SIZES: Final = (0.8, 5.0)


def cause(evidence: Evidence) -> Cause | None:
    """Told by the figures: writing is as fast as such a machine writes, and slow all the same."""
    judgement, decode = evidence.judgement, evidence.case.decode
    if len(judgement.possible) != 1 or decode is None or decode.verdict not in ("typical", "faster"):
        return None
    run = judgement.possible[0]
    device = run.on.device
    bandwidth = device.memory_bandwidth_bytes_per_s
    slow = (decode.each_tokens_per_s or _SLOW_TOKENS_PER_S) < _SLOW_TOKENS_PER_S
    roomy = bandwidth <= _SLOW_MEMORY_BYTES_PER_S and (device.memory_bytes or 0) >= _LARGE_BYTES
    if run.on.model.is_moe or not slow or not roomy or run.on.n_devices > 1:
        return None
    sparse = _sparse(run)
    gain = None if sparse is None else gain_of((run,), "decode", lambda before: _with(before, sparse))
    if sparse is None or gain is None or gain[0] < 2:
        return None
    return Cause(
        name="dense model on slow memory",
        certainty="likely",
        reveals=f"every token reads all weights at {show(bandwidth, 'B/s', digits=3)} or less",
        what=f"use a sparse model, such as {sparse.name} in {weight_format(run.on.weight_format).name}: a token reads "
        "a small part of it",
        test="llama-bench with both files",
        low=gain[0],
        high=gain[1],
        replaces=("weights",),
    )


def _with(run: PossibleRun, model: Model) -> PossibleRun:
    return replace(run, on=replace(run.on, model=model))


def _sparse(run: PossibleRun) -> Model | None:
    """The smallest sparse model of the catalog that is about as large or larger, and fits."""
    total = parameters(run.on.model).total
    others = [model for key in model_keys() if (model := load_model(key)).is_moe]
    sized = sorted((parameters(model).total, model.key, model) for model in others)
    return next(
        (
            model
            for size, _, model in sized
            if _SIZES[0] * total <= size <= _SIZES[1] * total and fits(_with(run, model))
        ),
        None,
    )
