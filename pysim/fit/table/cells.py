"""The cells of a row: numbers, names and words as people write them, or why one cannot be read."""

from __future__ import annotations

import math
import re
from typing import Final

from pysim.errors import BadValue, quoted

LARGEST: Final = 1e9  # tokens per second, milliseconds, seconds
LONGEST: Final = 10**8  # tokens
_YES: Final = frozenset({"1", "yes", "y", "true", "on", "x"})
_NO: Final = frozenset({"", "0", "no", "n", "false", "off"})
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?", re.IGNORECASE | re.ASCII)
_TENSOR: Final = re.compile(r"(tp|tensor)[\s_-]*(parallel\w*|split)?[\s=_-]*(\d*)")
_LAYERS: Final = re.compile(r"(pp|pipeline|layers?)[\s_-]*(parallel\w*|split)?[\s=_-]*(\d*)")
# How a source says that its decode speed is answer tokens by the time of the whole run, prompt and all ...
_COUNTS_PROMPT: Final = re.compile(
    r"\b(prefill|prompt)( processing)?( time)? (is )?included\b|\binclud(es?|ing) (the )?(prefill|prompt)\b"
    r"|\bby (the )?(whole|total) time\b|\bwhole run\b|\Awhole\b"
)
# ... and how it says that it is not.
_LEAVES_PROMPT_OUT: Final = re.compile(r"\b(not|without|exclud\w+|no) (includ\w+ )?(the )?(prefill|prompt)\b")
_SEPARATE: Final = re.compile(r"\bllama-bench\b|\bseparate tests\b|\btg ?\d+\b")


def number(row: dict[str, str], column: str) -> float | None:
    """A cell's number above 0; None for an empty one. BadValue says what it is instead."""
    text = row[column]
    if not text:
        return None
    value = _value(text)
    if value is None:
        comma = " (a decimal point, and no separators of thousands)" if "," in text else ""
        raise BadValue(f"{column} {quoted(text, 30)} is not a number{comma}")
    if not 0 < value <= LARGEST:
        raise BadValue(f"{column} {quoted(text, 30)} is not above 0 and up to {LARGEST:g}")
    return value


def whole(row: dict[str, str], column: str, *, least: int = 0, most: int = LONGEST) -> int | None:
    """A cell's whole number from `least` to `most`; None for an empty one. BadValue says what it is instead."""
    text = row[column]
    if not text:
        return None
    value = _value(text)
    if value is None or value != math.floor(value) or not least <= value <= most:
        raise BadValue(f"{column} {quoted(text, 30)} is not a whole number from {least} to {most:,}")
    return int(value)


def _value(text: str) -> float | None:
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def yes(row: dict[str, str], column: str) -> bool:
    """Does a cell say yes? BadValue where it says neither yes nor no."""
    word = row[column].lower()
    if word not in _YES | _NO:
        raise BadValue(f"{column} {quoted(word, 30)} is neither yes nor no")
    return word in _YES


def split(row: dict[str, str], n_devices: int) -> str:
    """How several devices share the model, "layers" or "tensor"; BadValue where the row does not say it."""
    text = row["parallelism"].lower()
    if n_devices == 1:
        return "tensor"
    for kind, form in (("tensor", _TENSOR), ("layers", _LAYERS)):
        if match := form.fullmatch(text):
            if match[3] and int(match[3]) != n_devices:
                raise BadValue(f"parallelism {quoted(text, 30)} does not match {n_devices} devices")
            return kind
    if not text:
        raise BadValue(f"split unknown: {n_devices} devices, and parallelism is empty (TP, layer split)")
    raise BadValue(f"split unknown: parallelism {quoted(text, 30)} is neither TP nor layer split")


def counts_prompt(row: dict[str, str]) -> bool:
    """Is the decode speed that of the whole run? A separate column says so, or the remark on the metric."""
    if row["decode_includes_prefill"]:
        return yes(row, "decode_includes_prefill")
    note = row["metric_note"].lower()
    return bool(_COUNTS_PROMPT.search(note)) and not _LEAVES_PROMPT_OUT.search(note)


def decodes_from_empty(row: dict[str, str]) -> bool:
    """Is decode a separate test, from an empty cache, as llama-bench's tg128 is?"""
    return bool(_SEPARATE.search(row["metric_note"].lower()))
