"""Devices exchange results in every layer, over a slow link."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause
from pysim.memory.weights import weights_bytes

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_ROWS: Final = re.compile(r"(?:-sm|--split-mode)[ =]row\b|\|\s{0,6}row \|")
_TENSOR: Final = re.compile(
    r"(?:--tensor-parallel-size|--tp-size|--tp|-tp)[ =](\d{1,3})\b|tensor_parallel_size=(\d{1,3})\b"
)
_ROOM: Final = 0.4


def cause(evidence: Evidence) -> Cause | None:
    """Told by the way of splitting: rows in llama.cpp, or a small model in many pieces."""
    rows = evidence.find(_ROWS)
    if rows is not None and evidence.may_be_slow("decode"):
        return Cause(
            name="split by rows",
            certainty="likely",
            reveals=rows.words.strip("| "),
            line=rows.line,
            what="split by layers (-sm layer): rows cross the link between the devices in every layer",
            test="llama-bench -sm layer,row",
        )
    return _small(evidence)


def _small(evidence: Evidence) -> Cause | None:
    words = evidence.find(_TENSOR)
    known = evidence.judgement.known
    if words is None or len(known.models) != 1 or len(known.devices) != 1 or not evidence.may_be_slow("decode"):
        return None
    pieces = int(words.match[1] or words.match[2])
    memory = known.devices[0].memory_bytes or 0.0
    if pieces < 4 or known.weights is None or known.weights.key is None:
        return None
    if weights_bytes(known.models[0], known.weights.key, engine=known.engine.key) > _ROOM * memory:
        return None
    return Cause(
        name="split too often",
        certainty="likely",
        reveals=words.words,
        line=words.line,
        what=f"run {pieces} copies, one a device: the model fits on one, and pieces wait for each other",
        test="time one request on a single device",
    )
