"""What do the lines say that a running vLLM server logs every ten seconds, and its start?

`Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 238.7 tokens/s, Running: 10 reqs, …`:
vllm/v1/metrics/loggers.py; before 0.8 with `Swapped` and `Pending` and the GPU's and the CPU's cache.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number, size_bytes
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.text import Text

TOOL: Final = "vllm log"
TOOLS: Final = {TOOL: "vLLM"}
_START: Final = "Avg prompt"
_LINES: Final = 6

# Looked for in the line with all spaces taken out, so that a terminal's line breaks do no harm.
_FIELDS: Final = {
    "prompt": re.compile(rf"Avgpromptthroughput:({NUMBER})tokens/s"),
    "generation": re.compile(rf"Avggenerationthroughput:({NUMBER})tokens/s"),
    "running": re.compile(r"Running:(\d{1,9})reqs"),
    "waiting": re.compile(r"(?:Waiting|Pending):(\d{1,9})reqs"),
    "cache": re.compile(rf"KVcacheusage:({NUMBER})%"),
    "hits": re.compile(rf"[^l]Prefixcachehitrate:(?:GPU:)?({NUMBER})%"),
}
_SETUP: Final = (
    "Initializing a", "Initializing an LLM engine", "Model loading took", "Loading model weights took",
    "# GPU blocks", "GPU KV cache size",
)  # fmt: skip
_MODEL: Final = re.compile(r"\bmodel='([^']{1,200})'")
_OPTIONS: Final = {
    name: re.compile(rf"\b{name}=([\w.]{{1,40}})")
    for name in (
        "dtype",
        "max_seq_len",
        "tensor_parallel_size",
        "pipeline_parallel_size",
        "quantization",
        "kv_cache_dtype",
    )
}
_VERSION: Final = re.compile(r"LLM engine \(v?([\w.+-]{1,60})\)")
_LOADED: Final = re.compile(rf"(?:Model loading|Loading model weights) took ({NUMBER} ?Gi?B)")


def read(text: Text) -> Reading:
    """One run of kind "window" per line; windows in which nothing happened are only counted."""
    places = text.places(_START)
    if not places:
        return Reading(runs=())
    setups = _setups(text)
    runs: list[Run] = []
    gaps: list[Gap] = []
    idle: list[int] = []
    for at, content in _records(text, places):
        while len(setups) > 1 and setups[1][0] < at:
            setups.pop(0)
        line = text.lines[at].number
        values = _values(text, at, content)
        if values.get("generation") is None:
            gaps.append(Gap(line=line, message="the log line is cut off: the generation throughput is missing"))
        if not values or values.get("prompt") is None:
            continue
        if not any(values.get(name) for name in ("prompt", "generation", "running", "waiting")):
            idle.append(line)
            continue
        runs.append(_run(line, values, setups[0][1] if setups and setups[0][0] < at else Setup()))
    if idle:
        counted = f"{len(idle)} windows in which" if len(idle) > 1 else "a window in which"
        gaps.append(Gap(line=idle[0], message=f"{counted} the server had nothing to do"))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _records(text: Text, places: list[int]) -> Iterator[tuple[int, str]]:
    """Each record from its first word on, and the index of its line, which may hold several."""
    for at in places:
        for content in text.lines[at].text.split(_START)[1:]:
            yield at, _START + content


def _values(text: Text, at: int, content: str) -> dict[str, float | None]:
    is_last = text.lines[at].text.endswith(content)
    if is_last and ("Prefix cache hit rate:" not in content or not content.rstrip(" .").endswith("%")):
        more = text.joined(at + 1, _LINES)
        content += more[: more.find(_START)] if _START in more else more
    content = re.sub(r"\s+", "", content[:1200])
    matches = {name: pattern.search(content) for name, pattern in _FIELDS.items()}
    return {name: number(match[1]) for name, match in matches.items() if match is not None}


def _run(line: int, values: dict[str, float | None], setup: Setup) -> Run:
    running, generation, prompt = values.get("running"), values.get("generation"), values.get("prompt")
    cache, hits = values.get("cache"), values.get("hits")
    doubts = []
    if running == 0:
        doubts.append(
            "nothing was running when this window ended: it includes idle time, so its averages are not speeds"
        )
    if prompt and generation:
        doubts.append("prompts were read in this window, which delays the writing of other answers")
    return Run(
        tool=TOOL,
        kind="window",
        line=line,
        last_line=line,
        engine="vllm",
        setup=setup,
        total_prefill_tokens_per_s=prompt,
        decode_total_tokens_per_s=generation,
        decode_tokens_per_s=generation / running if generation and running else None,
        sequences=running or None,
        running=running,
        waiting=values.get("waiting"),
        kv_cache_used_share=None if cache is None else cache / 100,
        prefix_hit_share=None if hits is None else hits / 100,
        doubts=tuple(doubts),
        untrusted=("total_prefill_tokens_per_s", "decode_total_tokens_per_s") if running == 0 else (),
    )


def _setups(text: Text) -> list[tuple[int, Setup]]:
    """Where each start of an engine is logged, and what it says."""
    setups: list[tuple[int, Setup]] = []
    for at in text.places(*_SETUP):
        content = text.lines[at].text
        model = _MODEL.search(content) if "Initializing" in content else None
        if model is not None:
            setups.append((at, _started(content, model[1])))
            continue
        loaded = _LOADED.search(content)
        if loaded is not None and setups and setups[-1][1].weights_bytes is None:
            known = setups[-1][1]
            setups[-1] = (setups[-1][0], replace(known, weights_bytes=size_bytes(loaded[1].replace("GB", "GiB"))))
    return setups


def _started(content: str, model: str) -> Setup:
    options = {name: match[1] for name, pattern in _OPTIONS.items() if (match := pattern.search(content)) is not None}
    known = {name: value for name, value in options.items() if value not in ("None", "auto")}
    version = _VERSION.search(content)
    cache = known.get("kv_cache_dtype")
    devices = [number(options[name]) for name in ("tensor_parallel_size", "pipeline_parallel_size") if name in options]
    context = number(known.get("max_seq_len", ""))
    return Setup(
        model=model,
        weights=known.get("quantization", known.get("dtype", "").removeprefix("torch.") or None),
        kv_keys=cache,
        kv_values=cache,
        context_tokens=None if context is None else int(context),
        n_devices=_product(devices),
        engine_version=None if version is None else version[1],
    )


def _product(devices: list[float | None]) -> int | None:
    counts = [int(device) for device in devices if device]
    if not counts:
        return None
    return math.prod(counts)
