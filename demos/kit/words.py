"""Where does one word of a text end and the next begin? Tokens never reach across such a border.

Classes of characters are spelled out here and never asked of Python: its Unicode tables differ
between versions, and a demo must cut a text the same way natively and in the browser.
"""

import re

_SPACES = r" \t\x0b\x0c\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_NEWLINES = r"\n\r\x85\u2028\u2029"
_DIGITS = "0-9"
_ASCII_MARKS = r"\x00-\x08\x0e-\x1f!-/:-@\[-`{-\x7f"
_OTHER_MARKS = (
    r"\x80-\x84\x86-\x9f\xa1-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\xd7\xf7"  # Latin-1 signs
    r"\u02c2-\u02c5\u02d2-\u02df\u037e\u0387\u0589\u05be\u05c0\u05c3\u05f3\u05f4"
    r"\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965"  # Arabic and Indic marks
    r"\u200b\u200d-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2070\u2074-\u2bff"  # signs, arrows
    r"\u2e00-\u2e7f\u3001-\u3004\u3008-\u3020\u3030\u303d\u30fb"  # East Asian punctuation
    r"\ud800-\uf8ff\ufe00-\ufe6f\ufeff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    r"\uffe0-\uffff\U000e0000-\U0010ffff"  # tags, private use
)
_EMOJI = r"\U0001f000-\U0001faff"
_MARKS = _ASCII_MARKS + _OTHER_MARKS
_LETTER = f"[^{_SPACES}{_NEWLINES}{_DIGITS}{_MARKS}{_EMOJI}]"  # what is in none of the other classes

# A word keeps the space before it. The longest has 32 letters, so that 20,000 equal letters
# cost no more to cut into tokens than 20,000 letters of prose.
_WORD = re.compile(
    rf"['\u2019](?:[sdmtSDMT]|ll|LL|re|RE|ve|VE)(?!{_LETTER})"
    rf"| ?{_LETTER}{{1,32}}"
    rf"| ?[{_DIGITS}]{{1,3}}"
    rf"| ?[{_MARKS}]{{1,8}}"
    rf"| ?[{_EMOJI}]"
    rf"|[{_NEWLINES}]{{1,16}}"
    rf"|[{_SPACES}]{{1,16}}(?=[{_SPACES}{_NEWLINES}]|\Z)"
    rf"|[{_SPACES}]"
)


def words(text: str) -> list[str]:
    """The text cut into words; joined they are the text again."""
    return _WORD.findall(text)
