"""What does the line under an answer of llama-cli say: "[ Prompt: 210.5 t/s | Generation: 31.2 t/s ]"?"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.numbers import NUMBER, positive
from pysim.doctor.read.run import Reading, Run
from pysim.doctor.read.text import Text

TOOLS: Final = {"llama.cpp": "llama.cpp"}
_SPEEDS: Final = re.compile(rf"Prompt: {{1,4}}({NUMBER}) t/s \| Generation: {{1,4}}({NUMBER}) t/s")


def read(text: Text) -> Reading:
    """One run per line with both speeds."""
    places = text.places("t/s | Generation:")
    if not places:
        return Reading(runs=())
    setups = Setups(text)
    runs = []
    for index in places:
        match = _SPEEDS.search(text.lines[index].text)
        if match is not None:
            number = text.lines[index].number
            run = Run(
                tool="llama.cpp",
                kind="request",
                line=number,
                last_line=number,
                engine=setups.engine_at(index),
                setup=setups.at(index),
                sequences=1,
                prefill_tokens_per_s=positive(match[1]),
                decode_tokens_per_s=positive(match[2]),
            )
            runs.append(run)
    return Reading(runs=tuple(runs))
