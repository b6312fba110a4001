"""A cursor over the first bytes of a file, which knows when they end and how long the whole file can be."""

from __future__ import annotations

import struct
from typing import Final

from pysim.errors import BadConfig
from pysim.gguf.header import CutHeader

# A tokenizer of 262,144 tokens with half a million merges makes 15 MB; nothing known comes near this.
LARGEST_HEADER_BYTES: Final = 64_000_000
MOST_TEXTS: Final = 4_000_000
_NUMBERS: Final = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "f32": "f", "bool": "?",
                   "u64": "Q", "i64": "q", "f64": "d"}  # fmt: skip
SIZES: Final = {name: struct.calcsize("<" + code) for name, code in _NUMBERS.items()}


class Cursor:
    """Reads numbers and texts one after the other; `place` says what is being read, for messages."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.place = "its first bytes"
        self.order("<")

    def order(self, mark: str) -> None:
        """Read numbers in this byte order from now on."""
        self._forms = {name: struct.Struct(mark + code) for name, code in _NUMBERS.items()}
        self._length = self._forms["u64"]

    def pass_over(self, size: int) -> int:
        """The place of the next `size` bytes, which the cursor leaves behind."""
        start, end = self.at, self.at + size
        if end > len(self.data):
            self.ends(end)
        self.at = end
        return start

    def ends(self, needed: int) -> None:
        """Say that the bytes end before byte `needed`, or that no header is so long."""
        if needed > LARGEST_HEADER_BYTES:
            raise BadConfig(
                f"{self.place} would need {_count(needed)} bytes; no header is longer than {LARGEST_HEADER_BYTES:,}"
            )
        raise CutHeader(
            f"it ends within its header, after {len(self.data):,} bytes, in {self.place}: "
            f"at least {needed:,} are needed",
            needed,
        )

    def number(self, kind: str) -> int | float | bool:
        """One number of a kind such as "u32"."""
        form = self._forms[kind]
        value: int | float | bool = form.unpack_from(self.data, self.pass_over(form.size))[0]
        return value

    def whole(self, kind: str) -> int:
        """One number without a sign."""
        return int(self.number(kind))

    def numbers(self, kind: str, count: int) -> tuple[int | float | bool, ...]:
        """Several numbers of a kind."""
        start = self.pass_over(SIZES[kind] * count)
        form = self._forms[kind].format
        return struct.unpack_from(f"{form[0]}{count}{form[1:]}", self.data, start)

    def text(self, longest: int) -> bytes:
        """A text with its length before it; BadConfig where it is longer than `longest` bytes."""
        size = self.whole("u64")
        if size > longest:
            raise BadConfig(f"{self.place} is a text of {_count(size)} bytes; at most {longest:,} are allowed")
        start = self.pass_over(size)
        return self.data[start : start + size]

    def pass_texts(self, count: int) -> None:
        """Leave `count` texts behind without making anything of them."""
        data, at, end, unpack = self.data, self.at, len(self.data), self._length.unpack_from
        if count > MOST_TEXTS:
            raise BadConfig(f"{self.place} claims {_count(count)} texts; at most {MOST_TEXTS:,} are accepted")
        for left in range(count, 0, -1):
            if at + 8 * left > end:
                self.ends(at + 8 * left)
            at += 8 + unpack(data, at)[0]
        if at > end:
            self.ends(at)
        self.at = at


def _count(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"2^{number.bit_length() - 1} or more"
