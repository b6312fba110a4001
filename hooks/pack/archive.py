"""Archive formats of the pack: many small files as one block that the browser slices without copying.

The block: length of the index (4 bytes, little endian), the index as JSON `[[name, size], ...]`,
then the files one after another. It is never compressed inside: it travels gzipped as a whole.
"""

import codecs
import gzip
import json
import marshal
import zlib
from collections.abc import Mapping

from hooks.pack.errors import PackError


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


MARSHAL_VERSION = 4
HEADER_BYTES = 16


def module_block(compiled: Mapping[str, bytes], above: str) -> bytes:
    """Modules by their name; `compiled` has .pyc files by path, which stand for files in the folder `above`."""
    modules: dict[str, tuple[bool, str, bytes]] = {}
    for path in sorted(compiled):
        name = path.removesuffix(".pyc").replace("/", ".")
        is_package = name.endswith(".__init__")
        modules[name.removesuffix(".__init__")] = (is_package, f"{above}/{path}", compiled[path][HEADER_BYTES:])
    return marshal.dumps(modules, MARSHAL_VERSION)


_EXPORT = "export default _createPyodideModule;"
_GLOBAL = "self._createPyodideModule = _createPyodideModule;"
_META = "import.meta.url"


def classic(source: str, name: str) -> str:
    """The module as a classic script, or a PackError if it isn't built the way we know.

    `import.meta.url` becomes an address that nobody answers: nothing may be looked for next to it.
    """
    exports = source.count(_EXPORT)
    if exports != 1:
        raise PackError(f"{name}: found {exports} times {_EXPORT!r}, expected once; this Pyodide is built differently")
    script = source.replace(_EXPORT, _GLOBAL).replace(_META, '"pyodide://module"')
    for left in ("import.meta", "export default", "export {", "export{"):
        if left in script:
            raise PackError(f"{name}: {left!r} is left after the change to a classic script")
    return script


FIRST_UNIT = 0x5000
_TOP_GONE = bytes((value & 0x7F) + (FIRST_UNIT >> 8) for value in range(256))
_TOP_ONLY = bytes(ord("1") if value & 0x80 else ord("0") for value in range(256))


def packed(data: bytes) -> bytes:
    """The data as UTF-16LE text; an odd last byte is paired with a zero."""
    even = data + b"\0" if len(data) % 2 else data
    words = bytearray(even)
    words[1::2] = even[1::2].translate(_TOP_GONE)
    tops = even[1::2].translate(_TOP_ONLY)
    groups = (tops[start : start + 15][::-1] for start in range(0, len(tops), 15))
    units = ((FIRST_UNIT + int(group, 2)).to_bytes(2, "little") for group in groups)
    return bytes(words) + b"".join(units)


def payload_script(name: str, data: bytes) -> bytes:
    """A classic script that hands one named payload to the page."""
    head = f"TwoSpeeds.payload.add({json.dumps(name)},{len(data)},".encode("utf-16-le")
    quote = '"'.encode("utf-16-le")
    return codecs.BOM_UTF16_LE + head + quote + packed(data) + quote + ");\n".encode("utf-16-le")
