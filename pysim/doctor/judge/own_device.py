"""A device by its figures: bandwidth, and peak and memory where they are known, for what the catalog does not have."""

from __future__ import annotations

from typing import Final

from pysim.errors import BadValue
from pysim.hardware.device import Device
from pysim.units import parse, show

KEY: Final = "own-device"
# Writing waits for memory: this stands for a peak that nobody said, so only writing is predicted.
_NEVER_IN_THE_WAY: Final = 1e18
_FLOPS: Final = ("FLOP/s", "FLOPS", "OP/s", "OPS")


def own_device(bandwidth: str, flops: str | None = None, memory: str | None = None) -> Device:
    """The device of figures as people write them, such as "346 GB/s", "12T" and "24 GiB".

    Raises BadValue naming a wrong one.
    """
    bytes_per_s = parse(bandwidth if bandwidth.rstrip().endswith("/s") else f"{bandwidth.strip()}B/s", "B/s")
    peak = None if flops is None else _peak(flops)
    memory_bytes = None if memory is None else parse(memory, "B")
    facts = [show(bytes_per_s, "B/s", digits=3)]
    facts += [] if peak is None else [show(peak, "FLOP/s", digits=3)]
    facts += [] if memory_bytes is None else [show(memory_bytes, "B", binary=True, digits=3)]
    return Device(
        key=KEY,
        name=f"a device with {', '.join(facts)}",
        family="own",
        kind="gpu",
        peak_flop_per_s={"fp16": _NEVER_IN_THE_WAY if peak is None else peak},
        peak_kind=None if peak is None else "datasheet",
        memory_bandwidth_bytes_per_s=bytes_per_s,
        memory_bytes=memory_bytes,
    )


def has_peak(device: Device) -> bool:
    """Is a device's peak known, or was its bandwidth alone given?"""
    return device.key != KEY or device.peak_kind is not None


def _peak(flops: str) -> float:
    text = flops.strip()
    return parse(text if text.upper().endswith(_FLOPS) or text.endswith("/s") else f"{text}FLOP/s", "FLOP/s")


def check_alone(bandwidth: str | None, flops: str | None, memory: str | None, device: str | None) -> None:
    """Refuse figures together with a device's key, and those without a bandwidth."""
    if bandwidth is not None and device is not None:
        raise BadValue("give a device by its key or by its bandwidth, not both")
    if bandwidth is None and (flops is not None or memory is not None):
        raise BadValue("a device by its figures needs its memory bandwidth too, such as 346GB/s")
