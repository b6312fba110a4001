"""Impossible measurements: which speeds does a spec sheet rule out, and what was likely misread?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim import units
from pysim.errors import BadValue

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.engines.calibration import Phase

# Clocks above those of the datasheet, and what a file's bytes differ from pysim's: decode cannot gain more than the
# memory is overclocked, prefill goes with the boost clock.
TOLERANCE: Final = {"prefill": 1.2, "decode": 1.1}
UNSURE_PEAK: Final = 2.0
_MOST_GUESSED: Final = 4.0
_THOUSAND: Final = 300.0


def check_possible(run: Deployed, phase: Phase, speed: float, best: float, batch: int) -> None:
    """Refuse what is faster than the spec sheet allows, with what it may be; speeds in tokens per second."""
    times, device = speed / best, run.device
    # Peaks that no datasheet has are estimates: the fastest published run lies 1.7 times above one.
    sure = phase == "decode" or device.peak_kind == "datasheet"
    if times <= TOLERANCE[phase] * (1.0 if sure else UNSURE_PEAK):
        return
    if phase == "decode":
        limit = f"{units.show(device.memory_bandwidth_bytes_per_s, 'B/s')} of memory bandwidth allow"
    else:
        limit = "its peak arithmetic allows"
    raise BadValue(
        f"{phase} at {units.show(speed, 'tokens/s', digits=3)} is {times:.3g} times what {limit} {run.model.name} "
        f"on {device.name} (at most {units.show(best, 'tokens/s', digits=3)}): {_misread(phase, times, batch)}"
    )


def _misread(phase: Phase, times: float, batch: int) -> str:
    if times > _THOUSAND:
        return "is it in another unit, such as milliseconds per token, or does it have a decimal comma?"
    if phase == "prefill":
        return (
            "did part of the prompt come from a prompt cache, is it the speed of another model or "
            "device, or are the weights narrower than stated?"
        )
    if batch > 1:
        return f"is it the speed of all {batch} sequences combined? It must be the speed of one"
    if times > _MOST_GUESSED:
        return "is it the speed of several sequences combined (batch), or the prefill speed?"
    return (
        "did it guess ahead (speculative decoding, MTP), were there several sequences, or are the weights narrower "
        "than stated (a GB is not a GiB)?"
    )
