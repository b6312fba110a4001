"""The table of both speeds: typical, the band of eight in ten runs, and best case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simple_html import SafeString

import pysim
from demos.calculator.readout_table import TableCell, readout_table
from demos.kit.declare.readouts import Banded, Missing, Readout, ReadoutValue, shown_in

SPEED_READOUTS = (
    Readout(name="prefill_tokens_per_s", label="Reads at", unit="tokens/s"),
    Readout(name="ttft_s", label="First token after", unit="s"),
    Readout(name="decode_tokens_per_s", label="Writes at", unit="tokens/s"),
    Readout(name="tpot_s", label="Each token after that", unit="s"),
)


def speed_value(given: pysim.Estimate | None, name: str, unknown: str) -> ReadoutValue:
    """Return an estimate's field with its band; `unknown` is the reason where there is no estimate."""
    if given is None:
        return Missing(unknown)
    value: float = getattr(given, name)
    if given.band is None:
        return value
    low, high = given.band[name]
    return Banded(value, low, high)


def speed_table(
    title: str,
    typical: pysim.Estimate | None,
    best: pysim.Estimate | None,
    unknown: str,
    *,
    only_best: bool,
    labels: Mapping[str, str],
) -> SafeString:
    """Return the table; with `only_best` the best case is all that is asked for. `labels` name rows otherwise."""
    head: Sequence[str] = ("", "best case") if only_best else ("", "typical", "8 of 10 runs", "best case")
    rows: list[tuple[str, list[TableCell]]] = []
    for readout in SPEED_READOUTS:
        value = speed_value(best if only_best else typical, readout.name, unknown)
        others = [] if only_best else [_band_words(value, readout.unit), _best_words(best, readout)]
        rows.append((labels.get(readout.name, readout.label), [(readout.name, value), *others]))
    return readout_table(title, head, rows, {declared.name: declared for declared in SPEED_READOUTS})


def _band_words(value: ReadoutValue, unit: str) -> str:
    if not isinstance(value, Banded):
        return "–"
    low, high = shown_in(unit, value.low, 2), shown_in(unit, value.high, 2)
    number, _, measure = low.partition(" ")
    return f"{number if high.endswith(' ' + measure) else low} to {high}"


def _best_words(best: pysim.Estimate | None, readout: Readout) -> str:
    return "–" if best is None else shown_in(readout.unit, getattr(best, readout.name), 3)
