"""Is a number whole, or did the text break off in it?"""

from __future__ import annotations

from pysim.doctor.text import Text


def is_whole(text: Text, at: int, end: int, shown: str, *, decimals: int | None = None) -> bool:
    """False for a number that ends where the whole text ends, at column `end` of line `at`, and so may lack digits.

    `decimals`: how many the tool always prints; a number that has them all is whole wherever it stands.
    """
    if at < len(text.lines) - 1 or end < len(text.lines[at].text):
        return True
    return decimals is not None and len(shown.partition(".")[2]) == decimals
