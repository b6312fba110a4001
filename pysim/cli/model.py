"""`pysim model`: what a model is, by its key, name, Hugging Face id or a file that describes it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pysim.cli.inputs import answer
from pysim.cli.output import Column
from pysim.errors import BadValue
from pysim.formats.default import format_of, is_configs_own, says_format
from pysim.formats.names import weight_format
from pysim.load import load_model
from pysim.memory.cache_parts import cache_parts
from pysim.memory.kv_cache import (
    full_kv_bytes_per_token,
    index_bytes_per_token,
    state_bytes_per_sequence,
    window_kv_bytes_per_token,
)
from pysim.memory.weights import weights_bytes
from pysim.models.parameters import parameters

if TYPE_CHECKING:
    from pysim.models.model import Model

# What a model's file is called; any other name that leads to a file does too.
_FILES: Final = (".json", ".gguf")
_COLUMNS: Final = (
    Column("name", "model"),
    Column("key", "key"),
    Column("architecture", "architecture"),
    Column("total_parameters", "parameters", "count"),
    Column("active_parameters", "active for a token", "count"),
    Column("weights_words", "weights"),
    Column("weights_bytes", "weights take", "B"),
    Column("context_tokens", "context", "whole"),
    Column("layers_words", "layers"),
    Column("kv_bytes_per_token", "cache per token, f16", "B"),
    Column("kv_window_bytes_per_token", "in windows, per token", "B"),
    Column("window_tokens", "window, tokens", "whole"),
    Column("index_bytes_per_token", "index per token", "B"),
    Column("state_bytes_per_sequence", "state per sequence", "GiB"),
    Column("left_out_words", "not counted"),
    Column("source", "source"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `pysim model`."""
    parser.add_argument(
        "model", metavar="MODEL", help="a key, a name, a Hugging Face id, or the path of a config.json or a GGUF file"
    )


def model(asked: argparse.Namespace) -> None:
    """Say what one model is."""
    row = described(_given(asked.model))
    shown = [column for column in _COLUMNS if row.get(column.field) not in (None, "", 0)]
    if asked.json:
        row = {name: value for name, value in row.items() if not name.endswith("_words")}
    answer(asked, row, shown, upright=True)


def described(given: Model) -> dict[str, object]:
    """A model's facts as JSON has them, and some in words.

    Caches are in 16 bits. `kv_bytes_per_token`: of the layers that keep all rows; `kv_window_bytes_per_token`: of those
    with a window, per token in it. `active_parameters` have the input table, as publishers count.
    """
    counted = parameters(given)
    window = window_kv_bytes_per_token(given)
    parts = cache_parts(given)
    return {
        "key": given.key,
        "name": given.name,
        "architecture": given.model_type,
        "total_parameters": counted.total,
        "active_parameters": counted.active,
        "num_hidden_layers": given.num_hidden_layers,
        "layers_words": "; ".join(part.words(given.num_hidden_layers) for part in parts),
        "context_tokens": given.max_position_embeddings,
        "kv_bytes_per_token": full_kv_bytes_per_token(given),
        "kv_window_bytes_per_token": window,
        "window_tokens": max((part.window_tokens or 0 for part in parts), default=0) or None,
        "index_bytes_per_token": index_bytes_per_token(given),
        "state_bytes_per_sequence": state_bytes_per_sequence(given),
        "weight_format": weight_format(format_of(given)).name,
        "weights_as_config": is_configs_own(given, format_of(given)),
        "weights_words": says_format(given),
        "weights_note": given.quantization_note,
        "weights_bytes": weights_bytes(given),
        "left_out": list(given.left_out),
        "left_out_words": ", ".join(given.left_out),
        "source": given.source,
    }


def _given(text: str) -> Model:
    """The model of a name or a path; a key of the catalog goes before a file of that name."""
    if not text.strip():
        raise BadValue("which model? Give its key, its Hugging Face id or the path of its config.json")
    path = Path(text)
    try:
        is_file = path.is_file() or (path.exists() and "/" in text)
    except (OSError, ValueError):  # a name too long or with a zero byte is none of a file
        is_file = False
    return load_model(path) if is_file or text.endswith(_FILES) else load_model(text)
