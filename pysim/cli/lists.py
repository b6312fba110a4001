"""`pysim models`, `pysim devices` and `pysim kv`: what the catalog has, and how big a cache gets."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pysim import checks
from pysim.catalog.files import device_keys, model_keys
from pysim.cli.inputs import answer, subjects, with_words
from pysim.cli.notes import model_notes
from pysim.cli.output import Column
from pysim.deployed import Deployed
from pysim.errors import BadValue
from pysim.formats.default import AS_CONFIG, is_configs_own, says_format
from pysim.formats.names import kv_format, weight_format
from pysim.load import load_device, load_model
from pysim.memory.kv_cache import kv_bytes_per_token, kv_cache_bytes
from pysim.memory.occupancy import max_context_tokens
from pysim.memory.weights import weights_bytes
from pysim.models.parameters import parameters
from pysim.units import GIB

if TYPE_CHECKING:
    from pysim.hardware.device import Device


def models(asked: argparse.Namespace) -> None:
    """List the models in the catalog."""
    named = [(model, (model.key, model.name)) for model in map(load_model, model_keys())]
    rows: list[dict[str, object]] = [
        {
            "key": model.key,
            "name": model.name,
            "total_params": parameters(model).total,
            "active_params": parameters(model).active,
            "num_hidden_layers": model.num_hidden_layers,
            "attention": model.attention_kind,
            "kv_bytes_per_token": kv_bytes_per_token(model),
            "max_position_embeddings": model.max_position_embeddings,
        }
        for model in with_words("model", asked.words, named)
    ]
    columns = (
        Column("key", "model"),
        Column("name", "name"),
        Column("total_params", "parameters", "count"),
        Column("active_params", "active", "count"),
        Column("num_hidden_layers", "layers", "whole"),
        Column("attention", "attention"),
        Column("kv_bytes_per_token", "KV per token, f16", "B"),
        Column("max_position_embeddings", "context", "whole"),
    )
    answer(asked, rows, columns)


def devices(asked: argparse.Namespace) -> None:
    """List the devices in the catalog."""
    named = [(device, (device.key, device.name)) for device in map(load_device, device_keys())]
    rows: list[dict[str, object]] = [
        {
            "key": device.key,
            "name": device.name,
            "family": device.family,
            "peak_flop_per_s": dict(device.peak_flop_per_s),
            "fp16_flop_per_s": device.peak_flop_per_s.get("fp16", device.peak_flop_per_s.get("fp32")),
            "peak_kind": device.peak_kind,
            "memory_bandwidth_bytes_per_s": device.memory_bandwidth_bytes_per_s,
            "memory_bytes": device.memory_bytes,
            "usable_memory_bytes": device.usable_memory_bytes,
            "usable_is": device.usable_kind if device.memory_bytes is not None else None,
            "sizes_bytes": list(device.sizes_bytes),
            "sold_with": _sizes(device),
        }
        for device in with_words("device", asked.words, named)
    ]
    columns = (
        Column("key", "device"),
        Column("name", "name"),
        Column("fp16_flop_per_s", "FP16 peak", "FLOP/s"),
        Column("peak_kind", "peak is"),
        Column("memory_bandwidth_bytes_per_s", "bandwidth", "B/s"),
        Column("memory_bytes", "memory", "GiB"),
        Column("usable_memory_bytes", "usable", "GiB"),
        Column("usable_is", "usable is"),
        Column("sold_with", "sold with"),
    )
    answer(asked, rows, columns)


def _sizes(device: Device) -> str:
    """The sizes of memory that a machine is sold with, "24, 48 or 64 GiB"; nothing where it is one."""
    sizes = [f"{size / GIB:g}" for size in device.sizes_bytes]
    return f"{', '.join(sizes[:-1])} or {sizes[-1]} GiB" if sizes else ""


def kv(asked: argparse.Namespace) -> None:
    """Bytes of a cache; with a device, the longest context next to the weights."""
    (model,), given_devices = subjects(asked, devices=False)
    checks.amount(asked.reserve_bytes, "reserve_bytes")
    if not given_devices:
        _check_alone(asked)
    tokens = model.max_position_embeddings if asked.tokens is None else asked.tokens
    row: dict[str, object] = {
        "model": model.key,
        "tokens": tokens,
        "sequences": asked.sequences,
        "kv": kv_format(asked.kv).name,
        "kv_bytes_per_token": kv_bytes_per_token(model, asked.kv),
        "kv_cache_bytes": kv_cache_bytes(model, tokens, asked.kv, asked.sequences),
        "notes": model_notes(model, tokens),
    }
    columns = [
        Column("model", "model"),
        Column("tokens", "tokens", "whole"),
        Column("sequences", "sequences", "whole"),
        Column("kv", "format"),
        Column("kv_bytes_per_token", "per token", "B"),
        Column("kv_cache_bytes", "KV cache", "B"),
        Column("kv_cache_bytes", "(binary)", "GiB"),
    ]
    for device in given_devices:
        on = Deployed(model, device, weight_format=asked.weights, kv_format=asked.kv)
        row |= {
            "device": device.key,
            "weights": weight_format(on.weight_format).name,
            "weights_words": says_format(model, asked.weights),
            "weights_as_config": is_configs_own(model, on.weight_format),
            "weights_bytes": weights_bytes(model, on.weight_format),
            "max_context_tokens": max_context_tokens(on, asked.sequences, asked.reserve_bytes),
        }
        columns += [
            Column("device", "device"),
            Column("weights_words", "weights in"),
            Column("weights_bytes", "weights", "B"),
            Column("max_context_tokens", "longest context that fits", "whole"),
        ]
    answer(asked, row, columns)


def _check_alone(asked: argparse.Namespace) -> None:
    """Refuse options that say something of a device where none is named."""
    for option, value, default in (
        ("--reserve-bytes", asked.reserve_bytes, 0),
        ("--weights", asked.weights, AS_CONFIG),
    ):
        if value != default:
            raise BadValue(f"{option} needs a device's memory: name one with --device")
