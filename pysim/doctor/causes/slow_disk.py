"""The weights come from disk for every token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

# Four lanes of PCIe 4.0, the most that an SSD has: 16 GT/s, 128 of 130 bits are data.
_DISK_BYTES_PER_S: Final = 4 * 16e9 * 128 / 130 / 8
_LONG_PASS_S: Final = 0.2


def cause(evidence: Evidence) -> Cause | None:
    """Told by the figures: fewer bytes a second than any memory gives."""
    stream = evidence.case.stream
    if (
        stream is None
        or stream.bytes_per_s > _DISK_BYTES_PER_S
        or stream.pass_s < _LONG_PASS_S
        or stream.if_writing
        or stream.prompt_pass_s
    ):
        return None
    return Cause(
        name="weights from disk",
        certainty="likely",
        reveals=f"{show(stream.bytes_per_pass, 'B', digits=2)} a token at {show(stream.bytes_per_s, 'B/s', digits=2)}",
        what="use a model or format that fits in memory with room to spare; close what else takes memory",
        test="the disk is busy while an answer is written, and free memory is near zero",
    )
