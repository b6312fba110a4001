"""The cost of one pass: how much arithmetic, how many bytes, how much time, and which side binds?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pysim.arrays.numeric import checked, common_shape, one_number
from pysim.roofline.bound import Bound, bound_by
from pysim.roofline.setting import setting
from pysim.roofline.times import moved, pass_times
from pysim.roofline.work import add, work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pysim.arrays.numeric import Given, Numeric
    from pysim.deployed import Deployed
    from pysim.roofline.setting import Setting

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassCost:
    """One pass: FLOP, bytes and seconds of all devices.

    `arithmetic_intensity_flop_per_byte` compares with `ridge_flop_per_byte`, the intensity at which the
    spec sheet's memory and arithmetic take equally long. `mfu` is the FLOP against the spec sheet's peak in
    that time, `mbu` the bytes against its bandwidth.
    """

    flop: float
    weights_read_bytes: float
    kv_read_bytes: float
    kv_written_bytes: float
    memory_s: float
    compute_s: float
    overhead_s: float
    time_s: float
    bound: Bound
    arithmetic_intensity_flop_per_byte: float
    ridge_flop_per_byte: float
    mfu: float
    mbu: float

    @property
    def moved_bytes(self) -> float:
        """All bytes read and written: the weights, the cache, and the new rows."""
        return self.weights_read_bytes + self.kv_read_bytes + self.kv_written_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class PassCosts:
    """Many passes: the fields of `PassCost` as arrays of one shape, but for the ridge, which they share."""

    flop: Floats
    weights_read_bytes: Floats
    kv_read_bytes: Floats
    kv_written_bytes: Floats
    memory_s: Floats
    compute_s: Floats
    overhead_s: Floats
    time_s: Floats
    bound: NDArray[np.str_]
    arithmetic_intensity_flop_per_byte: Floats
    ridge_flop_per_byte: float
    mfu: Floats
    mbu: Floats

    @property
    def moved_bytes(self) -> Floats:
        """All bytes read and written by each pass."""
        return self.weights_read_bytes + self.kv_read_bytes + self.kv_written_bytes


def pass_cost(
    on: Deployed,
    new_tokens: float,
    context_tokens: float,
    batch: float = 1,
    *,
    mixed: Iterable[tuple[float, float]] = (),
    logit_rows: float = 1,
    speed: str = "typical",
) -> PassCost:
    """The cost of one pass over `new_tokens` of each of `batch` sequences, after `context_tokens` cached ones.

    `mixed`: more (new_tokens, context_tokens), one sequence each, that share the pass and its
    read of the weights. `logit_rows`: for how many tokens of a sequence the next one is predicted;
    a pass that checks guesses predicts after every fed token. `speed`: "typical", what measurements
    show, or "datasheet", the best case. Raises BadValue, UnknownName or MissingFact.
    """
    at = setting(on, speed)
    new = one_number(new_tokens, "new_tokens", least=1)
    context = one_number(context_tokens, "context_tokens")
    sequences = one_number(batch, "batch", least=1)
    rows = one_number(logit_rows, "logit_rows")
    return PassCost(**_fields(at, new, context, sequences, rows, mixed))


def pass_cost_many(
    on: Deployed,
    new_tokens: Given,
    context_tokens: Given,
    batch: Given = 1,
    *,
    logit_rows: Given = 1,
    speed: str = "typical",
) -> PassCosts:
    """The costs of many passes; numbers and numpy arrays that broadcast, else as `pass_cost`."""
    import numpy as np

    at = setting(on, speed)
    new = checked(new_tokens, "new_tokens", least=1)
    context = checked(context_tokens, "context_tokens")
    sequences = checked(batch, "batch", least=1)
    rows = checked(logit_rows, "logit_rows")
    shape = common_shape(new_tokens=new, context_tokens=context, batch=sequences, logit_rows=rows)
    fields = _fields(at, new, context, sequences, rows, ())
    ridge = fields.pop("ridge_flop_per_byte")
    arrays = {name: np.broadcast_to(np.asarray(value), shape) for name, value in fields.items()}
    return PassCosts(ridge_flop_per_byte=ridge, **arrays)


def _fields(
    at: Setting,
    new: Numeric,
    context: Numeric,
    sequences: Numeric,
    rows: Numeric,
    mixed: Iterable[tuple[float, float]],
) -> dict[str, Any]:
    todo = work(at.shape, new, context, sequences, rows)
    for more_new, more_context in mixed:
        more = work(
            at.shape,
            one_number(more_new, "new_tokens in mixed", least=1),
            one_number(more_context, "context_tokens in mixed"),
            1,
        )
        todo = add(at.shape, todo, more)
    load = moved(todo, at.stored)
    took = pass_times(todo, load, at.stages)
    time_s = took.time_s if at.correction is None else took.time_s * at.correction.factor(new, sequences)
    flop = todo.flop
    return {
        "flop": flop,
        "weights_read_bytes": load.weights_read,
        "kv_read_bytes": load.kv_read,
        "kv_written_bytes": load.kv_written,
        "memory_s": took.memory_s,
        "compute_s": took.compute_s,
        "overhead_s": took.overhead_s,
        "time_s": time_s,
        "bound": bound_by(took),
        "arithmetic_intensity_flop_per_byte": flop / load.total,
        "ridge_flop_per_byte": at.ridge_flop_per_byte,
        "mfu": flop / (time_s * at.peak_flop_per_s),
        "mbu": load.total / (time_s * at.bandwidth_bytes_per_s),
    }
