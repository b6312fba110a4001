"""How do bytes get into a page opened from a folder, where nothing but a classic script loads?

As the text of a script in UTF-16. A code unit holds 15 bits in the 32,768 values from U+5000 on,
which contain no surrogate, quote, backslash or line end. A 16-bit word of the data becomes one unit
with its low 15 bits; the top bits of 15 words share one further unit, behind all the others.
"""

import codecs
import json

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
