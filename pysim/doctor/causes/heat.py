"""The device gets too hot and slows down."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"(?:thermal(?:ly)?[- ])?throttl(?:ed|ing|es)\b|\boverheat\w{0,4}|\bfanless\b", re.IGNORECASE
)
# nvidia-smi's table: fan, temperature, performance state.
_TABLE: Final = re.compile(r"\|\s{0,4}(?:\d{1,3}%|N/A)\s{1,6}(\d{2,3})C\s{1,6}P\d")
_HOT_C: Final = 87


def cause(evidence: Evidence) -> Cause | None:
    """Told by words of the text, or by the temperature in nvidia-smi's table."""
    words, table = evidence.find(_WORDS), evidence.find(_TABLE)
    hot = table if table is not None and int(table.match[1]) >= _HOT_C else None
    told = words or hot
    if told is None or not (evidence.may_be_slow("decode") or evidence.may_be_slow("prefill")):
        return None
    return Cause(
        name="heat",
        certainty="likely" if evidence.is_slow("decode") or evidence.is_slow("prefill") else "possible",
        reveals=told.words if hot is None else f"{hot.match[1]} °C",
        line=told.line,
        what="cool the device, or compare runs of a minute after a pause with later ones",
        test="the first run after a pause is the fastest, and clocks fall during the run",
        figure="prefill",
    )
