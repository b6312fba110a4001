"""What do MLC-LLM and WebLLM say after an answer?

`prefill: 186.2 tok/s, decode: 25.3 tok/s`: MLC-LLM's `/stats`; WebLLM prints `prefill: 20.1 tokens/sec, decoding: 12.3
tokens/sec`; a benchmark of MLC-LLM's `…-q4f16_ft/params: input=16 output=128 prefill_time 0.1 sec, prefill_rate 160
tokens/sec, decode_time 6.4 sec, decode_rate 20 tokens/sec`.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.llama_cpp.command import base_name
from pysim.doctor.read.numbers import NUMBER, number, positive
from pysim.doctor.read.run import Reading, Run, Setup
from pysim.doctor.read.text import Text

MLC: Final = "mlc-llm"
WEB: Final = "web-llm"
TOOLS: Final = {MLC: "MLC LLM", WEB: "WebLLM"}
_LINE: Final = re.compile(
    rf"\bprefill: ({NUMBER}) (?:tok/s|tokens/sec), {{0,3}}(decode|decoding): ({NUMBER}) (?:tok/s|tokens/sec)",
    re.IGNORECASE,
)
_FIELD: Final = re.compile(
    rf"\b(input|output|prefill_time|prefill_rate|decode_time|decode_rate)(?:=| {{1,4}})({NUMBER})(?= |,|\Z)"
)
_PATH: Final = re.compile(r"(\S{2,200}?)(?:/params)?: ")
_FORMAT: Final = re.compile(r"[-_](q[348]f(?:16|32))_\w{1,4}\Z")


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
    for at in text.places("decode_rate"):
        run = _benchmark(*text.lines[at])
        runs += [] if run is None else [run]
    return Reading(runs=tuple(runs), lines=len(text.lines))


def _benchmark(line: int, content: str) -> Run | None:
    fields = {match[1]: positive(match[2]) for match in _FIELD.finditer(content[:2000])}
    if not fields.get("decode_rate"):
        return None
    path = _PATH.match(content.lstrip())
    model = None if path is None else base_name(path[1])
    stored = _FORMAT.search(model or "")
    return Run(
        tool=MLC,
        kind="request" if fields.get("prefill_rate") else "generation",
        line=line,
        last_line=line,
        label="benchmark",
        engine="mlc-llm",
        # The ending only says how the bits are arranged.
        setup=Setup(model=model, weights=None if stored is None else f"{stored[1]}_1"),
        prompt_tokens=fields.get("input"),
        output_tokens=fields.get("output"),
        sequences=1,
        prefill_s=fields.get("prefill_time"),
        prefill_tokens_per_s=fields.get("prefill_rate"),
        decode_s=fields.get("decode_time"),
        decode_tokens_per_s=fields["decode_rate"],
    )
