"""Identity of inputs: a hash that changes whenever a part of the pack has to be made again."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

# What decides how a part looks: after an edit to one of these everything is made anew.
MAKERS = ("archive.py", "parts.py", "pyodide/in_pyodide.py", "pyodide/module_finder.py")


@cache
def _makers() -> bytes:
    here = Path(__file__).parent
    return b"".join((here / name).read_bytes() for name in MAKERS)


def identity(*pieces: object) -> str:
    """A short hash of what something is made from, and by."""
    digest = hashlib.sha256(_makers())
    for piece in pieces:
        content = piece if isinstance(piece, bytes) else str(piece).encode()
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:20]


def files_identity(files: Mapping[str, bytes], *more: object) -> str:
    """The identity of named files."""
    return identity(*more, *(piece for name in sorted(files) for piece in (name, files[name])))
