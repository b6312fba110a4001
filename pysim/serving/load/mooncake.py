"""Mooncake's traces: one JSON object a line, times in ms, and the names of the blocks that a prompt is made of.

`timestamp`, `input_length`, `output_length`, `hash_ids`: the same name means the same 512 tokens after the same
beginning (github.com/kvcache-ai/Mooncake, FAST25-release). Alibaba's traces have the same fields, with times in
seconds and blocks of 16 tokens (github.com/alibaba-edu/qwen-bailian-usagetraces-anon); `chat_id` tells them apart.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pysim.errors import BadValue, quoted
from pysim.serving.load.rows import Row, tokens_of

BLOCK_TOKENS: Final = 512
MOST_NAMES: Final = 100_000


def rows(path: Path) -> Iterator[Row]:
    """The rows of a file; raises BadValue naming the line and what is wrong, OSError where it can't be read."""
    with path.open(encoding="utf-8") as file:
        try:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _row(line, f"{path.name}, line {number}")
        except UnicodeDecodeError as error:
            raise BadValue(f"{path.name} is not UTF-8 text") from error


def _row(line: str, where: str) -> Row:
    try:
        given = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadValue(f"{where}: {quoted(line.strip(), 40)} is not a JSON object") from error
    if not isinstance(given, dict):
        raise BadValue(f"{where}: {quoted(line.strip(), 40)} is not a JSON object")
    time = given.get("timestamp")
    if isinstance(time, bool) or not isinstance(time, int | float) or not math.isfinite(time) or time < 0:
        raise BadValue(f"{where}: timestamp {quoted(str(time), 30)} is not a number from 0 up")
    names = given.get("hash_ids", [])
    if not isinstance(names, list) or not all(isinstance(name, int) and not isinstance(name, bool) for name in names):
        raise BadValue(f"{where}: hash_ids is not a list of whole numbers")
    if len(names) > MOST_NAMES:
        raise BadValue(f"{where}: hash_ids has more than {MOST_NAMES:,} names")
    other = "chat_id" in given
    session = given.get("chat_id")
    return Row(
        arrive_s=float(time) * (1.0 if other else 1e-3),
        prompt_tokens=tokens_of(given.get("input_length"), "input_length", where),
        output_tokens=tokens_of(given.get("output_length"), "output_length", where),
        beginning=tuple(names),
        piece_tokens=16 if other else BLOCK_TOKENS,
        session=None if session is None else str(session),
    )
