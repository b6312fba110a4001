"""What do the counters of llama-server's /metrics say?"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, count, positive
from pysim.doctor.read.run import Reading, Run
from pysim.doctor.read.text import Text

TOOLS: Final = {"llama-server": "llama-server"}
_METRIC: Final = re.compile(rf"\bllamacpp:(\w{{4,40}})(?:\{{[^{{}}]{{0,200}}\}})? ({NUMBER})(?!\S)")
_SINCE_START: Final = "counted since the server started: an average over requests that may have been very different"


def read(text: Text) -> Reading:
    """One run per scrape of a server's counters."""
    runs: list[Run] = []
    values: dict[str, str] = {}
    first = last = 0
    for index in text.places("llamacpp:"):
        match = _METRIC.search(text.lines[index].text)
        if match is None:
            continue
        if match[1] in values:
            runs += _run(text, values, first, last)
            values = {}
        first, last = (first if values else index), index
        values[match[1]] = match[2]
    return Reading(runs=tuple(runs + _run(text, values, first, last)))


def _run(text: Text, values: dict[str, str], first: int, last: int) -> list[Run]:
    def of(name: str) -> float | None:
        return positive(values.get(name, ""))

    read, wrote = of("prompt_tokens_total"), of("tokens_predicted_total")
    read_s, wrote_s = of("prompt_seconds_total"), of("tokens_predicted_seconds_total")
    prefill = read / read_s if read and read_s else of("prompt_tokens_seconds")
    decode = wrote / wrote_s if wrote and wrote_s else of("predicted_tokens_seconds")
    if prefill is None and decode is None:
        return []
    used = values.get("kv_cache_usage_ratio")
    share = 0.0 if used == "0" else positive(used or "")
    return [
        Run(
            tool="llama-server",
            kind="window",
            line=text.lines[first].number,
            last_line=text.lines[last].number,
            label="/metrics",
            engine="llama.cpp",
            prefill_s=read_s,
            decode_s=wrote_s,
            prefill_tokens_per_s=prefill,
            decode_tokens_per_s=decode,
            running=count(values.get("requests_processing", "")),
            waiting=count(values.get("requests_deferred", "")),
            kv_cache_used_share=share,
            doubts=(_SINCE_START,) if read_s or wrote_s else (),
        )
    ]
