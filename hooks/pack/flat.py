"""How do many small files travel as one block that the browser slices without copying?

The block: length of the index (4 bytes, little endian), the index as JSON `[[name, size], ...]`,
then the files one after another. It is never compressed inside: it travels gzipped as a whole.
"""

import gzip
import json
import zlib
from collections.abc import Mapping


def flat(files: Mapping[str, bytes]) -> bytes:
    """Join files into one block, sorted by name so that the same files give the same bytes."""
    names = sorted(files)
    index = json.dumps([[name, len(files[name])] for name in names], separators=(",", ":")).encode()
    return b"".join([len(index).to_bytes(4, "little"), index, *(files[name] for name in names)])


def unflat(block: bytes) -> dict[str, bytes]:
    """The files of a block."""
    start = 4 + int.from_bytes(block[:4], "little")
    files: dict[str, bytes] = {}
    for name, size in json.loads(block[4:start]):
        files[name] = block[start : start + size]
        start += size
    return files


def gzipped(block: bytes) -> bytes:
    """Gzip without a time stamp: the same block gives the same bytes."""
    return gzip.compress(block, compresslevel=9, mtime=0)


def crc32(block: bytes) -> int:
    """The checksum that the browser computes again where gzip's own cannot be relied on."""
    return zlib.crc32(block)
