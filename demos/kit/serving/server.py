"""A server that demos ask: a deployment, the room of its cache, and a refusal in a sentence where there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pysim
from demos.kit.declare.controls import Value
from pysim.errors import PysimError
from pysim.formats.default import AS_CONFIG
from pysim.serving.serve import kv_tokens_of

# Formats that vLLM runs as they are; others, and machines without a GPU, count with the typical speed of all engines.
SERVED_FORMATS = (AS_CONFIG, "f16", "fp8")
# What a scheduler may carry by default, as vLLM's API server on a large GPU.
SEATS = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A model on devices, and how many tokens its cache has room for."""

    on: pysim.Deployment
    kv_tokens: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Why there is nothing to simulate, as a sentence."""

    why: str


def server(values: Mapping[str, Value], *, n_devices: int = 1) -> Server | Refused:
    """The server of a demo's `model`, `device` and `weights`; Refused where the weights leave no room."""
    device, stored = pysim.load_device(str(values["device"])), str(values.get("weights", AS_CONFIG))
    engine = "vllm" if device.kind == "gpu" and stored in SERVED_FORMATS else None
    model = pysim.load_model(str(values["model"]))
    on = pysim.Deployment(
        model, device, n_devices=n_devices, weight_format=stored, kv_format=str(values.get("kv", "f16")), engine=engine
    )
    try:
        room = kv_tokens_of(on) if engine else on.max_context_tokens()
    except PysimError as error:
        return Refused(sentence(error))
    if room < 1:
        return Refused(f"{model.name} does not fit into the memory of {device.name}.")
    return Server(on=on, kv_tokens=room)


def sentence(error: PysimError) -> str:
    """An error as a sentence of the page."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
