"""What does one pass cost: how much arithmetic, how many bytes, how much time, and which side binds?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from pysim.arrays.numeric import checked, greater, is_plain
from pysim.roofline.setting import setting
from pysim.roofline.times import moved, pass_times
from pysim.roofline.work import add, work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pysim.arrays.numeric import Given, Numeric
    from pysim.hardware.device import Device
    from pysim.models.model import Model

Bound = Literal["compute", "memory", "overhead"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassCost:
    """One pass; with array arguments every field but the ridge is an array.

    `bound` is the largest part of the time. `arithmetic_intensity_flop_per_byte` compares with
    `ridge_flop_per_byte`, the intensity at which the datasheet's memory and arithmetic take equally long.
    """

    flop: Numeric
    weights_read_bytes: Numeric
    kv_read_bytes: Numeric
    kv_written_bytes: Numeric
    memory_s: Numeric
    compute_s: Numeric
    overhead_s: Numeric
    time_s: Numeric
    bound: Bound | NDArray[np.str_]
    arithmetic_intensity_flop_per_byte: Numeric
    ridge_flop_per_byte: float


def pass_cost(
    model: Model,
    device: Device,
    new_tokens: Given,
    context_tokens: Given,
    batch: Given = 1,
    weights: str = "f16",
    kv: str = "f16",
    engine: str | None = None,
    n_devices: int = 1,
    split: str = "tensor",
    mixed: Iterable[tuple[Given, Given]] = (),
    *,
    backend: str | None = None,
    logit_rows: Given = 1,
) -> PassCost:
    """The cost of one pass over `new_tokens` of each of `batch` sequences, after `context_tokens` cached ones.

    `mixed`: further (new_tokens, context_tokens), one sequence each, that share the pass and its
    read of the weights. `logit_rows`: for how many tokens of a sequence the next one is predicted;
    a pass that checks guesses predicts after every fed token. `engine` None is the best case: the
    datasheet's roofline. Raises BadValue, UnknownName or MissingFact.
    """
    new = checked(new_tokens, "new_tokens", least=1)
    context = checked(context_tokens, "context_tokens")
    sequences = checked(batch, "batch", least=1)
    rows = checked(logit_rows, "logit_rows")
    at = setting(model, device, weights, kv, engine, backend, n_devices, split, 0, None)
    todo = work(at.shape, new, context, sequences, rows)
    for more_new, more_context in mixed:
        further = work(
            at.shape,
            checked(more_new, "new_tokens in mixed", least=1),
            checked(more_context, "context_tokens in mixed"),
            1,
        )
        todo = add(at.shape, todo, further)
    load = moved(todo, at.stored)
    took = pass_times(todo, load, at.stages)
    flop = todo.flop
    return PassCost(
        flop=flop,
        weights_read_bytes=load.weights_read,
        kv_read_bytes=load.kv_read,
        kv_written_bytes=load.kv_written,
        memory_s=took.memory_s,
        compute_s=took.compute_s,
        overhead_s=took.overhead_s,
        time_s=took.time_s,
        bound=bound_of(took.memory_s, took.compute_s, took.overhead_s),
        arithmetic_intensity_flop_per_byte=flop / load.total,
        ridge_flop_per_byte=at.ridge_flop_per_byte,
    )


def bound_of(memory_s: Numeric, compute_s: Numeric, overhead_s: Numeric) -> Bound | NDArray[np.str_]:
    """The largest of the three parts."""
    if is_plain(memory_s, compute_s, overhead_s):
        if overhead_s > greater(memory_s, compute_s):
            return "overhead"
        return "compute" if compute_s > memory_s else "memory"
    import numpy as np

    larger = np.where(np.greater(compute_s, memory_s), "compute", "memory")
    return cast("NDArray[np.str_]", np.where(overhead_s > np.maximum(memory_s, compute_s), "overhead", larger))
