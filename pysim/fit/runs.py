"""Measured runs as arrays that one formula turns into times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import compress
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from pysim.engines.efficiency import Efficiency
from pysim.engines.groups import group_names
from pysim.engines.names import absorbs, piece_tokens
from pysim.fit.points import deployed
from pysim.roofline.facts import facts_of
from pysim.roofline.setting import link_bytes, link_speed, pass_overhead_s, setting
from pysim.roofline.times import MICRO_BATCH_TOKENS, Moved, Stage, moved, pipeline_gain, stage_times
from pysim.roofline.work import ROUTING_INDEPENDENCE, Shape, Work, work

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pysim.deployed import Deployed
    from pysim.fit.points import Point
    from pysim.roofline.setting import Setting

    Array = NDArray[np.float64]

Stacked = TypeVar("Stacked", Work, Moved)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Points, stacked: the prompt's pass and a decode pass of mean length, of each run.

    `groups` maps a level to each run's group there, "" where it has none. `passes` counts the
    decode passes that belong to the measured time, and `prompts` whether the prompt does.
    """

    measured_s: Array
    prompt_work: Work
    prompt_moved: Moved
    decode_work: Work
    decode_moved: Moved
    peak_flop_per_s: Array
    bandwidth_bytes_per_s: Array
    kv_bandwidth_bytes_per_s: Array
    layers: Array
    together: Array
    in_line: Array
    link_bytes: Array
    link_bytes_per_s: Array
    prompt_tokens: Array
    prompts: Array
    passes: Array
    groups: Mapping[str, tuple[str, ...]]

    def take(self, chosen: NDArray[np.bool_]) -> Runs:
        """Some of them."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(
            self,
            prompt_work=_take(self.prompt_work, chosen),
            decode_work=_take(self.decode_work, chosen),
            prompt_moved=_take(self.prompt_moved, chosen),
            decode_moved=_take(self.decode_moved, chosen),
            groups={level: tuple(compress(names, chosen)) for level, names in self.groups.items()},
            **{name: value[chosen] for name, value in parts.items() if isinstance(value, np.ndarray)},
        )


def runs_of(points: Sequence[Point], independence: float = ROUTING_INDEPENDENCE) -> Runs:
    """Look up and stack what decides each point's time; `independence` as in `Shape`, of tokens that choose experts."""
    works: dict[str, list[Work]] = {"prompt": [], "decode": []}
    loads: dict[str, list[Moved]] = {"prompt": [], "decode": []}
    rows: list[dict[str, float]] = []
    names: list[dict[str, str]] = []
    for point in points:
        on = deployed(point, engine=False)
        model = on.model
        at = setting(on, "datasheet")
        names.append(group_names(facts_of(on, on.device, point.engine)))
        piece = on.micro_batch_tokens or piece_tokens(point.engine)
        shape = Shape.of(model, absorbs=absorbs(point.engine), piece_tokens=piece)
        shape = replace(shape, routing_independence=independence)
        passes = point.output_tokens - 1
        middle = point.prompt_depth + point.prompt_tokens + max(0, passes - 1) / 2
        for name, new, context in (("prompt", point.prompt_tokens, point.prompt_depth), ("decode", 1, middle)):
            todo = work(shape, new, context, point.batch)
            works[name].append(todo)
            loads[name].append(moved(todo, at.stored))
        rows.append(_row(point, at, passes) | _link(on))
    columns = {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}
    levels = sorted({level for groups in names for level in groups})
    return Runs(
        prompt_work=_stack(works["prompt"]),
        decode_work=_stack(works["decode"]),
        prompt_moved=_stack(loads["prompt"]),
        decode_moved=_stack(loads["decode"]),
        groups={level: tuple(groups.get(level, "") for groups in names) for level in levels},
        **columns,
    )


def predicted_s(runs: Runs, efficiency: Efficiency) -> Array:
    """The time of each run, by the same formulas that pysim's estimates use."""
    overhead = pass_overhead_s(efficiency, runs.layers, runs.together, runs.in_line)
    stage = Stage(
        share=1.0,
        peak_flop_per_s=runs.peak_flop_per_s,
        bandwidth_bytes_per_s=runs.bandwidth_bytes_per_s,
        kv_bandwidth_bytes_per_s=runs.kv_bandwidth_bytes_per_s,
        efficiency=efficiency,
        overhead_s=overhead,
        link_bytes=runs.link_bytes,
        link_bytes_per_s=runs.link_bytes_per_s,
    )
    prompt = stage_times(runs.prompt_work, runs.prompt_moved, stage).time_s
    prompt = prompt / pipeline_gain(runs.in_line, runs.prompt_tokens, MICRO_BATCH_TOKENS, efficiency.pipeline)
    decode = stage_times(runs.decode_work, runs.decode_moved, stage).time_s
    return np.asarray(runs.prompts * prompt + runs.passes * decode)


def _link(on: Deployed) -> dict[str, float]:
    return {"link_bytes": link_bytes(on.model, on.together), "link_bytes_per_s": link_speed(on.device)}


def _row(point: Point, at: Setting, passes: int) -> dict[str, float]:
    (stage,) = at.stages
    pure_decode = point.phase == "decode" and not point.whole
    return {
        "measured_s": point.measured_s,
        "peak_flop_per_s": float(stage.peak_flop_per_s),
        "bandwidth_bytes_per_s": float(stage.bandwidth_bytes_per_s),
        "kv_bandwidth_bytes_per_s": float(stage.kv_bandwidth_bytes_per_s),
        "layers": at.shape.layers,
        "together": point.n_devices if point.split == "tensor" else 1,
        "in_line": at.in_line,
        "prompt_tokens": point.prompt_tokens * point.batch,
        "prompts": 0.0 if pure_decode else 1.0,
        "passes": 1.0 if pure_decode else float(passes if point.phase == "decode" else 0),
    }


def _stack(alike: Sequence[Stacked]) -> Stacked:
    names = [field.name for field in fields(alike[0])]
    columns = {name: np.array([getattr(one, name) for one in alike], dtype=np.float64) for name in names}
    return replace(alike[0], **columns)


def _take(value: Stacked, chosen: NDArray[np.bool_]) -> Stacked:
    return replace(value, **{field.name: getattr(value, field.name)[chosen] for field in fields(value)})
