"""What do MLC-LLM and WebLLM say after an answer?

`prefill: 186.2 tok/s, decode: 25.3 tok/s`: MLC-LLM's `/stats`; WebLLM prints `prefill: 20.1 tokens/sec, decoding: 12.3
tokens/sec`.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Reading, Run
from pysim.doctor.read.text import Text

MLC: Final = "mlc-llm"
WEB: Final = "web-llm"
TOOLS: Final = {MLC: "MLC LLM", WEB: "WebLLM"}
_LINE: Final = re.compile(
    rf"\bprefill: ({NUMBER}) (?:tok/s|tokens/sec), {{0,3}}(decode|decoding): ({NUMBER}) (?:tok/s|tokens/sec)",
    re.IGNORECASE,
)


def read(text: Text) -> Reading:
    """One run per line."""
    runs = []
    for at in text.places("prefill: ", "Prefill: "):
        line, content = text.lines[at]
        match = _LINE.search(content)
        if match is not None:
            tool = MLC if match[2].lower() == "decode" else WEB
            runs.append(
                Run(
                    tool=tool,
                    kind="request",
                    line=line,
                    last_line=line,
                    engine="mlc-llm",
                    sequences=1,
                    prefill_tokens_per_s=number(match[1]),
                    decode_tokens_per_s=number(match[3]),
                )
            )
    return Reading(runs=tuple(runs), lines=len(text.lines))
