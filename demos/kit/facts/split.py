"""Facts about a model that is split between a device and main memory, for `=…` in Markdown."""

from __future__ import annotations

from collections.abc import Callable

import pysim
from demos.kit.facts.fact import Fact
from pysim import units
from pysim.roofline.host_part import host_part, least_on_host, movable_layers

TYPICAL = "pysim, each side fitted to published measurements"


def layers_to_move(
    model: str, device: str, host: str, context_tokens: int, weights: str = "f16", experts: bool = False
) -> Fact:
    """The fewest layers that must move to main memory so that the rest fits; with `experts` only their experts move."""
    on = _split(model, device, host, weights)
    value = least_on_host(on, context_tokens, experts_only=experts)
    if value is None:
        raise pysim.PysimError(f"{on.model.name} does not fit {on.device.name}, however many layers move")
    return Fact(
        value=value,
        unit="",
        formula="the fewest layers with which weights, cache and engine fit the rest of the device",
        inserted=f"{value} of {movable_layers(on, experts_only=experts)}",
        about=_about(on, context_tokens),
        source=TYPICAL,
    )


def split_tokens_per_s(
    model: str, device: str, host: str, layers: int, context_tokens: int, weights: str = "f16", experts: bool = False
) -> Fact:
    """Typical speed of writing with so many layers, or only their experts, in main memory."""
    on = _split(model, device, host, weights)
    part = host_part(on, layers, context_tokens, experts_only=experts)
    host_s, device_s = (units.show(part_s, "s", digits=3) for part_s in (part.host_s, part.token_s - part.host_s))
    return Fact(
        value=1 / part.token_s,
        unit="tokens/s",
        formula="1 ÷ (time on the device + time in main memory)",
        inserted=f"1 ÷ ({device_s} + {host_s})",
        about=f"{_about(on, context_tokens)}, {layers} layers moved",
        source=TYPICAL,
    )


def moved_bytes(
    model: str, device: str, host: str, layers: int, context_tokens: int, weights: str = "f16", experts: bool = False
) -> Fact:
    """What so many layers, with their cache, or only their experts take in main memory."""
    on = _split(model, device, host, weights)
    return Fact(
        value=host_part(on, layers, context_tokens, experts_only=experts).host_bytes,
        unit="B",
        formula="bytes of the experts" if experts else "bytes of the layers, and of their cache",
        inserted=f"{layers} layers",
        about=_about(on, context_tokens),
        source="counted per layer by pysim.memory",
    )


def too_much_bytes(model: str, device: str, context_tokens: int, weights: str = "f16") -> Fact:
    """By how much weights, cache and engine are more than the device's memory; negative where they fit."""
    on = pysim.Deployment(pysim.load_model(model), pysim.load_device(device), weight_format=weights)
    free = on.memory(context_tokens).free_bytes
    if free is None:
        raise pysim.PysimError(f"the memory size of {on.device.name} is not published")
    return Fact(
        value=-free,
        unit="B",
        formula="weights + cache + what an engine needs − usable memory",
        about=_about(on, context_tokens),
        source=TYPICAL,
    )


def longest_context(model: str, device: str, weights: str = "f16") -> Fact:
    """The longest context of one conversation that the device holds next to the weights, within the model's own."""
    on = pysim.Deployment(pysim.load_model(model), pysim.load_device(device), weight_format=weights)
    return Fact(
        value=min(on.max_context_tokens(), on.model.max_position_embeddings),
        unit="tokens",
        formula="(usable memory − weights − what an engine needs) ÷ cache of a token, at most the model’s own maximum",
        about=f"{on.model.name} ({weights}) on {on.device.name}",
        source="counted per layer by pysim.memory",
    )


def _split(model: str, device: str, host: str, weights: str) -> pysim.Deployment:
    return pysim.Deployment(
        pysim.load_model(model), pysim.load_device(device), weight_format=weights, host=pysim.load_device(host)
    )


def _about(on: pysim.Deployment, context_tokens: int) -> str:
    host = "" if on.host is None else f" and {on.host.name}"
    return f"{on.model.name} ({on.weight_format}) on {on.device.name}{host}, {context_tokens:,} tokens"


FACTS: dict[str, Callable[..., Fact]] = {
    fact.__name__: fact for fact in (layers_to_move, split_tokens_per_s, moved_bytes, too_much_bytes, longest_context)
}
