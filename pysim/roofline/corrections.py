"""Corrections of times by what a machine was measured at: one factor for passes that read, one for those that write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim.arrays.numeric import choose, exponential, is_plain
from pysim.engines.calibration import PHASES, Correction, Phase
from pysim.formats.names import weight_format

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.deployed import Deployed
    from pysim.engines.spread import Spread

# A pass over more tokens of a sequence reads a prompt; over fewer, it is bound as decode is.
DECODES_UP_TO_TOKENS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrections:
    """By phase, what holds for one sequence and what for several at once."""

    one: dict[Phase, Correction]
    several: dict[Phase, Correction]

    def factor(self, new_tokens: Numeric, batch: Numeric) -> Numeric:
        """What a pass's time is multiplied with."""
        if is_plain(new_tokens, batch):
            phase: Phase = "prefill" if new_tokens > DECODES_UP_TO_TOKENS else "decode"
            chosen = self.several if batch > 1 else self.one
            return exponential(chosen[phase].log_factor)
        prefill, decode = (
            choose(batch > 1, self.several[phase].log_factor, self.one[phase].log_factor) for phase in PHASES
        )
        return exponential(choose(new_tokens > DECODES_UP_TO_TOKENS, prefill, decode))

    def narrowed(self, spread: Spread) -> Spread:
        """The scatter that is left."""
        bounds = {phase: (self.one[phase].bounds, self.several[phase].bounds) for phase in PHASES}
        return replace(
            spread,
            prefill=replace(spread.prefill, bounds=bounds["prefill"]),
            decode=replace(spread.decode, bounds=bounds["decode"]),
        )


def corrections(on: Deployed) -> Corrections | None:
    """What a deployment's calibration says of its passes; None without one."""
    if on.calibration is None:
        return None
    known = on.calibration
    stored = weight_format(on.weight_format).name
    one, several = (
        {
            phase: known.correction(phase, on.model.key, stored, is_moe=on.model.is_moe, batched=batched)
            for phase in PHASES
        }
        for batched in (False, True)
    )
    return Corrections(one=one, several=several)
