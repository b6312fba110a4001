"""The wire between a replica that reads prompts and one that writes answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

from pysim.errors import BadValue, UnknownName

Way = Literal["pull", "push"]
WAYS: Final = ("pull", "push")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """`bytes_per_s` in one direction, `latency_s` before the first byte of a transfer.

    `way`: "pull" sends the rows when the whole prompt is read; "push" sends each layer's as soon as it is done.
    """

    name: str
    bytes_per_s: float
    latency_s: float = 0.0
    way: str = "pull"

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise UnknownName("way", self.way, WAYS)
        if not (math.isfinite(self.bytes_per_s) and self.bytes_per_s > 0 and self.latency_s >= 0):
            raise BadValue(f"a link of {self.bytes_per_s} bytes/s and {self.latency_s} s is none")

    def seconds(self, size_bytes: float, layers: int, reading_s: float) -> float:
        """From the end of a prompt of `layers` layers, read in `reading_s`, until all its rows have arrived."""
        whole_s = size_bytes / self.bytes_per_s
        if self.way == "pull":
            return self.latency_s + whole_s
        # All layers but the last can travel while the next ones are computed.
        return self.latency_s + max(whole_s / layers, whole_s - reading_s * (1 - 1 / layers))


# Payload rates of one port: InfiniBand NDR 400 Gbit/s, Ethernet 100 and 25 Gbit/s at 95% after headers; NVLink 4 as
# NVIDIA prints it, one direction.
LINKS: Final = {
    link.name: link
    for link in (
        Link(name="nvlink", bytes_per_s=450e9, latency_s=10e-6),
        Link(name="infiniband", bytes_per_s=0.95 * 400e9 / 8, latency_s=20e-6),
        Link(name="ethernet-100", bytes_per_s=0.95 * 100e9 / 8, latency_s=50e-6),
        Link(name="ethernet-25", bytes_per_s=0.95 * 25e9 / 8, latency_s=50e-6),
    )
}


def link_named(name: str) -> Link:
    """A link by name; UnknownName naming those that there are."""
    if name not in LINKS:
        raise UnknownName("link", name, LINKS)
    return LINKS[name]
