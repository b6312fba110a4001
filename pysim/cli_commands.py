"""How does each question of the command line get its answer?"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from pysim.catalogue import device_keys, load_device, load_model, model_keys
from pysim.cli_show import Column, print_json, print_table
from pysim.errors import BadConfig, BadValue
from pysim.formats import kv_format, weight_format
from pysim.kv_cache import kv_bytes_per_token, kv_cache_bytes, max_context_tokens
from pysim.weights import weights_bytes

if TYPE_CHECKING:
    from pysim.device import Device
    from pysim.estimate import Estimate
    from pysim.model import Model

_LARGEST_CONFIG_BYTES: Final = 10_000_000
_COMMON_FORMATS: Final = ("F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M", "Q2_K", "IQ2_XXS")


def models(asked: argparse.Namespace) -> None:
    """List the models of the catalogue."""
    found = [load_model(key) for key in model_keys()]
    rows: list[dict[str, object]] = [
        {
            "key": each.key,
            "name": each.name,
            "total_params": each.total_params,
            "active_params": each.active_params,
            "num_hidden_layers": each.num_hidden_layers,
            "attention": each.attention_kind,
            "kv_bytes_per_token": kv_bytes_per_token(each),
            "max_position_embeddings": each.max_position_embeddings,
        }
        for each in found
        if _has(asked.words, each.key, each.name)
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
    _answer(asked, rows, columns)


def devices(asked: argparse.Namespace) -> None:
    """List the devices of the catalogue."""
    rows: list[dict[str, object]] = [
        {
            "key": each.key,
            "name": each.name,
            "family": each.family,
            "peak_flop_per_s": dict(each.peak_flop_per_s),
            "fp16_flop_per_s": each.peak_flop_per_s.get("fp16", each.peak_flop_per_s.get("fp32")),
            "peak_kind": each.peak_kind,
            "memory_bandwidth_bytes_per_s": each.memory_bandwidth_bytes_per_s,
            "memory_bytes": each.memory_bytes,
        }
        for each in (load_device(key) for key in device_keys())
        if _has(asked.words, each.key, each.name)
    ]
    columns = (
        Column("key", "device"),
        Column("name", "name"),
        Column("fp16_flop_per_s", "FP16 peak", "FLOP/s"),
        Column("peak_kind", "peak is"),
        Column("memory_bandwidth_bytes_per_s", "bandwidth", "B/s"),
        Column("memory_bytes", "memory", "GiB"),
    )
    _answer(asked, rows, columns)


def kv(asked: argparse.Namespace) -> None:
    """Bytes of a cache; with a device, the longest context beside the weights."""
    (model,), _ = _subjects(asked, devices=False)
    tokens = model.max_position_embeddings if asked.tokens is None else asked.tokens
    row: dict[str, object] = {
        "model": model.key,
        "tokens": tokens,
        "sequences": asked.sequences,
        "kv": kv_format(asked.kv).name,
        "kv_bytes_per_token": kv_bytes_per_token(model, asked.kv),
        "kv_cache_bytes": kv_cache_bytes(model, tokens, asked.kv, asked.sequences),
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
    if asked.device is not None:
        device = load_device(asked.device)
        row |= {
            "device": device.key,
            "weights": weight_format(asked.weights).name,
            "weights_bytes": weights_bytes(model, asked.weights),
            "max_context_tokens": max_context_tokens(
                model, device, asked.weights, asked.kv, asked.sequences, asked.reserve_bytes
            ),
        }
        columns += [
            Column("device", "device"),
            Column("weights_bytes", "weights", "B"),
            Column("max_context_tokens", "longest context that fits", "whole"),
        ]
    _answer(asked, row, columns)


def estimate(asked: argparse.Namespace) -> None:
    """Times, speeds and memory of one request."""
    (model,), (device,) = _subjects(asked)
    _answer(asked, _row(asked, model, device, asked.weights), _REQUEST, upright=True)


def compare(asked: argparse.Namespace) -> None:
    """The same request for every combination of the models, devices and formats that are listed with commas."""
    some_models, some_devices = _subjects(asked, several=True)
    rows = [
        _row(asked, model, device, weights)
        for model in some_models
        for device in some_devices
        for weights in _listed(asked.weights)
    ]
    _answer(asked, rows, _REQUEST)


_REQUEST: Final = (
    Column("model", "model"),
    Column("device", "device"),
    Column("weights", "weights"),
    Column("prefill_tokens_per_s", "prefill", "tokens/s"),
    Column("decode_tokens_per_s", "decode", "tokens/s"),
    Column("decode_total_tokens_per_s", "all sequences", "tokens/s"),
    Column("ttft_s", "first token after", "s"),
    Column("tpot_s", "each further", "s"),
    Column("total_s", "whole answer", "s"),
    Column("prefill_bound", "prefill bound by"),
    Column("decode_bound", "decode bound by"),
    Column("weights_bytes", "weights", "B"),
    Column("kv_bytes", "KV cache", "B"),
    Column("memory_bytes", "memory", "B"),
    Column("fits", "fits", "flag"),
    Column("formats_that_fit", "weights that would fit"),
    Column("speed", "speed"),
)


def _row(asked: argparse.Namespace, model: Model, device: Device, weights: str) -> dict[str, object]:
    from pysim.estimate import estimate as estimated

    given: Estimate = estimated(
        model,
        device,
        prompt_tokens=asked.prompt_tokens,
        output_tokens=asked.output_tokens,
        prompt_depth=asked.prompt_depth,
        batch=asked.batch,
        weights=weights,
        kv=asked.kv,
        engine=asked.engine,
        backend=asked.backend,
        n_devices=asked.n_devices,
        split=asked.split,
        chunk_tokens=asked.chunk_tokens,
        layers_on_host=asked.layers_on_host,
        host=None if asked.host is None else load_device(asked.host),
    )
    named = {
        "model": model.key,
        "device": device.key,
        "prompt_tokens": asked.prompt_tokens,
        "output_tokens": asked.output_tokens,
        "prompt_depth": asked.prompt_depth,
        "batch": asked.batch,
        "weights": weight_format(weights).name,
        "kv": kv_format(asked.kv).name,
        "engine": asked.engine,
        "speed": "best case" if asked.engine is None else "typical",
    }
    memory = None if device.memory_bytes is None else device.memory_bytes * asked.n_devices
    room = None if memory is None else memory - cast("float", given.kv_bytes)
    fitting = None if room is None or given.fits else _formats_within(model, room)
    return (
        named
        | {each.name: getattr(given, each.name) for each in dataclasses.fields(given)}
        | {"memory_bytes": memory, "formats_that_fit": fitting}
    )


def _formats_within(model: Model, room_bytes: float) -> str:
    """Common formats that would fit, widest first."""
    fitting = [each for each in _COMMON_FORMATS if weights_bytes(model, each) <= room_bytes]
    return ", ".join(fitting[:3]) or "none"


def _subjects(
    asked: argparse.Namespace, *, devices: bool = True, several: bool = False
) -> tuple[list[Model], list[Device]]:
    """The models and devices that a command line names, by position or by option."""
    names = [asked.names] if isinstance(asked.names, str) else list(asked.names or [])
    given_models: list[Model] = []
    if asked.config is not None:
        given_models.append(_read_config(asked.config))
    keys = asked.model
    if keys is None and asked.config is None and names:
        keys = names.pop(0)
    given_models += [load_model(key) for key in (_listed(keys) if several else [keys] if keys else [])]
    if not given_models:
        raise BadValue("which model? Give its key (`pysim models` lists them) or --config path/to/config.json")
    given_devices: list[Device] = []
    if devices:
        keys = asked.device if asked.device is not None or not names else names.pop(0)
        if keys is None:
            raise BadValue("which device? Give its key (`pysim devices` lists them)")
        given_devices = [load_device(key) for key in (_listed(keys) if several else [keys])]
    if names:
        raise BadValue(f'"{names[0]}" is one name too many')
    return given_models, given_devices


def _read_config(path: str) -> Model:
    from pysim.config import read_config

    where = Path(path)
    try:
        if where.stat().st_size > _LARGEST_CONFIG_BYTES:
            raise BadConfig(f"{path}: larger than {_LARGEST_CONFIG_BYTES:,} bytes, which no config.json is")
        config = json.loads(where.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadConfig(f"{path} is not JSON: {error}") from error
    key = where.absolute().parent.name if where.name == "config.json" else where.stem.removesuffix(".config")
    return read_config(config, key=key, where=path)


def _listed(keys: str | None) -> list[str]:
    return [each for each in (part.strip() for part in (keys or "").split(",")) if each]


def _has(words: Sequence[str], *texts: str) -> bool:
    text = " ".join(texts).lower()
    return all(word.lower() in text for word in words)


def _answer(
    asked: argparse.Namespace,
    rows: list[dict[str, object]] | Mapping[str, object],
    columns: Sequence[Column],
    *,
    upright: bool = False,
) -> None:
    if asked.json:
        print_json(rows)
    else:
        print_table([rows] if isinstance(rows, Mapping) else rows, columns, upright=upright)
