"""The bound of a pass: memory, compute or overhead? The one answer for command line, demos and doctor.

A pass is bound by memory where its arithmetic intensity is below the ridge of the device's spec sheet, and by
compute above it: the same ridge that `ridge_tokens` and `ridge_batch` solve for. Fitted efficiencies do not
move it. At one token per sequence a slow kernel takes time in proportion to the weights, as reading them does,
so measurements cannot tell the two apart: how a fit divides the time between them is no finding, and
decode alone would come out as bound by compute on devices where all that ever helped was bandwidth. A slow
kernel makes the pass slower; it does not move the wall. What a pass costs besides its bytes and FLOP is
measured apart from both: overhead bounds the pass where it is longer than either at typical speed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, cast

from pysim.arrays.numeric import greater, is_plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pysim.arrays.numeric import Numeric

Bound = Literal["compute", "memory", "overhead"]


class Parts(Protocol):
    """The parts of a time: those of the spec sheet's roofline, and those that make up the time itself."""

    @property
    def roof_memory_s(self) -> Numeric:
        """Seconds that the bytes take at the spec sheet's bandwidth."""

    @property
    def roof_compute_s(self) -> Numeric:
        """Seconds that the FLOP take at the spec sheet's peak."""

    @property
    def memory_s(self) -> Numeric:
        """Seconds of reading and writing at the speed that is asked for."""

    @property
    def compute_s(self) -> Numeric:
        """Seconds of arithmetic at the speed that is asked for."""

    @property
    def overhead_s(self) -> Numeric:
        """Seconds of a pass besides its bytes and FLOP."""


def bound_by(parts: Parts) -> Bound | NDArray[np.str_]:
    """What bounds one pass, or several together; an array of it for arrays."""
    longer = greater(parts.memory_s, parts.compute_s)
    if is_plain(longer, parts.overhead_s, parts.roof_memory_s, parts.roof_compute_s):
        if parts.overhead_s > longer:
            return "overhead"
        return "compute" if parts.roof_compute_s > parts.roof_memory_s else "memory"
    import numpy as np

    side = np.where(np.greater(parts.roof_compute_s, parts.roof_memory_s), "compute", "memory")
    return cast("NDArray[np.str_]", np.where(np.greater(parts.overhead_s, longer), "overhead", side))
