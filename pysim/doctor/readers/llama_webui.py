"""What does the statistics box of llama-server's web page say, pasted as text?"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, count, positive
from pysim.doctor.read.run import Reading, Run
from pysim.doctor.read.text import Text

TOOLS: Final = {"llama-server": "llama-server"}
_FIELD: Final = re.compile(rf"(?:\A|[-*• ])(Tokens|Time|Speed): ({NUMBER})(?: (ms|s|t/s))?\s*\Z")
_HEADS: Final = {"prompt": "prompt", "generation": "generation"}
_LINES: Final = 4


def read(text: Text) -> Reading:
    """One run per line under an answer."""
    if "Tokens: " not in text.plain or "Speed: " not in text.plain:
        return Reading(runs=())
    runs: list[Run] = []
    open_prompt: tuple[int, dict[str, float]] | None = None
    for index in text.places("Prompt", "Generation"):
        head = _HEADS.get(text.lines[index].text.strip(" *#:").lower().rpartition(" ")[2])
        if head is None:
            continue
        fields, last = _fields(text, index)
        if head == "prompt":
            open_prompt = (index, fields) if fields else None
        elif fields:
            near = open_prompt is not None and index - open_prompt[0] <= 2 * _LINES
            first, prompt = open_prompt if open_prompt is not None and near else (index, dict[str, float]())
            runs.append(
                Run(
                    tool="llama-server",
                    kind="request" if prompt else "generation",
                    line=text.lines[first].number,
                    last_line=text.lines[last].number,
                    label="web page",
                    engine="llama.cpp",
                    prompt_tokens=count(prompt.get("Tokens")),
                    output_tokens=count(fields.get("Tokens")),
                    sequences=1,
                    prefill_s=prompt.get("Time"),
                    decode_s=fields.get("Time"),
                    prefill_tokens_per_s=prompt.get("Speed"),
                    decode_tokens_per_s=fields.get("Speed"),
                )
            )
            open_prompt = None
    return Reading(runs=tuple(runs))


def _fields(text: Text, index: int) -> tuple[dict[str, float], int]:
    fields: dict[str, float] = {}
    last = index
    for at in range(index + 1, min(len(text.lines), index + 1 + _LINES)):
        match = _FIELD.search(text.lines[at].text)
        value = positive(match[2]) if match is not None else None
        if match is not None and value is not None and (match[3] or match[1] == "Tokens"):
            fields[match[1]] = value / 1e3 if match[3] == "ms" else value
            last = at
    return fields, last
