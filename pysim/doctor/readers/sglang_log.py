"""What do the lines say that a running SGLang server logs about its batches?

`Decode batch. #running-req: 18, #token: 16384, token usage: 0.71, …, gen throughput (token/s): 2520.18, #queue-req: 3`
and `Prefill batch. #new-seq: 1, #new-token: 115, #cached-token: 351, …`: python/sglang/srt/managers, all versions.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.text import Text

TOOL: Final = "sglang log"
TOOLS: Final = {TOOL: "SGLang"}
_LINES: Final = 6
# Looked for in the line with all spaces taken out, so that a terminal's line breaks do no harm.
_FIELDS: Final = {
    "running": re.compile(r"#running-req:(\d{1,9})"),
    "waiting": re.compile(r"#queue-req:(\d{1,9})"),
    "tokens": re.compile(r"#(?:full)?token:(\d{1,12})"),
    "usage": re.compile(rf"(?:token|full)usage:({NUMBER})"),
    "generation": re.compile(rf"genthroughput\(token/s\):({NUMBER}),"),
    "reading": re.compile(r"inputthroughput\(token/s\):(\d{1,9}\.\d\d)"),
    "new": re.compile(r"#new-token:(\d{1,12})"),
    "cached": re.compile(r"#cached-token:(\d{1,12})"),
    "accepted": re.compile(rf"acceptlen:({NUMBER})"),
}
_MODEL: Final = re.compile(r"\bmodel_path='([^']{1,200})'")
_OPTIONS: Final = {
    "devices": re.compile(r"\btp_size=(\d{1,4})\b"),
    "weights": re.compile(r"\bquantization='([\w-]{1,40})'"),
    "cache": re.compile(r"\bkv_cache_dtype='([\w-]{1,40})'"),
    "chunk": re.compile(r"\bchunked_prefill_size=(\d{1,9})\b"),
    "context": re.compile(r"\bcontext_length=(\d{1,9})\b"),
}


def read(text: Text) -> Reading:
    """One run of kind "window" per line of a decode batch, and per prefill batch that says how fast it was."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    setup = Setup()
    for at in text.places("Decode batch", "Prefill batch", "server_args=ServerArgs("):
        line, content = text.lines[at]
        if "ServerArgs(" in content:
            setup = _setup(content)
            continue
        decoding = "Decode batch" in content
        values = _values(text, at, "Decode batch" if decoding else "Prefill batch")
        if decoding and values.get("generation") is None:
            gaps.append(Gap(line=line, message="the log line is cut off: the generation throughput is missing"))
        elif decoding and values.get("running") != 0:
            runs.append(_decode(line, values, setup))
        elif not decoding and values.get("reading"):
            runs.append(_prefill(line, values, setup))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _values(text: Text, at: int, start: str) -> dict[str, float | None]:
    content = text.lines[at].text
    content = content[content.find(start) :]
    if "#queue-req" not in content:
        more = text.joined(at + 1, _LINES)
        ends = [place for mark in ("Decode batch", "Prefill batch", "[20") if (place := more.find(mark)) >= 0]
        content += more[: min(ends)] if ends else more
    content = "".join(content[:1500].split())
    matches = {name: pattern.search(content) for name, pattern in _FIELDS.items()}
    return {name: number(match[1]) for name, match in matches.items() if match is not None}


def _decode(line: int, values: dict[str, float | None], setup: Setup) -> Run:
    running, generation, tokens = values.get("running"), values.get("generation"), values.get("tokens")
    accepted = values.get("accepted")
    doubts: tuple[str, ...] = ()
    if accepted is not None and accepted > 1:
        doubts = (f"speculative decoding: {accepted:.3g} tokens per pass are accepted, so a pass is not one token",)
    return Run(
        tool=TOOL,
        kind="window",
        line=line,
        last_line=line,
        engine="sglang",
        setup=setup,
        depth_tokens=tokens / running if tokens and running else None,
        sequences=running,
        running=running,
        waiting=values.get("waiting"),
        decode_tokens_per_s=generation / running if generation is not None and running else None,
        decode_total_tokens_per_s=generation,
        kv_cache_used_share=values.get("usage"),
        doubts=doubts,
    )


def _prefill(line: int, values: dict[str, float | None], setup: Setup) -> Run:
    new, cached = values.get("new"), values.get("cached")
    return Run(
        tool=TOOL,
        kind="window",
        line=line,
        last_line=line,
        engine="sglang",
        setup=setup,
        prompt_tokens=None if new is None else new + (cached or 0.0),
        cached_tokens=cached,
        running=values.get("running"),
        waiting=values.get("waiting"),
        total_prefill_tokens_per_s=values.get("reading"),
        kv_cache_used_share=values.get("usage"),
        prefix_hit_share=cached / (cached + new) if cached is not None and new else None,
        doubts=("the input throughput spans from one batch to the next, including the time in between",),
    )


def _setup(content: str) -> Setup:
    model = _MODEL.search(content)
    options = {name: match[1] for name, pattern in _OPTIONS.items() if (match := pattern.search(content)) is not None}
    cache = options.get("cache")
    cache = None if cache in (None, "auto") else cache
    return Setup(
        model=model[1] if model is not None else None,
        weights=options.get("weights"),
        kv_keys=cache,
        kv_values=cache,
        n_devices=_whole(options.get("devices")),
        batch_tokens=_whole(options.get("chunk")),
        context_tokens=_whole(options.get("context")),
    )


def _whole(shown: str | None) -> int | None:
    return None if shown is None else int(shown)
