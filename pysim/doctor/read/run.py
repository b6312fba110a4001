"""Run: what a tool's output said, before anybody judges it.

Readers fill these in; everything that a text does not say stays None. All values are SI: seconds,
bytes, tokens, tokens per second.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

RunKind = Literal["prompt", "generation", "combined", "request", "service", "window"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What ran on what, in the text's own words; `weights_bytes` is the model file or its loaded size.

    `model_file`: the file's name without its folders, where the text has it with or instead of a model's name.
    `layers_on_device` as asked for, so 99 or -1 may mean all. `slots`: sequences the engine was set up for.
    `split`: how several devices share the model ("layer", "row", "tensor").
    `host_share`: how much of what was loaded is in the host's memory, from 0 to 1. `model_line`, `device_line`: the
    line of a name that does not stand with the measurement but elsewhere in the text; several are joined by "or".
    """

    model: str | None = None
    model_file: str | None = None
    model_line: int | None = None
    weights: str | None = None
    weights_bytes: float | None = None
    parameters: float | None = None
    kv_keys: str | None = None
    kv_values: str | None = None
    device: str | None = None
    device_line: int | None = None
    n_devices: int | None = None
    device_memory_bytes: float | None = None
    backend: str | None = None
    threads: int | None = None
    layers_on_device: int | None = None
    layers: int | None = None
    tensors_on_host: str | None = None
    host_share: float | None = None
    flash_attention: bool | None = None
    batch_tokens: int | None = None
    micro_batch_tokens: int | None = None
    context_tokens: int | None = None
    slots: int | None = None
    split: str | None = None
    engine_version: str | None = None


_NOTHING_SAID: Final = Setup()


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """One latency over many requests, in seconds, as far as the tool printed it."""

    mean_s: float | None = None
    median_s: float | None = None
    least_s: float | None = None
    most_s: float | None = None
    p90_s: float | None = None
    p95_s: float | None = None
    p99_s: float | None = None
    deviation_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One thing that was measured.

    `tool`: who printed it. `engine`: what ran the model, as pysim spells it; None where the text cannot tell.
    `line`, `last_line`: its lines in the pasted text, from 1.
    `prompt_tokens`, `output_tokens`, `depth_tokens` (in the cache before), `cached_tokens` (of the prompt, not
    read again) are per request; of a service they are the means. `sequences`: decoded at the same time.
    `prefill_tokens_per_s` counts tokens that were read, all sequences together; `decode_tokens_per_s` one
    sequence, `decode_total_tokens_per_s` all; `combined_tokens_per_s` whatever both phases made together.
    `*_deviation`: standard deviation of the same figure, in its unit. `repeats`: how many times it was measured.
    `ttft`, `tpot`, `itl`, `end_to_end`: of a service or of a client that saw tokens arrive.
    `achieved_bytes_per_s`: bandwidth that the tool itself claims.
    `total_prefill_tokens_per_s`: prompt tokens over the whole time, waiting and writing included; no reading speed.
    `unaccounted_s`: what `total_s` has beyond load, prefill and decode. `concurrency_limit`: requests that a load
    generator kept in flight at most.
    `doubts`: what the reader saw that no judge can see from the figures; sentences without a full stop's follow-up.
    `untrusted`: names of this run's own fields that hold what was printed, but that the text itself contradicts.
    """

    tool: str
    kind: RunKind
    line: int
    last_line: int
    label: str = ""
    engine: str | None = None
    setup: Setup = _NOTHING_SAID
    prompt_tokens: float | None = None
    output_tokens: float | None = None
    depth_tokens: float | None = None
    cached_tokens: float | None = None
    sequences: float | None = None
    requests: int | None = None
    failed_requests: int | None = None
    request_rate_per_s: float | None = None
    request_throughput_per_s: float | None = None
    concurrency_limit: int | None = None
    repeats: int | None = None
    load_s: float | None = None
    prefill_s: float | None = None
    decode_s: float | None = None
    decode_passes: float | None = None
    total_s: float | None = None
    unaccounted_s: float | None = None
    prefill_tokens_per_s: float | None = None
    prefill_deviation: float | None = None
    decode_tokens_per_s: float | None = None
    decode_deviation: float | None = None
    decode_total_tokens_per_s: float | None = None
    combined_tokens_per_s: float | None = None
    total_prefill_tokens_per_s: float | None = None
    ttft: Latency | None = None
    tpot: Latency | None = None
    itl: Latency | None = None
    end_to_end: Latency | None = None
    running: float | None = None
    waiting: float | None = None
    kv_cache_used_share: float | None = None
    prefix_hit_share: float | None = None
    achieved_bytes_per_s: float | None = None
    memory_bytes: float | None = None
    doubts: tuple[str, ...] = ()
    untrusted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A place where a text broke off or contradicts itself: what is missing, and in which line."""

    line: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that was found in one text, in the text's order."""

    runs: tuple[Run, ...]
    gaps: tuple[Gap, ...] = ()
    lines: int = 0
