r"""The file of the vocabulary: learned pieces, one a line, in the order learned.

A space is written `_`. What would not be text on a line of its own is written as bytes in
hexadecimal: `\x0a` is a line break, `\xe2\x80` the beginning of a character.
"""

import re
from collections.abc import Iterable
from pathlib import Path

VOCABULARY = Path(__file__).with_name("vocabulary.txt")

_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")
_SPECIAL = re.compile(rb"[\\_\t\n\r]")
_ANY = re.compile(rb".", re.DOTALL)


def read_pieces(path: Path = VOCABULARY) -> list[bytes]:
    """The pieces of a vocabulary file."""
    lines = path.read_bytes().replace(b"_", b" ").splitlines()
    return [_ESCAPE.sub(_byte, line) if b"\\" in line else line for line in lines]


def write_pieces(pieces: Iterable[bytes], path: Path = VOCABULARY) -> None:
    """Write the file that `read_pieces` reads."""
    path.write_bytes(b"".join([_line(piece) for piece in pieces]))


def _line(piece: bytes) -> bytes:
    is_text = piece.decode(errors="ignore").encode() == piece
    return (_SPECIAL if is_text else _ANY).sub(_escaped, piece).replace(b" ", b"_") + b"\n"


def _byte(escape: re.Match[bytes]) -> bytes:
    return bytes([int(escape[1], 16)])


def _escaped(byte: re.Match[bytes]) -> bytes:
    return b"\\x%02x" % ord(byte[0])
