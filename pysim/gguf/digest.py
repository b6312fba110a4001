"""The digest of GGUF headers: a short JSON of them, which a page makes of a file and which can be pasted as a config.

`{"gguf": {"<file>": {"values": {...}, "tensors": [[name, type, size, ...], ...]}}}`: what decides a model, without
its vocabulary.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from pysim import checks
from pysim.errors import BadConfig, quoted
from pysim.formats.ggml_types import BY_NAME
from pysim.gguf.header import CutHeader, Header, Tensor
from pysim.gguf.parse import LONGEST_TEXT, MOST_DIMENSIONS, MOST_TENSORS, MOST_WEIGHTS, parse_header

if TYPE_CHECKING:
    from pysim.gguf.header import Scalar

KEY: Final = "gguf"
MOST_FILES: Final = 1_000
# Of the tokenizer only its size counts, and the table of inputs has that too.
_DROPPED: Final = ("tokenizer.", "general.license", "general.tags", "general.description", "quantize.")


def digest_text(name: str, data: bytes) -> str:
    """What the first bytes of a file give, as JSON: a digest, the bytes that are needed, or an error.

    `{"needs": n}`: give at least the first n bytes. `{"error": message}`: no more bytes will help.
    """
    try:
        header = parse_header(data)
    except CutHeader as error:
        return json.dumps({"needs": error.needed_bytes})
    except BadConfig as error:
        return json.dumps({"error": f"{quoted(name)}: {error}"})
    return json.dumps({"digest": digest({name: header})[KEY]}, separators=(",", ":"))


def digest(headers: Mapping[str, Header]) -> dict[str, object]:
    """The digest of headers, by the names of their files."""
    return {KEY: {name: _of(header) for name, header in headers.items()}}


def _of(header: Header) -> dict[str, object]:
    return {
        "values": {key: value for key, value in header.values.items() if not key.startswith(_DROPPED)},
        "tensors": [[tensor.name, tensor.kind.name, *tensor.shape] for tensor in header.tensors],
        **({"notes": list(header.notes)} if header.notes else {}),
    }


def is_digest(config: object) -> bool:
    """Is a JSON value a digest of GGUF headers?"""
    return isinstance(config, Mapping) and isinstance(config.get(KEY), dict)


def headers_of(config: Mapping[str, object]) -> dict[str, Header]:
    """The headers of a digest; BadConfig names the file and what is wrong."""
    files = cast("Mapping[str, object]", config[KEY])
    if not 1 <= len(files) <= MOST_FILES:
        raise BadConfig(f"{KEY} must have from 1 to {MOST_FILES:,} files, not {len(files):,}")
    return {name: _header(f"{KEY}, {quoted(name)}", value) for name, value in files.items()}


def _header(where: str, value: object) -> Header:
    if not isinstance(value, dict) or not isinstance(value.get("values"), dict):
        raise BadConfig(f"{where}: values are missing")
    listed, notes = value.get("tensors"), value.get("notes", [])
    if not isinstance(listed, list) or len(listed) > MOST_TENSORS:
        raise BadConfig(f"{where}: tensors must be a list of at most {MOST_TENSORS:,}")
    if not isinstance(notes, list) or len(notes) > 1 or not all(isinstance(note, str) for note in notes):
        raise BadConfig(f"{where}: notes must be a list of one text")
    tensors = {tensor.name: tensor for tensor in (_tensor(where, entry) for entry in listed)}
    if len(tensors) != len(listed):
        raise BadConfig(f"{where}: two tensors have the same name")
    return Header(
        version=3,
        values={key: _value(f"{where}, {quoted(key)}", given) for key, given in value["values"].items()},
        lengths={},
        tensors=tuple(tensors.values()),
        notes=tuple(note[:LONGEST_TEXT] for note in notes),
    )


def _value(where: str, given: object) -> Scalar | tuple[Scalar, ...]:
    if isinstance(given, bool | int | float) or (isinstance(given, str) and len(given) <= LONGEST_TEXT):
        return given
    if isinstance(given, list) and all(isinstance(item, bool | int | float) for item in given):
        return tuple(given)
    raise BadConfig(f"{where} must be a number, a short text or a list of numbers, not {checks.shown(given)}")


def _tensor(where: str, entry: object) -> Tensor:
    if not isinstance(entry, list) or len(entry) < 2 or not isinstance(entry[0], str):
        raise BadConfig(f"{where}: a tensor is a list of its name, type and sizes, not {checks.shown(entry)}")
    name, kind, *shape = entry
    known = BY_NAME.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise BadConfig(f"{where}, {quoted(name)}: {checks.shown(kind)} is not a ggml type")
    if len(shape) > MOST_DIMENSIONS:
        raise BadConfig(f"{where}, {quoted(name)}: at most {MOST_DIMENSIONS} dimensions, not {len(shape)}")
    sizes = tuple(checks.count(size, f"{where}, {quoted(name)}", least=0) for size in shape)
    weights = math.prod(sizes)
    if weights > MOST_WEIGHTS or (sizes and sizes[0] % known.block_weights):
        raise BadConfig(f"{where}, {quoted(name)}: {known.name} has no tensor of {' × '.join(map(str, sizes))}")
    return Tensor(name=name, shape=sizes, kind=known, weights=weights)
