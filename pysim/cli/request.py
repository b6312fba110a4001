"""`pysim estimate` and `pysim compare`: the time and the memory of a request."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

from pysim.cli.inputs import answer, listed, subjects
from pysim.cli.measured import calibrated
from pysim.cli.notes import deployment_notes
from pysim.cli.output import Column
from pysim.deployed import Deployed
from pysim.formats.common import READY_MADE_WEIGHTS
from pysim.formats.default import is_configs_own, says_format
from pysim.formats.names import kv_format, weight_format
from pysim.load import load_device
from pysim.memory.occupancy import occupancy
from pysim.memory.placement import places
from pysim.requests.request_estimate import estimate as estimate_request

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model

_FORMATS: Final = tuple(name.upper() for name in (*READY_MADE_WEIGHTS, "iq2_xxs"))


def estimate(asked: argparse.Namespace) -> None:
    """Times, speeds and memory of one request."""
    (model,), (device,) = subjects(asked)
    answer(asked, _row(asked, model, device, asked.weights), _REQUEST, upright=True)


def compare(asked: argparse.Namespace) -> None:
    """The same request for every combination of the models, devices and formats that are listed with commas."""
    some_models, some_devices = subjects(asked, several=True)
    rows = [
        _row(asked, model, device, weights)
        for model in some_models
        for device in some_devices
        for weights in listed(asked.weights, "weight format")
    ]
    answer(asked, rows, _REQUEST)


_REQUEST: Final = (
    Column("model", "model"),
    Column("device", "device"),
    Column("weights_words", "weights"),
    Column("prefill_tokens_per_s", "prefill", "tokens/s"),
    Column("decode_tokens_per_s", "decode", "tokens/s"),
    Column("decode_total_tokens_per_s", "all sequences", "tokens/s"),
    Column("ttft_s", "first token after", "s"),
    Column("tpot_s", "each token after that", "s"),
    Column("total_s", "whole answer", "s"),
    Column("prefill_bound", "prefill bound by"),
    Column("decode_bound", "decode bound by"),
    Column("weights_bytes", "weights", "B"),
    Column("kv_bytes", "KV cache", "B"),
    Column("engine_bytes", "engine, about", "B"),
    Column("memory_bytes", "memory", "B"),
    Column("usable_memory_bytes", "of which usable", "B"),
    Column("fits", "fits", "flag"),
    Column("formats_that_fit", "weights that would fit"),
    Column("speed", "speed"),
)


def _row(asked: argparse.Namespace, model: Model, device: Device, weights: str) -> dict[str, object]:
    on = Deployed(
        model,
        device,
        n_devices=asked.n_devices,
        split=asked.split,
        weight_format=weights,
        kv_format=asked.kv,
        engine=asked.engine,
        backend=asked.backend,
        layers_on_host=asked.layers_on_host,
        host=None if asked.host is None else load_device(asked.host),
    )
    on, calibration_notes = calibrated(asked, on)
    given = estimate_request(
        on,
        prompt_tokens=asked.prompt_tokens,
        output_tokens=asked.output_tokens,
        prompt_depth=asked.prompt_depth,
        batch=asked.batch,
        chunk_tokens=asked.chunk_tokens,
        speed=asked.speed,
    )
    named = {
        "model": model.key,
        "device": device.key,
        "prompt_tokens": asked.prompt_tokens,
        "output_tokens": asked.output_tokens,
        "prompt_depth": asked.prompt_depth,
        "batch": asked.batch,
        "weights": weight_format(on.weight_format).name,
        "weights_words": says_format(model, weights),
        "weights_as_config": is_configs_own(model, on.weight_format),
        "kv": kv_format(asked.kv).name,
        "n_devices": on.n_devices,
        "split": on.split,
        "engine": asked.engine,
        "backend": asked.backend,
        "layers_on_host": on.layers_on_host,
        "host": None if on.host is None else on.host.key,
        "speed": "best case" if asked.speed == "datasheet" else "typical",
    }
    tokens = asked.prompt_depth + asked.prompt_tokens + max(0, asked.output_tokens - 1)
    notes = [*deployment_notes(on, tokens), *calibration_notes, *([given.range_note] if given.range_note else [])]
    fitting = _formats_that_fit(on, tokens, asked.batch) if given.fits is False else None
    return (
        named
        | {field.name: getattr(given, field.name) for field in fields(given)}
        | {
            "memory_bytes": _memory_bytes(on),
            "usable_memory_bytes": _sum([place.memory_bytes for place in places(on) if place.weights_bytes]),
            "engine_bytes": sum(place.working.total_bytes for place in places(on)),
            "formats_that_fit": fitting,
            "notes": notes,
        }
    )


def _memory_bytes(on: Deployed) -> float | None:
    """The memory of all that hold a part of the model, host and devices; None where a size is not known."""
    return _sum([place.device.memory_bytes for place in places(on) if place.weights_bytes])


def _sum(sizes: list[float | None]) -> float | None:
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _formats_that_fit(on: Deployed, tokens: int, batch: int) -> str:
    """Common formats that would fit, widest first."""
    fitting = [name for name in _FORMATS if occupancy(replace(on, weight_format=name), tokens, batch).fits]
    return ", ".join(fitting[:3]) or "none"
