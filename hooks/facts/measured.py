"""Figures that somebody published, for `=…` in Markdown."""

from __future__ import annotations

import pysim
from demos.kit.facts.fact import Fact
from pysim.fit.measured import measured_rows

MEASURED_COLUMNS = ("prefill_tok_s", "decode_tok_s")


def measured(row: str, column: str) -> Fact:
    """A figure that somebody published, as the table of measured points has it."""
    rows = measured_rows()
    if row not in rows:
        raise pysim.PysimError(f'there is no measured row "{row}"')
    if column not in MEASURED_COLUMNS:
        raise pysim.PysimError(f'measured columns are {" and ".join(MEASURED_COLUMNS)}, not "{column}"')
    point = rows[row]
    what = "reading the prompt" if column == "prefill_tok_s" else "writing the answer"
    return Fact(
        value=float(point[column]),
        unit="tokens/s",
        formula=f"measured, {what}",
        about=f"{point['device']}, {point['model']} {point['quant']}, {point['engine']}",
        source=f"{point['source_title']}, {point['source_date']}",
    )
