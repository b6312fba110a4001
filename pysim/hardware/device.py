"""The device: what it is, as far as the speed of a model on it goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from pysim import checks
from pysim.errors import BadValue, MissingFact, quoted
from pysim.units import GIB

USABLE_KINDS: Final = ("read", "rule", "nominal")
PRECISIONS: Final = ("fp32", "fp16", "fp16_fp16acc", "fp8", "int8", "fp4")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A way between devices or to the host; bytes per second in one direction, as its source says."""

    name: str
    bytes_per_s: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One accelerator or computer. Peaks are dense; "fp16" accumulates in FP32.

    `peak_flop_per_s` maps a precision to its peak; the missing ones were never published.
    `peak_kind` says where the peaks come from: "datasheet", "derived" from another published
    figure, or where nobody publishes one "instructions" (cores × FLOP per cycle × clock) or
    "measured"; None without any.
    `memory_bytes` is the nominal size, None where it is not known; `sizes_bytes` are those that a machine is sold
    with, where they are several. `usable_share` is the part of it that a program
    can have, as `usable_kind` says: "read" on this device, by the "rule" of its kind of memory, or "nominal", all of
    it, where nothing is known; `usable_source` says where that stands. `measured` holds what benchmarks reached,
    apart from what spec sheets promise: name → value in the unit that ends the name.
    """

    key: str
    name: str
    family: str
    kind: str
    peak_flop_per_s: Mapping[str, float] = field(hash=False)
    peak_kind: str | None
    memory_bandwidth_bytes_per_s: float
    memory_bytes: float | None
    usable_share: float = 1.0
    usable_kind: str = "nominal"
    usable_source: str = ""
    sizes_bytes: tuple[float, ...] = ()
    links: tuple[Link, ...] = ()
    measured: Mapping[str, float] = field(default_factory=dict, hash=False)
    confidence: str = ""
    notes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, value in self.peak_flop_per_s.items():
            if name not in PRECISIONS:
                raise BadValue(f"unknown precision {quoted(name)}; allowed: {', '.join(PRECISIONS)}")
            checks.amount(value, f"peak_flop_per_s[{name}]", above=True)
        checks.amount(self.memory_bandwidth_bytes_per_s, "memory_bandwidth_bytes_per_s", above=True)
        if self.memory_bytes is not None:
            checks.amount(self.memory_bytes, "memory_bytes", above=True)
        if checks.amount(self.usable_share, "usable_share", above=True) > 1:
            raise BadValue(f"usable_share must be from 0 to 1, not {checks.shown(self.usable_share)}")
        if self.usable_kind not in USABLE_KINDS:
            raise BadValue(
                f"usable_kind must be one of {', '.join(USABLE_KINDS)}, not {checks.shown(self.usable_kind)}"
            )

    def __reduce__(self) -> tuple[object, ...]:
        # A mapping proxy cannot be sent to another process, the dict in it can.
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return _device, ({name: dict(value) if isinstance(value, Mapping) else value for name, value in given.items()},)

    def peak(self, precision: str = "fp16") -> float:
        """The peak FLOP/s of a precision; a device without it works at the next wider one.

        Raises MissingFact where no wider one is known either.
        """
        if precision not in PRECISIONS:
            raise BadValue(f"unknown precision {quoted(precision)}; allowed: {', '.join(PRECISIONS)}")
        for wider in _WIDER[precision]:
            if wider in self.peak_flop_per_s:
                return self.peak_flop_per_s[wider]
        raise MissingFact(f'no peak FLOP/s is known for device "{self.key}" at {precision}: none was published')

    @property
    def entry(self) -> str:
        """The key of its catalog file, which it shares with the same machine in other sizes."""
        return self.key.removesuffix(size_suffix(self.memory_bytes)) if self.memory_bytes is not None else self.key

    @property
    def usable_memory_bytes(self) -> float | None:
        """What a program can have of the memory, in bytes; None where its size is not known."""
        return None if self.memory_bytes is None else self.memory_bytes * self.usable_share

    @property
    def memory(self) -> float:
        """`memory_bytes`, or MissingFact where it is not known."""
        if self.memory_bytes is None:
            raise MissingFact(f'the memory size of device "{self.key}" is not known')
        return self.memory_bytes


_WIDER: Final = {
    "fp32": ("fp32",),
    "fp16": ("fp16", "fp32"),
    "fp16_fp16acc": ("fp16_fp16acc", "fp16", "fp32"),
    "fp8": ("fp8", "fp16", "fp32"),
    "int8": ("int8", "fp16", "fp32"),
    "fp4": ("fp4", "fp8", "fp16", "fp32"),
}


def size_suffix(memory_bytes: float) -> str:
    """The end of a key that names a size of memory: "-24gb" of 24 GiB, which are sold as 24 GB."""
    return f"-{memory_bytes / GIB:g}gb"


def _device(given: Mapping[str, Any]) -> Device:
    return Device(**given)
