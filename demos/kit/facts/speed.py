"""Facts about times, speeds and limits, for `=…` in Markdown and for the reader's own machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, cast

import pysim
from demos.kit.facts.fact import Fact
from pysim import units
from pysim.roofline.ridge import ridge_reach_tokens as longest_at_ridge

ROOFLINE = "roofline model, Williams, Waterman and Patterson, 2009"
TYPICAL = "pysim, fitted to published measurements"


def ridge_tokens(model: str, device: str, weights: str = "f16", context_tokens: int = 0) -> Fact:
    """How many tokens in a pass make the math as long as reading the weights."""
    llm, on = pysim.load_model(model), pysim.load_device(device)
    value = pysim.ridge_tokens(pysim.Deployment(llm, on, weight_format=weights), context_tokens)
    return _ridge(value, "tokens", f"{llm.name} ({weights}) on {on.name}, after {context_tokens:,} tokens", "one pass")


def ridge_batch(model: str, device: str, context_tokens: int, weights: str = "f16") -> Fact:
    """How many conversations make a decode pass compute-bound."""
    llm, on = pysim.load_model(model), pysim.load_device(device)
    value = pysim.ridge_batch(pysim.Deployment(llm, on, weight_format=weights), context_tokens)
    setting = f"{llm.name} ({weights}) on {on.name}, {context_tokens:,} tokens each"
    return _ridge(value, "", setting, "a decode pass")


def ridge_reach_tokens(model: str, device: str, weights: str = "f16") -> Fact:
    """Past which length of the conversations no number of them makes a decode pass compute-bound."""
    llm, on = pysim.load_model(model), pysim.load_device(device)
    value = longest_at_ridge(pysim.Deployment(llm, on, weight_format=weights))
    if value is None:
        raise pysim.PysimError(f"{llm.name} on {on.name} can become compute-bound at every length")
    return Fact(
        value=value,
        unit="tokens",
        formula="the length at which reading a conversation’s cache takes as long as its math",
        about=f"{llm.name} ({weights}) on {on.name}",
        source=ROOFLINE,
    )


def _ridge(value: float | None, unit: str, setting: str, what: str) -> Fact:
    if value is None:
        raise pysim.PysimError(f"there is no ridge: {setting} stays memory-bound")
    return Fact(
        value=value,
        unit=unit,
        formula=f"where math and memory of {what} take the same time",
        about=setting,
        source=ROOFLINE,
    )


# Of one best-case pass: its name here → the field of the cost, the unit, the formula in words.
OF_A_PASS: Mapping[str, tuple[str, str, str]] = {
    "pass_s": ("time_s", "s", "the longer of memory time and math time, best case"),
    "pass_memory_s": ("memory_s", "s", "bytes read and written ÷ memory bandwidth, best case"),
    "pass_compute_s": ("compute_s", "s", "math of the pass ÷ peak of the device, best case"),
    "pass_flop": ("flop", "FLOP", "2 FLOP per weight and token, and the attention"),
    "pass_bytes": ("moved_bytes", "B", "weights read once, and the cache"),
    "intensity": ("arithmetic_intensity_flop_per_byte", "FLOP/B", "math of the pass ÷ bytes read and written"),
}


def _of_a_pass(name: str) -> Callable[..., Fact]:
    field, unit, formula = OF_A_PASS[name]

    def fact(
        model: str,
        device: str,
        new_tokens: int,
        context_tokens: int = 0,
        batch: int = 1,
        weights: str = "f16",
        kv: str = "f16",
        speed: Literal["datasheet", "typical"] = "datasheet",
    ) -> Fact:
        llm, on = pysim.load_model(model), pysim.load_device(device)
        where = pysim.Deployment(llm, on, weight_format=weights, kv_format=kv)
        cost = where.pass_cost(new_tokens, context_tokens, batch, speed=speed)
        who = "" if batch == 1 else f"{batch} conversations, each with "
        carried = f"{who}{new_tokens:,} new and {context_tokens:,} cached tokens"
        return Fact(
            value=getattr(cost, field),
            unit=unit,
            formula=formula if speed == "datasheet" else f"{formula.removesuffix(', best case')}, typical speed",
            inserted=_inserted(name, cost, on) if speed == "datasheet" else "",
            about=f"{llm.name} ({weights}) on {on.name}: {carried}",
            source=ROOFLINE if speed == "datasheet" else TYPICAL,
        )

    return fact


def _inserted(name: str, cost: pysim.PassCost, device: pysim.Device) -> str:
    def text(value: float, unit: str) -> str:
        return units.show(value, unit, digits=3)

    moved = text(cost.moved_bytes, "B")
    bandwidth = device.memory_bandwidth_bytes_per_s
    match name:
        case "pass_s":
            return f"the longer of {text(cost.memory_s, 's')} and {text(cost.compute_s, 's')}"
        case "pass_memory_s":
            return f"{moved} ÷ {text(bandwidth, 'B/s')}"
        case "pass_compute_s":
            return f"{text(cost.flop, 'FLOP')} ÷ {text(cost.ridge_flop_per_byte * bandwidth, 'FLOP/s')}"
        case "intensity":
            return f"{text(cost.flop, 'FLOP')} ÷ {moved}"
    return ""


# Of a whole request, fitted unless engine=None is asked for: its name in the estimate → the unit, the formula in words.
OF_A_REQUEST: Mapping[str, tuple[str, str]] = {
    "ttft_s": ("s", "time to first token"),
    "tpot_s": ("s", "time per output token"),
    "total_s": ("s", "TTFT + (N − 1) × TPOT for N answer tokens"),
    "prefill_tokens_per_s": ("tokens/s", "prompt tokens ÷ TTFT"),
    "decode_tokens_per_s": ("tokens/s", "1 ÷ TPOT"),
    "decode_total_tokens_per_s": ("tokens/s", "conversations ÷ TPOT"),
}


def _of_a_request(field: str) -> Callable[..., Fact]:
    unit, formula = OF_A_REQUEST[field]

    def fact(
        model: str,
        device: str,
        prompt: int,
        output: int,
        weights: str = "f16",
        batch: int = 1,
        engine: str | None = "typical",
    ) -> Fact:
        llm, on = pysim.load_model(model), pysim.load_device(device)
        where = pysim.Deployment(llm, on, weight_format=weights, engine=engine)
        speed = "datasheet" if engine is None else "typical"
        answer = where.estimate(prompt_tokens=prompt, output_tokens=output, batch=batch, speed=speed)
        value = getattr(answer, field)
        if value is None:
            raise pysim.PysimError(f"{field} does not exist for an answer of {output} tokens")
        many = "" if batch == 1 else f", {batch} at a time"
        setting = f"{prompt:,} tokens in, {output:,} out{many}, {llm.name} ({weights}) on {on.name}"
        return Fact(
            value=float(value),
            unit=unit,
            formula=f"{formula}, {'best case' if engine is None else f'{engine} speed'}",
            about=f"{setting}{_band((answer.band or {}).get(field), unit)}",
            source=ROOFLINE if engine is None else TYPICAL,
        )

    return fact


def _band(low_high: tuple[object, object] | None, unit: str) -> str:
    if low_high is None:
        return ""
    low, high = (units.show(cast("float", bound), unit, digits=3) for bound in low_high)
    return f"; eight of ten runs lie between {low} and {high}"


FACTS: dict[str, Callable[..., Fact]] = {
    "ridge_tokens": ridge_tokens,
    "ridge_batch": ridge_batch,
    "ridge_reach_tokens": ridge_reach_tokens,
    **{name: _of_a_pass(name) for name in OF_A_PASS},
    **{field: _of_a_request(field) for field in OF_A_REQUEST},
}
