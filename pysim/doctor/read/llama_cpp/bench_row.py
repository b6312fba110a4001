"""What does one test of llama-bench say, whichever form it was printed in?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from pysim.doctor.read.llama_cpp.command import base_name
from pysim.doctor.read.numbers import count, finite, positive
from pysim.doctor.read.run import Run, RunKind, Setup

TOOL: Final = "llama-bench"

# What a test reads and writes: "pp512", "tg 128", "pp512+tg128", ik_llama.cpp's "tg64@pp256"; then "@ d4096".
_TEST: Final = re.compile(
    r"(?:(?P<pp>pp) {0,2}(?P<read>\d{1,7})(?:\s?\+\s?tg {0,2}(?P<also>\d{1,7}))?"
    r"|tg {0,2}(?P<write>\d{1,7})(?:\s?@\s?pp {0,2}(?P<after>\d{1,7}))?)"
    r"(?:\s{0,3}@\s{0,3}d\s?(?P<depth>\d{1,8}))?\Z"
)
_WEIGHTS: Final = re.compile(
    r"(?:(?:mostly|all)\s)?((?:I?Q\d\w{0,12}|TQ\d\w{0,8}|BF16|F16|F32|FP16|MXFP4|NVFP4|FP8)"
    r"(?: - (?:Small|Medium|Large))?)(?: MoE)?(?: - [\d.]{1,6} bpw)?(?: \(guessed\))?\Z",
    re.IGNORECASE,
)
_ON: Final = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}
# What the columns of the Markdown table are called in the other forms.
_NAMES: Final = {
    "ngl": "n_gpu_layers",
    "th": "n_threads",
    "threads": "n_threads",
    "fa": "flash_attn",
    "sm": "split_mode",
    "ot": "tensor_buft_overrides",
    "nkvo": "no_kv_offload",
    "ncmoe": "n_cpu_moe",
    "dev": "devices",
    "backend": "backends",
}
# Old versions had a column for each.
_OLD_BACKENDS: Final = {
    "cuda": "CUDA",
    "metal": "Metal",
    "vulkan": "Vulkan",
    "opencl": "OpenCL",
    "sycl": "SYCL",
    "kompute": "Kompute",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Tokens that a test reads, writes, and has in its cache before."""

    read: int
    write: int
    depth: int = 0


def work_of(test: str) -> Work | None:
    """What a test's name says, or None where it is no test's name."""
    match = _TEST.match(test.strip())
    if match is None:
        return None
    depth = int(match["depth"] or 0)
    if match["pp"]:
        return Work(read=int(match["read"]), write=int(match["also"] or 0), depth=depth)
    return Work(read=0, write=int(match["write"]), depth=depth + int(match["after"] or 0))


def split_model(model: str) -> tuple[str | None, str | None]:
    """A model column's name and its weights' format: "llama 7B mostly Q4_0" is "llama 7B" and "Q4_0"."""
    match = _WEIGHTS.search(model.strip())
    if match is None:
        return model.strip() or None, None
    return model.strip()[: match.start()].strip() or None, match[1]


def fields_of(named: Mapping[str, str]) -> dict[str, object]:
    """A Markdown row's cells under the names of the other forms."""
    return {_NAMES.get(name, name): cell for name, cell in named.items() if cell}


def run_of(
    work: Work,
    speed: float,
    deviation: float | None = None,
    *,
    line: int,
    last_line: int,
    setup: Setup,
    engine: str,
    repeats: int | None = None,
    total_s: float | None = None,
    doubts: tuple[str, ...] = (),
) -> Run | None:
    """The run of one test; None for a test that neither reads nor writes."""
    if not work.read and not work.write:
        return None
    kind: RunKind = "combined" if work.read and work.write else "prompt" if work.read else "generation"
    return Run(
        tool=TOOL,
        kind=kind,
        line=line,
        last_line=last_line,
        label=_label(work),
        engine=engine,
        setup=setup,
        prompt_tokens=work.read,
        output_tokens=work.write,
        depth_tokens=work.depth,
        sequences=1,
        repeats=repeats,
        prefill_s=total_s if kind == "prompt" else None,
        prefill_tokens_per_s=speed if kind == "prompt" else None,
        prefill_deviation=deviation if kind == "prompt" else None,
        decode_s=total_s if kind == "generation" else None,
        decode_passes=work.write if kind == "generation" else None,
        decode_tokens_per_s=speed if kind == "generation" else None,
        decode_deviation=deviation if kind == "generation" else None,
        total_s=total_s,
        combined_tokens_per_s=speed if kind == "combined" else None,
        doubts=doubts,
    )


def doubts_of(named: Mapping[str, object]) -> tuple[str, ...]:
    """What a test's settings make of its speeds."""
    value = str(named.get("nkvo", named.get("no_kv_offload", "0"))).lower()
    return ("the KV cache was kept in host memory",) if value in ("1", "true") else ()


def _label(work: Work) -> str:
    parts = [f"pp{work.read}"] * bool(work.read) + [f"tg{work.write}"] * bool(work.write)
    return "+".join(parts) + (f" @ d{work.depth}" if work.depth else "")


def setup_of(fields: Mapping[str, object], known: Setup) -> Setup:
    """The set-up of a test: its own fields, then what the text said before it."""
    model, weights = split_model(_word(fields, "model_type") or _word(fields, "model") or "")
    path = _word(fields, "model_filename")
    layers = _whole(fields, "n_gpu_layers")
    return replace(
        _on_machine(fields, known, layers),
        model=model or known.model,
        model_file=base_name(path) if path else known.model_file,
        weights=weights or known.weights,
        weights_bytes=positive(fields.get("model_size")) or known.weights_bytes,
        parameters=positive(fields.get("model_n_params")) or known.parameters,
        kv_keys=_cache_format(fields, "type_k") or known.kv_keys,
        kv_values=_cache_format(fields, "type_v") or known.kv_values,
        backend=_backend(fields) or known.backend,
        threads=count(fields.get("n_threads")) or known.threads,
        layers_on_device=known.layers_on_device if layers is None else layers,
        tensors_on_host=_on_host(fields) or known.tensors_on_host,
        flash_attention=_flash(fields, known),
        batch_tokens=count(fields.get("n_batch")) or known.batch_tokens,
        micro_batch_tokens=count(fields.get("n_ubatch")) or known.micro_batch_tokens,
        split=_word(fields, "split_mode") or known.split,
    )


def _word(fields: Mapping[str, object], name: str) -> str | None:
    value = fields.get(name)
    return value.strip() or None if isinstance(value, str) else None


def _whole(fields: Mapping[str, object], name: str) -> int | None:
    value = finite(fields.get(name))
    return int(value) if value is not None and abs(value) < 1e6 else None


def _cache_format(fields: Mapping[str, object], name: str) -> str | None:
    """Old versions only said whether the cache was f16; the table leaves the column out where it is."""
    word = _word(fields, name)
    if word is None and "f16_kv" in fields:
        return "f32" if str(fields["f16_kv"]).lower() in ("0", "false") else "f16"
    return word


def _backend(fields: Mapping[str, object]) -> str | None:
    word = _word(fields, "backends")
    if word is not None:
        return word
    known = {
        "cuda": "CUDA",
        "metal": "Metal",
        "vulkan": "Vulkan",
        "opencl": "OpenCL",
        "sycl": "SYCL",
        "kompute": "Kompute",
    }
    for name, shown in known.items():
        if str(fields.get(name, "")).lower() in ("1", "true"):
            return shown
    return "BLAS" if str(fields.get("blas", "")).lower() in ("1", "true") else None


def _on_host(fields: Mapping[str, object]) -> str | None:
    parts = []
    overrides = _word(fields, "tensor_buft_overrides")
    if overrides is not None and overrides.lower() not in ("none", "0"):
        parts.append(overrides)
    if str(fields.get("nkvo", fields.get("no_kv_offload", "0"))).lower() in ("1", "true"):
        parts.append("the cache, -nkvo")
    experts = count(fields.get("n_cpu_moe"))
    if experts:
        parts.append(f"n_cpu_moe={experts}")
    return ";".join(parts) or None


def _flash(fields: Mapping[str, object], known: Setup) -> bool | None:
    setting = fields.get("flash_attn")
    return _ON.get(str(setting).strip().lower()) if setting is not None else known.flash_attention


def _on_machine(fields: Mapping[str, object], known: Setup, layers: int | None) -> Setup:
    """The device that the layers ran on: with none of them on a GPU, the CPU."""
    gpu, cpu = _word(fields, "gpu_info"), _word(fields, "cpu_info")
    version, number = _word(fields, "build_commit"), count(fields.get("build_number"))
    if version is not None:
        known = replace(known, engine_version=version if number is None else f"{version} ({number})")
    if gpu is not None and layers != 0:
        names = [name.strip() for name in re.split(r", |/(?=[A-Z])", gpu) if name.strip()]
        return replace(known, device=names[0] if len(set(names)) == 1 else gpu, n_devices=len(names) or None)
    return known if cpu is None else replace(known, device=cpu, n_devices=1)
