"""Choices among a few models, devices and formats, with labels from pysim's catalogue."""

from __future__ import annotations

from collections.abc import Sequence

import pysim
from demos.kit.declare.controls import Choice, Option


def models(start: str, keys: Sequence[str], *, name: str = "model", label: str = "Model") -> Choice:
    """Return the choice among catalogue models."""
    options = tuple(Option(value=key, label=pysim.load_model(key).name) for key in keys)
    return Choice(name=name, label=label, start=start, options=options)


def devices(start: str, keys: Sequence[str], *, name: str = "device", label: str = "Device", none: str = "") -> Choice:
    """Return the choice among catalogue devices; `none` is the label of "no device", where that may be chosen."""
    options = tuple(Option(value=key, label=pysim.load_device(key).name) for key in keys)
    first = (Option(value="none", label=none),) if none else ()
    return Choice(name=name, label=label, start=start, options=first + options)


WEIGHTS = (("f16", "16-bit"), ("fp8", "8-bit (FP8)"), ("q4_k_m", "4-bit (Q4_K_M)"))
CACHES = (("f16", "16-bit"), ("q8_0", "8-bit (Q8_0)"), ("q4_0", "4-bit (Q4_0)"))


def weights(start: str = "f16", *, extra: Sequence[tuple[str, str]] = ()) -> Choice:
    """Return the choice of how the weights are stored; the values are pysim's names of formats."""
    return Choice(name="weights", label="Weights", start=start, options=_formats((*WEIGHTS, *extra)))


def caches(start: str = "f16") -> Choice:
    """Return the choice of how the KV cache is stored."""
    return Choice(name="kv", label="Cache", start=start, options=_formats(CACHES))


def _formats(named: Sequence[tuple[str, str]]) -> tuple[Option, ...]:
    return tuple(Option(value=value, label=label) for value, label in named)
