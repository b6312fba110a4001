"""Facts about memory, tokens, passes and spec sheets, for `=…` in Markdown."""

from __future__ import annotations

from collections.abc import Callable

import pysim
from demos.kit.facts.fact import Fact, short_source
from pysim import units
from pysim.memory.cache_parts import cache_parts, kept_by_layer, layers_in_words
from pysim.memory.kv_cache import state_bytes_per_sequence
from pysim.models.parameters import parameters as count_parameters
from pysim.requests.crossover import cache_equals_weights_tokens
from pysim.requests.passes import generation
from pysim.requests.without_cache import tokens_computed as computed_in_all


def kv_bytes_per_token(model: str, kv: str = "f16") -> Fact:
    """What one token of a conversation adds to the cache."""
    llm = pysim.load_model(model)
    value = pysim.kv_bytes_per_token(llm, kv)
    per_layer = value / llm.num_hidden_layers
    return Fact(
        value=value,
        unit="B",
        formula="layers × bytes of keys and values of one token in a layer",
        inserted=f"{llm.num_hidden_layers} × {per_layer:,.9g} B",
        about=f"{llm.name}, cache {kv}",
        source=short_source(llm.source),
    )


def kv_cache_bytes(model: str, tokens: int, kv: str = "f16", conversations: int = 1) -> Fact:
    """The cache of conversations of `tokens` tokens each."""
    llm = pysim.load_model(model)
    per_token = pysim.kv_bytes_per_token(llm, kv)
    return Fact(
        value=pysim.kv_cache_bytes(llm, tokens, kv, conversations),
        unit="B",
        formula="conversations × tokens × cache bytes of a token (windows keep their own length)",
        inserted=f"{conversations} × {tokens:,} × {per_token:,.9g} B",
        about=f"{llm.name}, cache {kv}",
        source=short_source(llm.source),
    )


def state_bytes(model: str) -> Fact:
    """The part of a conversation's cache that does not grow: states of linear attention and state-space layers."""
    llm = pysim.load_model(model)
    states = [part for part in cache_parts(llm) if part.state_bytes]
    return Fact(
        value=state_bytes_per_sequence(llm),
        unit="B",
        formula="layers × bytes of the state of one layer",
        inserted=" + ".join(f"{part.layers} × {part.state_bytes:,} B" for part in states) or "no layer keeps a state",
        about=llm.name,
        source=short_source(llm.source),
    )


def growing_layers(model: str) -> Fact:
    """How many layers of a model keep a row for every token."""
    llm = pysim.load_model(model)
    kept = kept_by_layer(llm)
    return Fact(
        value=sum(kind in {"rows", "coarse", "both"} for kind in kept),
        unit="",
        formula="layers that keep rows for the whole text",
        inserted=layers_in_words(llm) or f"all {len(kept)}",
        about=llm.name,
        source=short_source(llm.source),
    )


def layers(model: str) -> Fact:
    """How many layers a model has."""
    llm = pysim.load_model(model)
    return Fact(
        value=llm.num_hidden_layers,
        unit="",
        formula="layers of the config",
        about=llm.name,
        source=short_source(llm.source),
    )


def weights_bytes(model: str, weights: str = "f16") -> Fact:
    """All weights of a model in a format."""
    llm = pysim.load_model(model)
    value = pysim.weights_bytes(llm, weights)
    return Fact(
        value=value,
        unit="B",
        formula="parameters × bits of a weight ÷ 8",
        inserted=f"{count_parameters(llm).total:,} × {8 * value / count_parameters(llm).total:.4g} ÷ 8",
        about=f"{llm.name}, weights {weights}",
        source=short_source(llm.source),
    )


def parameters(model: str) -> Fact:
    """How many weights a model has."""
    llm = pysim.load_model(model)
    return Fact(
        value=count_parameters(llm).total,
        unit="",
        formula="all weights, counted from the architecture",
        about=f"{llm.name}, {llm.num_hidden_layers} layers",
        source=short_source(llm.source),
    )


def equal_tokens(model: str, weights: str = "f16", kv: str = "f16") -> Fact:
    """The context at which cache and weights weigh the same."""
    llm = pysim.load_model(model)
    tokens = cache_equals_weights_tokens(llm, weights, kv)
    if tokens is None:
        raise pysim.PysimError(f"the cache of {model} never outgrows its weights")
    stored, per_token = pysim.weights_bytes(llm, weights), pysim.kv_bytes_per_token(llm, kv)
    return Fact(
        value=tokens,
        unit="tokens",
        formula="bytes of the weights ÷ cache bytes of a token",
        inserted=f"{units.show(stored, 'B')} ÷ {per_token:,.9g} B",
        about=f"{llm.name}, weights {weights}, cache {kv}",
        source=short_source(llm.source),
    )


def held(model: str, device: str, context_tokens: int, weights: str = "f16", kv: str = "f16") -> Fact:
    """How many conversations fit in a device's memory next to the weights."""
    llm, on = pysim.load_model(model), pysim.load_device(device)
    cache_bytes = pysim.kv_cache_bytes(llm, context_tokens, kv)
    stored = pysim.weights_bytes(llm, weights)
    deployment = pysim.Deployment(llm, on, weight_format=weights, kv_format=kv)
    (memory,) = deployment.memory(context_tokens).per_device
    sizes = (memory.memory_bytes or 0.0, stored, memory.working.total_bytes, cache_bytes)
    usable, weighing, working, own = (units.show(size, "B") for size in sizes)
    return Fact(
        value=pysim.max_batch(deployment, context_tokens),
        unit="",
        formula="(usable memory − weights − what an engine needs) ÷ cache of one conversation, rounded down",
        inserted=f"({usable} − {weighing} − {working}) ÷ {own}",
        about=f"{llm.name} ({weights}) on {on.name}, {context_tokens:,} tokens each, cache {kv}",
        source=_device_sources(on),
    )


def tokens_computed(prompt: int, output: int, cache: bool) -> Fact:
    """How many times a token goes through the model for a whole answer."""
    kept = ("P + N − 1", f"{prompt:,} + {output:,} − 1")
    again = ("N × P + N × (N − 1) ÷ 2", f"{output:,} × {prompt:,} + {output:,} × {output - 1:,} ÷ 2")
    formula, inserted = kept if cache else again
    return Fact(
        value=computed_in_all(prompt_tokens=prompt, output_tokens=output, cache=cache),
        unit="",
        formula=f"{formula} for P prompt and N answer tokens",
        inserted=inserted,
        source="counted pass by pass, " + ("each token once" if cache else "the whole text in each"),
    )


def passes(prompt: int, output: int, chunk: int | None = None) -> Fact:
    """How many times the text goes through the model, guesses apart."""
    steps = list(generation(prompt_tokens=prompt, output_tokens=output, chunk_tokens=chunk))
    reading = sum(step.kind == "prefill" for step in steps)
    return Fact(
        value=len(steps),
        unit="",
        formula="passes that read the prompt + answer tokens after the first",
        inserted=f"{reading} + {len(steps) - reading}",
        source="counted pass by pass",
    )


def bandwidth(device: str) -> Fact:
    """The spec sheet's memory bandwidth."""
    on = pysim.load_device(device)
    return _of_device(on, on.memory_bandwidth_bytes_per_s, "B/s", "memory bandwidth")


def peak(device: str) -> Fact:
    """The spec sheet's peak of 16-bit math."""
    on = pysim.load_device(device)
    return _of_device(on, on.peak("fp16"), "FLOP/s", "peak of 16-bit math, dense")


def memory(device: str) -> Fact:
    """The size of a device's memory."""
    on = pysim.load_device(device)
    return _of_device(on, on.memory, "B", "memory")


def _of_device(device: pysim.Device, value: float, unit: str, what: str) -> Fact:
    return Fact(value=value, unit=unit, formula=what, about=device.name, source=_device_sources(device))


def _device_sources(device: pysim.Device) -> str:
    return "; ".join(short_source(source) for source in device.sources[:2])


FACTS: dict[str, Callable[..., Fact]] = {
    fact.__name__: fact
    for fact in (
        kv_bytes_per_token,
        kv_cache_bytes,
        state_bytes,
        growing_layers,
        layers,
        weights_bytes,
        parameters,
        equal_tokens,
        held,
        tokens_computed,
        passes,
        bandwidth,
        peak,
        memory,
    )
}
