"""Which numbers may a page ask for, and how was each computed? The vocabulary of `=…` in Markdown.

Every fact carries its formula in names, the values put in, and where it comes from.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pysim
from pysim import units
from pysim.crossover import cache_equals_weights_tokens
from pysim.ridge import ridge_batch as batch_at_ridge
from pysim.ridge import ridge_tokens as tokens_at_ridge

MEASURED = Path(pysim.__file__ or "").parent / "fit" / "measured.csv"
ROOFLINE = "roofline model, Williams and others, 2009"
TYPICAL = "pysim, fitted to published measurements (see the accuracy page)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A number with its unit and its story; facts can be added, subtracted, multiplied and divided."""

    value: float
    unit: str
    formula: str
    inserted: str
    source: str


Answer = Fact | float


def combined(symbol: str, left: Answer, right: Answer) -> Fact:
    """Return the fact that an operator makes of two; a unit stays where both have it or one is a bare number."""
    a, b = (each if isinstance(each, Fact) else _bare(each) for each in (left, right))
    value = {
        "+": lambda: a.value + b.value,
        "-": lambda: a.value - b.value,
        "×": lambda: a.value * b.value,
        "÷": lambda: a.value / b.value,
    }[symbol]()
    unit = a.unit if not b.unit else "" if symbol == "÷" and a.unit == b.unit else a.unit or b.unit
    sources = dict.fromkeys(each.source for each in (a, b) if each.source)
    return Fact(
        value=value,
        unit=unit,
        formula=f"({a.formula}) {symbol} ({b.formula})",
        inserted=f"{a.inserted} {symbol} {b.inserted}",
        source="; ".join(sources),
    )


def _bare(number: float) -> Fact:
    return Fact(value=float(number), unit="", formula=f"{number:g}", inserted=f"{number:g}", source="")


def kv_bytes_per_token(model: str, kv: str = "f16") -> Fact:
    found = pysim.load_model(model)
    value = pysim.kv_bytes_per_token(found, kv)
    per_layer = value / found.num_hidden_layers
    return Fact(
        value=value,
        unit="B",
        formula="layers × bytes of keys and values of one token in a layer",
        inserted=f"{found.num_hidden_layers} × {per_layer:,.9g} B for {found.name}, cache {kv}",
        source=found.source,
    )


def kv_cache_bytes(model: str, tokens: int, kv: str = "f16", conversations: int = 1) -> Fact:
    found = pysim.load_model(model)
    per_token = pysim.kv_bytes_per_token(found, kv)
    return Fact(
        value=float(pysim.kv_cache_bytes(found, tokens, kv, conversations)),
        unit="B",
        formula="conversations × tokens × cache bytes of a token (windows keep their own length)",
        inserted=f"{conversations} × {tokens:,} × {per_token:,.9g} B for {found.name}, cache {kv}",
        source=found.source,
    )


def weights_bytes(model: str, weights: str = "f16") -> Fact:
    found = pysim.load_model(model)
    value = pysim.weights_bytes(found, weights)
    return Fact(
        value=value,
        unit="B",
        formula="parameters × bits of a weight ÷ 8",
        inserted=f"{found.total_params:,} × {8 * value / found.total_params:.4g} ÷ 8 for {found.name}, {weights}",
        source=found.source,
    )


def equal_tokens(model: str, weights: str = "f16", kv: str = "f16") -> Fact:
    """The context at which cache and weights weigh the same."""
    found = pysim.load_model(model)
    tokens = cache_equals_weights_tokens(found, weights, kv)
    if tokens is None:
        raise pysim.PysimError(f"the cache of {model} never weighs as much as its weights")
    stored, per_token = pysim.weights_bytes(found, weights), pysim.kv_bytes_per_token(found, kv)
    return Fact(
        value=tokens,
        unit="tokens",
        formula="bytes of the weights ÷ cache bytes of a token",
        inserted=f"{units.show(stored, 'B')} ÷ {per_token:,.9g} B for {found.name}",
        source=found.source,
    )


def parameters(model: str) -> Fact:
    found = pysim.load_model(model)
    return Fact(
        value=found.total_params,
        unit="",
        formula="all weights, counted from the architecture",
        inserted=f"{found.num_hidden_layers} layers of {found.name}",
        source=found.source,
    )


def bandwidth(device: str) -> Fact:
    found = pysim.load_device(device)
    return _of_device(found, found.memory_bandwidth_bytes_per_s, "B/s", "memory bandwidth")


def peak(device: str) -> Fact:
    found = pysim.load_device(device)
    return _of_device(found, found.peak("fp16"), "FLOP/s", "peak of 16-bit math, dense")


def memory(device: str) -> Fact:
    found = pysim.load_device(device)
    return _of_device(found, found.memory, "B", "memory")


def _of_device(device: pysim.Device, value: float, unit: str, what: str) -> Fact:
    return Fact(value=value, unit=unit, formula=what, inserted=device.name, source="the catalogue's data sheet")


def ridge_tokens(model: str, device: str, weights: str = "f16") -> Fact:
    """How many tokens in a pass make the math as long as reading the weights."""
    found, on = pysim.load_model(model), pysim.load_device(device)
    return _ridge(tokens_at_ridge(found, on, weights=weights), f"{found.name} on {on.name}", "one pass")


def ridge_batch(model: str, device: str, context_tokens: int, weights: str = "f16") -> Fact:
    """How many conversations make a decode pass compute-bound."""
    found, on = pysim.load_model(model), pysim.load_device(device)
    value = batch_at_ridge(found, on, context_tokens, weights=weights)
    return _ridge(value, f"{found.name} on {on.name}, {context_tokens:,} tokens each", "one decode pass")


def _ridge(value: float | None, inserted: str, what: str) -> Fact:
    if value is None:
        raise pysim.PysimError(f"there is no ridge: {inserted} stays memory-bound")
    return Fact(
        value=value,
        unit="tokens",
        formula=f"where math and memory of {what} take equally long",
        inserted=inserted,
        source=ROOFLINE,
    )


def pass_s(
    model: str,
    device: str,
    new_tokens: int,
    context_tokens: int = 0,
    batch: int = 1,
    weights: str = "f16",
    kv: str = "f16",
) -> Fact:
    """The best-case time of one pass."""
    found, on = pysim.load_model(model), pysim.load_device(device)
    cost = pysim.pass_cost(found, on, new_tokens, context_tokens, batch=batch, weights=weights, kv=kv)
    times = f"{units.show(float(cost.memory_s), 's', digits=3)} and {units.show(float(cost.compute_s), 's', digits=3)}"
    carried = f"{batch} × {new_tokens:,} new after {context_tokens:,}"
    return Fact(
        value=float(cost.time_s),
        unit="s",
        formula="the longer of memory time and math time, best case",
        inserted=f"the longer of {times}: {carried}, {found.name} on {on.name}",
        source=ROOFLINE,
    )


def _estimated(field: str, unit: str, formula: str) -> Callable[..., Fact]:
    def fact(
        model: str,
        device: str,
        prompt: int,
        output: int,
        weights: str = "f16",
        batch: int = 1,
        engine: str | None = "typical",
    ) -> Fact:
        found, on = pysim.load_model(model), pysim.load_device(device)
        answer = pysim.estimate(
            found, on, prompt_tokens=prompt, output_tokens=output, weights=weights, batch=batch, engine=engine
        )
        value = getattr(answer, field)
        if value is None:
            raise pysim.PysimError(f"{field} does not exist for an answer of {output} tokens")
        pace = "best case" if engine is None else f"{engine} speed"
        low_high = (answer.band or {}).get(field)
        band = (
            ""
            if low_high is None
            else "; eight of ten runs lie between "
            + " and ".join(units.show(float(bound), unit, digits=3) for bound in low_high)
        )
        setting = f"{prompt:,} tokens in, {output:,} out, {batch} at a time, {found.name} {weights} on {on.name}"
        return Fact(
            value=float(value),
            unit=unit,
            formula=f"{formula}, {pace}",
            inserted=f"{setting}{band}",
            source=ROOFLINE if engine is None else TYPICAL,
        )

    return fact


@cache
def _measured_rows() -> dict[str, dict[str, str]]:
    with MEASURED.open(encoding="utf-8", newline="") as file:
        return {row["row_id"]: row for row in csv.DictReader(file)}


def measured(row: str, column: str) -> Fact:
    """A figure that somebody published, as it stands in the table of measured points."""
    rows = _measured_rows()
    if row not in rows:
        raise pysim.PysimError(f'there is no measured row "{row}"')
    found = rows[row]
    if column not in ("prefill_tok_s", "decode_tok_s"):
        raise pysim.PysimError(f'measured columns are prefill_tok_s and decode_tok_s, not "{column}"')
    return Fact(
        value=float(found[column]),
        unit="tokens/s",
        formula="measured, not computed",
        inserted=f"{found['device']}, {found['model']} {found['quant']}, {found['engine']}",
        source=f"{found['source_title']}, {found['source_date']}",
    )


FACTS: dict[str, Callable[..., Fact]] = {
    "kv_bytes_per_token": kv_bytes_per_token,
    "kv_cache_bytes": kv_cache_bytes,
    "weights_bytes": weights_bytes,
    "equal_tokens": equal_tokens,
    "parameters": parameters,
    "bandwidth": bandwidth,
    "peak": peak,
    "memory": memory,
    "ridge_tokens": ridge_tokens,
    "ridge_batch": ridge_batch,
    "pass_s": pass_s,
    "ttft_s": _estimated("ttft_s", "s", "time to first token"),
    "tpot_s": _estimated("tpot_s", "s", "time per output token"),
    "total_s": _estimated("total_s", "s", "time of the whole answer"),
    "prefill_tokens_per_s": _estimated("prefill_tokens_per_s", "tokens/s", "prompt tokens ÷ TTFT"),
    "decode_tokens_per_s": _estimated("decode_tokens_per_s", "tokens/s", "1 ÷ TPOT"),
    "decode_total_tokens_per_s": _estimated("decode_total_tokens_per_s", "tokens/s", "batch ÷ TPOT"),
    "measured": measured,
}
