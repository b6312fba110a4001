"""A GGUF file on disk: read its header with a few growing reads, and those of the parts next to it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pysim.errors import BadConfig
from pysim.gguf.cursor import LARGEST_HEADER_BYTES
from pysim.gguf.header import CutHeader
from pysim.gguf.parse import parse_header
from pysim.gguf.parts import MOST_PARTS, joined

if TYPE_CHECKING:
    from pysim.gguf.header import Header

FIRST_READ_BYTES: Final = 1_000_000
_PART: Final = re.compile(r"(.*-)(\d{5})(-of-)(\d{5})(\.gguf)\Z", re.IGNORECASE | re.DOTALL)


def read_header(path: Path) -> Header:
    """The header of a file, joined with those of its other parts next to it where it is one of several."""
    return joined(read_headers(path))


def read_headers(path: Path) -> dict[str, Header]:
    """The header of a file by its name, with those of its other parts next to it where it is one of several.

    BadConfig names the file and what is wrong with it. At most 64 MB are read of each.
    """
    first = _read_one(path)
    parts = _PART.match(path.name)
    if parts is None or not 1 < int(parts[4]) <= MOST_PARTS:
        return {path.name: first}
    headers: dict[str, Header] = {}
    for number in range(1, int(parts[4]) + 1):
        other = path.with_name(f"{parts[1]}{number:05}{parts[3]}{parts[4]}{parts[5]}")
        if other.name == path.name:
            headers[path.name] = first
        elif other.is_file():
            headers[other.name] = _read_one(other)
    return headers


def _read_one(path: Path) -> Header:
    try:
        if not path.is_file() and path.exists():
            raise BadConfig("it is a folder, a device or a pipe, not a file")
        with path.open("rb") as file:
            size, wanted = path.stat().st_size, FIRST_READ_BYTES
            while True:
                file.seek(0)
                try:
                    header = parse_header(file.read(wanted))
                    break
                except CutHeader as error:
                    if wanted >= min(size, LARGEST_HEADER_BYTES):
                        raise
                    wanted = min(LARGEST_HEADER_BYTES, max(4 * wanted, error.needed_bytes))
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror or error}") from error
    except BadConfig as error:
        raise BadConfig(f"{path}: {error}") from error
    whole = header.data_start + max((tensor.offset + tensor.stored_bytes for tensor in header.tensors), default=0)
    if not header.notes and size < whole:
        header = replace(header, notes=(f"the file is cut off: it has {size:,} of {whole:,} bytes",))
    return header
