"""Word borders: where one word of a text ends and the next begins, so that no token reaches across.

What kind of character a character is stands here and is never asked of Python: its Unicode tables
differ between versions, and a demo must cut a text the same way natively and in the browser.
"""

import re
from bisect import bisect

LONGEST_WORD = 32  # letters: 20,000 equal letters must cost no more than 20,000 letters of prose

# Beyond ASCII: code points, in hexadecimal, and the ASCII character that they are treated like.
# All others are letters. A DEL stands for an emoji, which is a word of its own.
_STAND_INS = {
    "!": """
        80-84 86-9f a1-a9 ab-b4 b6-b9 bb-bf d7 f7 2c2-2c5 2d2-2df 37e 387 589 5be 5c0 5c3 5f3-5f4
        600-60f 61b-61f 66a-66d 6d4 964-965 200b 200d-2018 201a-2027 202a-202e 2030-205e 2060-2070
        2074-2bff 2e00-2e7f 3001-3004 3008-3020 3030 303d 30fb d800-f8ff fe00-fe6f feff ff01-ff0f
        ff1a-ff20 ff3b-ff40 ff5b-ff65 ffe0-ffff e0000-10ffff""",
    " ": "a0 1680 2000-200a 202f 205f 3000",
    "\n": "85 2028-2029",
    "'": "2019",
    "\x7f": "1f000-1faff",
}

# A word keeps the space before it, in a text whose every character is ASCII.
_WORD = re.compile(
    r"'(?:[sdmtSDMT]|ll|LL|re|RE|ve|VE)(?![A-Za-z])"
    rf"| ?[A-Za-z]{{1,{LONGEST_WORD}}}"
    r"| ?[0-9]{1,3}"
    r"| ?[\x00-\x08\x0e-\x1f!-/:-@\[-`{-~]{1,8}"
    r"| ?\x7f"
    r"|[\n\r]{1,16}"
    r"|[ \t\x0b\x0c]{1,16}(?=[ \t\x0b\x0c\n\r]|\Z)"
    r"|[ \t\x0b\x0c]"
)


def words(text: str) -> list[str]:
    """The text cut into words; joined they are the text again."""
    if text.isascii():
        return _WORD.findall(text)
    shape = text.translate(_SHAPES)
    return [text[word.start() : word.end()] for word in _WORD.finditer(shape)]


class _Shapes(dict[int, str]):
    """The ASCII character that any character is treated like."""

    def __init__(self) -> None:
        super().__init__((code, chr(code)) for code in range(128))
        ranges = [(characters, stand_in) for stand_in, listed in _STAND_INS.items() for characters in listed.split()]
        self._starts = [128]
        self._stand_ins = ["a"]
        for first, last, stand_in in sorted((*_ends(characters), stand_in) for characters, stand_in in ranges):
            self._starts += [first, last + 1]
            self._stand_ins += [stand_in, "a"]

    def __missing__(self, code: int) -> str:
        return self._stand_ins[bisect(self._starts, code) - 1]


def _ends(code_points: str) -> tuple[int, int]:
    first, _, last = code_points.partition("-")
    return int(first, 16), int(last or first, 16)


_SHAPES = _Shapes()
