"""The reader's own measurement in the calculator: what it changes in the typical speeds of that machine."""

from __future__ import annotations

from collections.abc import Mapping

import pysim
from demos.kit.declare.controls import Number, Value
from pysim.requests.calibrate import Measurement, calibrate

FASTEST = 1_000_000
CONTROLS = (
    Number(name="measured_decode", label="You measured: writes, tokens/s (0: none)", start=0, low=0, high=FASTEST),
    Number(name="measured_prefill", label="You measured: reads, tokens/s (0: none)", start=0, low=0, high=FASTEST),
)
PROMPT_TOKENS = 512


def calibrated(on: pysim.Deployment, values: Mapping[str, Value]) -> tuple[pysim.Deployment, str]:
    """Return the deployment as one conversation's measured speeds say, and what to tell of it; "" without any.

    The run is taken for one of this model in this format, with a prompt of 512 tokens, as benchmarks have it.
    """
    reads, writes = (float(values[name]) or None for name in ("measured_prefill", "measured_decode"))
    if reads is None and writes is None:
        return on, ""
    try:
        measured = Measurement(prefill_tokens_per_s=reads, decode_tokens_per_s=writes, prompt_tokens=PROMPT_TOKENS)
        return calibrate(on, (measured,)), "Calibrated with your measurement, so the range is narrower."
    except pysim.PysimError as error:
        return on, f"Your measurement is not used: {error}."
