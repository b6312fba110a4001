"""Choices among a few models, devices and formats, with labels from pysim's catalog."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pysim
from demos.kit.declare.controls import Choice, Option
from demos.kit.declare.machines import DEVICES, MODELS
from pysim.formats.common import COMMON_CACHES, COMMON_WEIGHTS, READY_MADE_CACHES, CommonFormat
from pysim.formats.default import AS_CONFIG, AS_CONFIG_WORDS


def models(start: str, keys: Sequence[str], *, name: str = "model", label: str = "Model") -> Choice:
    """Return the choice among a few catalog models; those that a reader's machine may run are taken as well."""
    options = tuple(Option(value=key, label=pysim.load_model(key).name) for key in keys)
    also = tuple(Option(value=key, label=pysim.load_model(key).name) for key in MODELS if key not in keys)
    return Choice(name=name, label=label, start=start, options=options, also=also)


def devices(start: str, keys: Sequence[str], *, name: str = "device", label: str = "Device", none: str = "") -> Choice:
    """Return the choice among a few catalog devices; those that a reader may have are taken as well.

    `none` is the label of "no device", where that may be chosen.
    """
    options = tuple(Option(value=key, label=pysim.load_device(key).name) for key in keys)
    also = tuple(Option(value=key, label=pysim.load_device(key).name) for key in DEVICES if key not in keys)
    first = (Option(value="none", label=none),) if none else ()
    return Choice(name=name, label=label, start=start, options=first + options, also=also)


FEW_WEIGHTS = ("f16", "fp8", "q4_k_m")


def _labels(formats: Iterable[CommonFormat]) -> dict[str, str]:
    """Label each format as in "8-bit (FP8)", by its key."""
    return {stored.key: f"{stored.bits}-bit" + (f" ({stored.name})" if stored.name else "") for stored in formats}


WEIGHTS = _labels(COMMON_WEIGHTS)
CACHES = {key: label for key, label in _labels(COMMON_CACHES).items() if key in READY_MADE_CACHES}


def weights(start: str = AS_CONFIG, *, extra: Sequence[str] = ()) -> Choice:
    """Return the choice of how the weights are stored, with the `extra` formats last; values are pysim's names.

    The first is the model's own: what its config says, 16 bits where it says nothing.
    """
    return Choice(
        name="weights",
        label="Weights",
        start=start,
        options=_formats({AS_CONFIG: AS_CONFIG_WORDS} | {key: WEIGHTS[key] for key in (*FEW_WEIGHTS, *extra)}),
    )


def caches(start: str = "f16") -> Choice:
    """Return the choice of how the KV cache is stored."""
    return Choice(name="kv", label="Cache", start=start, options=_formats(CACHES))


def _formats(named: Mapping[str, str]) -> tuple[Option, ...]:
    return tuple(Option(value=value, label=label) for value, label in named.items())
