"""Memory kinds: which memory is as fast as a run reads its weights?

Where no device is known, that alone says whether a graphics card does the work.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from pysim.catalog.files import device_keys
from pysim.load import load_device
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Stream

# SATA revision 3.x: 6 Gbit/s on the wire, 8 of 10 bits are data (sata-io.org, 2024).
SATA_BYTES_PER_S: Final = 6e9 * 8 / 10 / 8
# PCI Express 4.0: 16 GT/s a lane, 128 of 130 bits are data (PCI-SIG base specification 4.0, 2017).
PCIE4_LANE_BYTES_PER_S: Final = 16e9 * 128 / 130 / 8
# A memory channel has 64 bits: JEDEC JESD79-4 (DDR4-3200) and JESD79-5 (DDR5-5600).
DDR4_CHANNEL_BYTES_PER_S: Final = 3200e6 * 8
DDR5_CHANNEL_BYTES_PER_S: Final = 5600e6 * 8
# A pass costs its kernels' starts too: shorter ones say little of a memory.
LONG_PASS_S: Final = 0.015
# Runs in one piece reach at least this much of a memory that limits them.
_LEAST_SHARE: Final = 0.4


@cache
def slowest_card_bytes_per_s() -> float:
    """Bandwidth of the slowest graphics card of the catalog."""
    cards = [device for key in device_keys() if (device := load_device(key)).kind == "gpu"]
    return min(card.memory_bandwidth_bytes_per_s for card in cards)


def memory_like(stream: Stream) -> str:
    """Which memory is as fast as this, in one or two sentences; empty where a pass is too short to tell."""
    speed = stream.bytes_per_s
    if speed < slowest_card_bytes_per_s() and stream.pass_s < LONG_PASS_S:
        return ""
    ssd, bus = 4 * PCIE4_LANE_BYTES_PER_S, 16 * PCIE4_LANE_BYTES_PER_S
    cards = f"even the slowest graphics card of the catalog has {_speed(slowest_card_bytes_per_s())}"
    if speed < SATA_BYTES_PER_S:
        return f"Only a disk is that slow ({_speed(SATA_BYTES_PER_S)} over SATA): the model does not fit in memory."
    if speed < ssd:
        return (
            f"No memory is that slow. An SSD gives up to {_speed(ssd)}: the weights come from disk for every token, "
            "or over a narrow PCIe link."
        )
    if speed < bus:
        return (
            f"That is no graphics card's memory ({cards}). One module of DDR4-3200 gives "
            f"{_speed(DDR4_CHANNEL_BYTES_PER_S)}, PCIe 4.0 x16 {_speed(bus)}: the weights are in main memory."
        )
    if speed < _LEAST_SHARE * slowest_card_bytes_per_s():
        return (
            f"That is a computer's main memory (two modules: {_speed(2 * DDR4_CHANNEL_BYTES_PER_S)} with DDR4-3200, "
            f"{_speed(2 * DDR5_CHANNEL_BYTES_PER_S)} with DDR5-5600): the processor writes, or a part of the model is "
            "there."
        )
    if speed < slowest_card_bytes_per_s():
        return (
            "A small chip with shared memory, a server's processor or a graphics card with part of the model elsewhere "
            "is that fast; a card that holds the whole model is usually faster."
        )
    return "Only a graphics card, a large Apple chip or a server with many memory channels is that fast."


def stream_words(stream: Stream) -> str:
    """The bytes of a token and the speed that follows, in a sentence."""
    passes = f"{1 / stream.pass_s:,.3g}"
    size = show(stream.bytes_per_pass, "B", digits=2)
    return f"A token needs {size} of weights and cache; {passes} a second is {_speed(stream.bytes_per_s)}."


def _speed(bytes_per_s: float) -> str:
    return show(bytes_per_s, "B/s", digits=2)
