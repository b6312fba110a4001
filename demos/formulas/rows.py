"""The formulas of prefill and decode, worked out by pysim for one model on one device, with the values put in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pysim
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import ROOFLINE, ROOFLINE_URL, TWO_FLOP, TWO_FLOP_URL
from demos.kit.number import count
from pysim import units
from pysim.memory.cache_parts import cache_parts
from pysim.memory.kv_cache import number_bytes, windows
from pysim.models.parameters import parameters
from pysim.requests.crossover import cache_equals_weights_tokens
from pysim.roofline.cost_of_pass import PassCost
from pysim.roofline.work import Shape, work

GQA, GQA_URL = "grouped-query attention: Ainslie et al., 2023", "https://arxiv.org/abs/2305.13245"
MLA, MLA_URL = "multi-head latent attention: DeepSeek-AI, 2024", "https://arxiv.org/abs/2405.04434"
ARITHMETIC = "arithmetic; the names are those of the notes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A deployment, and how much goes in and comes out."""

    on: pysim.Deployment
    prompt: int
    output: int
    context: int
    batch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaRow:
    """One formula with its readout's name, its value in SI units (None where there is none), and its group."""

    name: str
    group: str
    value: float | None
    missing: str = ""
    formula: Formula


def rows(at: Workload) -> Iterator[FormulaRow]:
    """Every formula, in the order of the notes."""
    prompt = at.on.pass_cost(at.prompt, 0, speed="datasheet")
    step = at.on.pass_cost(1, at.context, at.batch, speed="datasheet")
    yield from _of_pass(at, prompt, "prefill", at.prompt, 0, 1)
    yield from _of_pass(at, step, "decode", 1, at.context, at.batch)
    yield from _ridge(at, prompt)
    yield from _memory(at)
    yield from _times(at)


def _of_pass(at: Workload, cost: PassCost, kind: str, new: int, context: int, batch: int) -> Iterator[FormulaRow]:
    group = f"One {kind} pass"
    shape = Shape.of(at.on.model)
    todo = work(shape, new, context, batch)
    flop, total = cost.flop, cost.moved_bytes
    weights = f"2 × {count(shape.linear_flop_per_token / 2)} × {count(new * batch)}"
    rest = f"{_show(float(todo.head_flop), 'FLOP')} + {_show(float(todo.attention_flop), 'FLOP')}"
    yield FormulaRow(
        name=f"{kind}_flop",
        group=group,
        value=flop,
        formula=Formula(
            label="FLOP",
            rule="2 × weights × tokens + output head + attention",
            inserted=f"{weights} + {rest}",
            result=_show(flop, "FLOP"),
            source=TWO_FLOP,
            source_url=TWO_FLOP_URL,
        ),
    )
    moved = (cost.weights_read_bytes, cost.kv_read_bytes, cost.kv_written_bytes)
    yield FormulaRow(
        name=f"{kind}_bytes",
        group=group,
        value=total,
        formula=_roofline(
            "Bytes",
            "weights read + cache read + cache written",
            " + ".join(_show(part_bytes, "B") for part_bytes in moved),
        ),
    )
    yield FormulaRow(
        name=f"{kind}_intensity_flop_per_byte",
        group=group,
        value=cost.arithmetic_intensity_flop_per_byte,
        formula=_roofline("Arithmetic intensity", "FLOP ÷ bytes", f"{_show(flop, 'FLOP')} ÷ {_show(total, 'B')}"),
    )
    both = f"longer of {_show(cost.memory_s, 's')} and {_show(cost.compute_s, 's')}"
    yield FormulaRow(
        name=f"{kind}_pass_s",
        group=group,
        value=cost.time_s,
        formula=_roofline("Time", "longer of bytes ÷ bandwidth and FLOP ÷ peak", f"{both}, {cost.bound}-bound"),
    )


def _ridge(at: Workload, cost: PassCost) -> Iterator[FormulaRow]:
    bandwidth = at.on.device.memory_bandwidth_bytes_per_s
    ridge = cost.ridge_flop_per_byte
    peak = _show(ridge * bandwidth, "FLOP/s")
    yield FormulaRow(
        name="ridge_flop_per_byte",
        group="Where the two sides meet",
        value=ridge,
        formula=_roofline("Ridge point", "peak ÷ bandwidth", f"{peak} ÷ {_show(bandwidth, 'B/s')}"),
    )
    bytes_each = pysim.weights_bytes(at.on.model, at.on.weight_format) / parameters(at.on.model).total
    meet = at.on.ridge_tokens()
    about = f"{_show(ridge, 'FLOP/B')} × {bytes_each:.4g} B ÷ 2 ≈ {count(ridge * bytes_each / 2)}"
    yield FormulaRow(
        name="ridge_tokens",
        group="Where the two sides meet",
        value=None if meet is None else round(meet),
        missing="no pass reaches it",
        formula=_roofline(
            "T*, tokens of a pass", "about ridge × bytes of a weight ÷ 2; exactly, with all parts", about
        ),
    )


def _memory(at: Workload) -> Iterator[FormulaRow]:
    model, kv = at.on.model, at.on.kv_format
    per_token = pysim.kv_bytes_per_token(model, kv)
    number = number_bytes(kv)
    if model.layer_order:
        rule = "layers × what a layer keeps of a token, kind by kind"
        put_in = "; ".join(part.words(model.num_hidden_layers) for part in cache_parts(model, kv))
        source, url = GQA, GQA_URL
    elif model.kv_lora_rank is None:
        rule = "2 × layers × key-value heads × width of a head × bytes of a number"
        put_in = f"2 × {model.num_hidden_layers} × {model.num_key_value_heads} × {model.head_dim} × {number:.6g} B"
        source, url = GQA, GQA_URL
    else:
        rule = "layers × (compressed row + shared key) × bytes of a number"
        put_in = f"{model.num_hidden_layers} × ({model.kv_lora_rank} + {model.qk_rope_head_dim or 0}) × {number:.6g} B"
        source, url = MLA, MLA_URL
    group = "Memory"
    yield FormulaRow(
        name="kv_bytes_per_token",
        group=group,
        value=per_token,
        formula=Formula(label="Cache of a token", rule=rule, inserted=put_in, result="", source=source, source_url=url),
    )
    row = per_token / model.num_hidden_layers
    looks = " + ".join(
        f"{layers} × {count(at.context if window is None else min(at.context, window))}"
        for layers, window in windows(model)
    )
    kept = f"({looks}) × {row:,.6g} B"
    if model.layer_order:
        kept = units.show(float(pysim.kv_cache_bytes(model, at.context, kv)), "B")
    yield FormulaRow(
        name="kv_cache_bytes",
        group=group,
        value=pysim.kv_cache_bytes(model, at.context, kv, at.batch),
        formula=_plain(
            "Cache of all",
            "conversations × (layers × tokens that they look back at) × bytes of a row",
            f"{at.batch} × {kept}",
        ),
    )
    stored = pysim.weights_bytes(model, at.on.weight_format)
    yield FormulaRow(
        name="weights_bytes",
        group=group,
        value=stored,
        formula=_plain(
            "Weights",
            "parameters × bytes of a weight",
            f"{count(parameters(model).total)} × {stored / parameters(model).total:.4g} B",
        ),
    )
    equal = cache_equals_weights_tokens(model, at.on.weight_format, kv, at.batch)
    yield FormulaRow(
        name="equal_at_tokens",
        group=group,
        value=equal,
        missing="windows keep it smaller",
        formula=_plain(
            "Cache = weights at",
            "weights ÷ (conversations × cache of a token), longer with windows",
            f"{_show(stored, 'B')} ÷ ({at.batch} × {per_token:,.6g} B)",
        ),
    )


def _times(at: Workload) -> Iterator[FormulaRow]:
    took = at.on.estimate(prompt_tokens=at.prompt, output_tokens=at.output, batch=at.batch, speed="datasheet")
    group = f"A whole request, {count(at.batch)} at a time" if at.batch > 1 else "A whole request"
    ttft, total = took.ttft_s, took.total_s
    tpot = took.tpot_s
    none = "one answer token needs no decode pass"
    yield FormulaRow(
        name="ttft_s", group=group, value=ttft, formula=_plain("TTFT", "time of prefill", f"{at.prompt:,} tokens")
    )
    gaps = f"({_show(total, 's')} − {_show(ttft, 's')}) ÷ ({at.output:,} − 1)"
    tpot_rule = "(end-to-end − TTFT) ÷ (N − 1)"
    yield FormulaRow(name="tpot_s", group=group, value=tpot, missing=none, formula=_plain("TPOT", tpot_rule, gaps))
    shown = _show(tpot, "s") if tpot is not None else "nothing"
    whole = f"{_show(ttft, 's')} + {at.output - 1:,} × {shown}"
    yield FormulaRow(
        name="total_s", group=group, value=total, formula=_plain("End-to-end", "TTFT + (N − 1) × TPOT", whole)
    )
    yield FormulaRow(
        name="prefill_tokens_per_s",
        group=group,
        value=took.prefill_tokens_per_s,
        formula=_plain("Reading", "prompt tokens ÷ TTFT", f"{at.batch * at.prompt:,} ÷ {_show(ttft, 's')}"),
    )
    yield FormulaRow(
        name="decode_tokens_per_s",
        group=group,
        value=took.decode_tokens_per_s,
        missing=none,
        formula=_plain("Writing, each", "1 ÷ TPOT", f"1 ÷ {shown}"),
    )


def _roofline(label: str, rule: str, inserted: str) -> Formula:
    return Formula(label=label, rule=rule, inserted=inserted, result="", source=ROOFLINE, source_url=ROOFLINE_URL)


def _plain(label: str, rule: str, inserted: str) -> Formula:
    return Formula(label=label, rule=rule, inserted=inserted, result="", source=ARITHMETIC)


def _show(value: float, unit: str) -> str:
    return units.show(value, unit)
