"""Engine: a program that runs models, as its file in catalog/engines describes it.

pysim.engines.load finds and reads the files; a new one is a new engine everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pysim.engines.memory_rules import CacheRule, ReservationRule, WorkingRule
from pysim.engines.scheduler import SchedulerRule

Split = Literal["tensor", "layers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWeights:
    """The formats of weights that an engine's users find ready-made.

    `stored_as`: files of the engine's own kind. `smaller`: the next smaller formats that are published. `by_size`:
    formats that a file's size tells apart, widest first. `bits_name`: what "4-bit" means there, with {bits}.
    `nf4_more`: by which share of its size in the file NF4 grows as the engine loads it. `eight_bit_kernels`: families
    on which packed weights are multiplied in 8 bits and not unpacked to 16.
    """

    stored_as: str
    smaller: tuple[str, ...]
    by_size: tuple[str, ...]
    bits_name: str | None
    nf4_more: float = 0.0
    eight_bit_kernels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """An engine's own library of models: what a name without a tag means, and the formats that it has had.

    `default_sizes`: pairs of a bare name in lower case and the size that is taken.
    """

    default_sizes: tuple[tuple[str, str], ...]
    usual_formats: tuple[str, ...]

    def size_of(self, name: str) -> str | None:
        """The size that a bare name means, such as "8b"; None for a name that the library does not have."""
        return dict(self.default_sizes).get(name.lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A program that runs models. Fields that its file and that of `built_on` leave out are None, empty or False.

    `measured_as`: the name under which fit/constants.json has its measurements, if it has any. `rank`: the place in
    lists of engines to choose from; None leaves it out. `tools`: how the names of its tools begin, in lower case.
    `default_context`: "model" (as trained), "memory" (by its size), "whole prompt" (grows) or "tokens".
    `split`: how it divides a model over devices unless told otherwise. `chunk_tokens`: the longest piece of a prompt
    in one pass. `larger_chunk`: the option that raises it. `fused_since`: the month, such as 2025-08, from which on
    attention runs in one kernel unless told otherwise; None for always.
    `speculates`: it can guess tokens from the text so far.
    `pads`: prompts of a batch are filled up to the longest. `scheduler`: how it takes many requests.
    `absorbs_latents`: MLA's latents stay packed in long
    passes too. `command` times both phases; `benchmark` is that of its benchmark. `loads_before`: its totals
    leave the time to load the model out. `keep_loaded`, `all_on_device` and `look_for`: remedies for slow runs.
    """

    key: str
    name: str
    also: tuple[str, ...]
    what: str
    built_on: tuple[str, ...]
    measured_as: str
    rank: int | None
    tools: tuple[str, ...]
    sources: tuple[str, ...]
    reservation: ReservationRule | None
    cache: CacheRule
    working: WorkingRule | None
    weights: StoredWeights | None
    registry: Registry | None
    smaller_cache: str | None
    block_tokens: int | None
    absorbs_latents: bool
    default_context: str | None
    default_context_tokens: int | None
    split: Split | None
    backends: tuple[str, ...]
    chunk_tokens: int | None
    larger_chunk: str | None
    fused_since: str | None
    pads: bool
    scheduler: SchedulerRule | None
    speculates: bool
    command: str | None
    benchmark: str | None
    loads_before: bool
    keep_loaded: str | None
    all_on_device: str | None
    look_for: tuple[str, ...]
