"""Settings of a run that a comparison names: what it ran on, how it was set, and how long its texts were."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.doctor.case import Case, Recognised

# Switches that act on speed, by all their names; others may hold what is private.
_SWITCHES: Final[Mapping[str, tuple[str, ...]]] = {
    "-fa": ("-fa", "--flash-attn"), "-ngl": ("-ngl", "--n-gpu-layers", "--gpu-layers"), "-c": ("-c", "--ctx-size"),
    "-b": ("-b", "--batch-size"), "-ub": ("-ub", "--ubatch-size"), "-t": ("-t", "--threads"),
    "-ctk": ("-ctk", "--cache-type-k"), "-ctv": ("-ctv", "--cache-type-v"), "-nkvo": ("-nkvo", "--no-kv-offload"),
    "-sm": ("-sm", "--split-mode"), "-ts": ("-ts", "--tensor-split"), "-ot": ("-ot", "--override-tensor"),
    "--n-cpu-moe": ("-ncmoe", "--n-cpu-moe"), "--cpu-moe": ("-cmoe", "--cpu-moe"), "--no-mmap": ("--no-mmap",),
    "--mlock": ("--mlock",), "--numa": ("--numa",), "-np": ("-np", "--parallel"), "-md": ("-md", "--model-draft"),
    "--top-k": ("--top-k",), "--enforce-eager": ("--enforce-eager",), "-tp": ("-tp", "--tensor-parallel-size", "--tp"),
    "--max-num-seqs": ("--max-num-seqs",), "--kv-cache-dtype": ("--kv-cache-dtype",), "--dtype": ("--dtype",),
    "--quantization": ("--quantization", "-q"), "--enable-prefix-caching": ("--enable-prefix-caching",),
    "--max-num-batched-tokens": ("--max-num-batched-tokens",), "--cuda-graph-max-bs": ("--cuda-graph-max-bs",),
}  # fmt: skip
_NAMES: Final = {name: switch for switch, names in _SWITCHES.items() for name in names}
# What a setting of the run and a switch of its command both say.
_ALSO: Final[Mapping[str, str]] = {
    "flash attention": "-fa", "layers on the device": "-ngl", "micro-batch": "-ub", "batch": "-b", "threads": "-t",
    "cache": "-ctk", "split": "-sm", "devices": "-tp", "parts on the host": "--n-cpu-moe",
    "context size": "-c", "requests at once": "-np",
}  # fmt: skip
_PRIVATE: Final = re.compile(r"[/\\@]|\w{40}")
_ALL_LAYERS: Final = 10_000


def settings_of(case: Case) -> dict[str, str | float]:
    """Names and values of everything that is known of a run's settings; numbers stay numbers."""
    setup, run = case.runs[0].setup, case.runs[0]
    layers = setup.layers_on_device
    known: dict[str, str | float | None] = {
        "model": _name(case.model),
        "weights": _name(case.weights),
        "device": _name(case.device),
        "devices": case.n_devices,
        "tool": run.tool,
        "layers on the device": None if layers is None else _ALL_LAYERS if layers < 0 else layers,
        "parts on the host": setup.tensors_on_host,
        "split": setup.split,
        "backend": setup.backend,
        "flash attention": None if setup.flash_attention is None else "on" if setup.flash_attention else "off",
        "cache": "/".join(part for part in (setup.kv_keys, setup.kv_values) if part) or None,
        "batch": setup.batch_tokens,
        "micro-batch": setup.micro_batch_tokens,
        "threads": setup.threads,
        "context size": setup.context_tokens,
        "requests at once": round(case.sequences) if case.sequences > 1 else 1,
        "depth": case.depth_tokens or 0.0,
        "prompt": case.prompt_tokens,
        "version": setup.engine_version,
    }
    said: dict[str, str | float] = {name: value for name, value in known.items() if value is not None}
    taken = {switch for name, switch in _ALSO.items() if name in said}
    return said | {name: value for name, value in switches_of(case.command).items() if name not in taken}


def switches_of(command: str | None) -> dict[str, str]:
    """The switches of a command that act on speed, with their values; one without a value is "on"."""
    words = (command or "").replace("=", " ").split()
    found: dict[str, str] = {}
    for at, word in enumerate(words):
        switch = _NAMES.get(word)
        if switch is None:
            continue
        value = words[at + 1] if at + 1 < len(words) else ""
        found[switch] = "on" if not value or value.startswith("-") or _PRIVATE.search(value) else value[:30]
    return found


def _name(recognised: Recognised | None) -> str | None:
    if recognised is None:
        return None
    return recognised.name if recognised.key is not None else recognised.words
