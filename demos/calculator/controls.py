"""Controls, readouts and presets of the calculator: what a reader chooses, and what it answers."""

from __future__ import annotations

from demos.calculator import measured
from demos.calculator.speed_table import SPEED_READOUTS
from demos.kit.declare.catalogue_lists import (
    BEST,
    CACHES,
    CHOSEN_WEIGHTS,
    ENGINES,
    PASTED,
    device_options,
    model_options,
    named_options,
)
from demos.kit.declare.config_box import config_text
from demos.kit.declare.controls import Choice, Option, Slider
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout
from pysim.engines.engine import Engine
from pysim.engines.load import reserving_engines
from pysim.formats.default import AS_CONFIG

START_MODEL = "llama-3.1-8b"
LONGEST = 1_048_576
# Where a share of "the card" means something: memory of a device's own, under an engine made for it.
SHARED_MEMORY = frozenset({"apple", "phone", "cpu", "intel-igpu"})
RESERVING = reserving_engines()
# Choices of a speed that name no engine: what fits is then asked of none.
NO_ENGINE = frozenset({"typical", BEST})
# What makes more of a memory usable, by family.
MORE_USABLE = {"apple": "sysctl iogpu.wired_limit_mb raises it."}


def prefix(engine: Engine) -> str:
    """Return how the names of an engine's readouts begin: its key without dots and dashes."""
    return "".join(filter(str.isalnum, engine.key))


def _models() -> tuple[Option, ...]:
    listed = tuple(Option(value=model.value, label=model.label, fills={"config": ""}) for model in model_options())
    return (*listed, Option(value=PASTED, label="your own config.json or .gguf"))


CONTROLS = (
    Choice(name="model", label="Model", start=START_MODEL, options=_models(), otherwise=PASTED),
    Choice(name="device", label="Device", start="rtx-4090", options=device_options(sized=True)),
    Slider(name="devices", label="How many", start=1, low=1, high=8),
    Slider(name="conversations", label="Conversations", start=1, low=1, high=256),
    Choice(
        name="split",
        label="Several share",
        start="tensor",
        options=(
            Option(value="tensor", label="within every layer (tensor parallel)"),
            Option(value="layers", label="by layers, one device after another"),
        ),
    ),
    Choice(name="weights", label="Weights", start=AS_CONFIG, options=named_options(CHOSEN_WEIGHTS)),
    Choice(name="kv", label="Cache", start="f16", options=named_options(CACHES)),
    Choice(name="engine", label="Speed of", start="typical", options=named_options(ENGINES)),
    Slider(
        name="context_tokens",
        label="Context of each",
        start=8_192,
        low=1,
        high=LONGEST,
        scale="log",
        noun="tokens",
        marks=((200, "200"), (4_096, "4,096"), (131_072, "131,072")),
    ),
    config_text(),
    *measured.CONTROLS,
)

MEMORY_READOUTS = (
    Readout(name="fits", label="Fits", flag=True),
    Readout(name="weights_bytes", label="Weights", unit="B"),
    Readout(name="kv_cache_needed_bytes", label="Cache needed", unit="B"),
    Readout(name="engine_bytes", label="Engine itself, about", unit="B"),
    Readout(name="usable_memory_bytes", label="Usable memory", unit="B"),
    Readout(name="free_bytes", label="Left free, fullest device", unit="B"),
    Readout(name="largest_context_tokens", label="Largest context that fits", counts="token"),
    Readout(name="largest_conversations", label="Conversations that fit", counts="conversation"),
    Readout(name="kv_bytes_per_token", label="Cache per token", unit="B"),
)
RESERVATION_READOUTS = tuple(
    Readout(
        name=f"{prefix(engine)}_{name}",
        label=f"{engine.name}: {label}",
        unit=unit,
        counts=counts,
        flag=not unit + counts,
    )
    for engine in RESERVING
    for name, label, unit, counts in (
        ("reserved_bytes", "cache set aside", "B", ""),
        ("window_bytes", "of the cache needed, window rows", "B", ""),
        ("state_bytes", "of the cache needed, fixed states", "B", ""),
        ("buffers_bytes", "buffers of a pass, about", "B", ""),
        ("graphs_bytes", "graphs, about", "B", ""),
        ("process_bytes", "process, about", "B", ""),
        ("free_bytes", "left free, fullest device", "B", ""),
        ("fits", "fits", "", ""),
        ("largest_context_tokens", "largest context", "", "token"),
    )
)
READOUTS = (*MEMORY_READOUTS, *RESERVATION_READOUTS, *SPEED_READOUTS)
DECLARED = {readout.name: readout for readout in READOUTS}


def _preset(label: str, **values: str | int) -> Preset:
    plain = {"devices": "1", "split": "tensor", "weights": "q4_k_m", "kv": "f16", "conversations": "1"}
    return Preset(label=label, values={**plain, **{name: str(value) for name, value in values.items()}})


PRESETS = (
    _preset(
        "Does a 70B fit on two 24 GB cards?", model="llama-3.1-70b", device="rtx-4090", devices=2, context_tokens=8192
    ),
    _preset("A 16-bit 70B on one H100?", model="llama-3.1-70b", device="h100-sxm", weights="f16", context_tokens=8192),
    _preset(
        "131,072 tokens of context on 24 GB?",
        model="llama-3.1-8b",
        device="rtx-4090",
        weights="f16",
        context_tokens=131072,
    ),
    _preset("A 30B mixture on a 16 GB card?", model="qwen3-30b-a3b", device="rtx-4080", context_tokens=8192),
    _preset(
        "gpt-oss 120B on a 128 GB Mac?",
        model="gpt-oss-120b",
        device="apple-m4-max-40c",
        weights="mxfp4",
        context_tokens=32768,
    ),
    _preset(
        "32 chats on one H100?",
        model="llama-3.1-8b",
        device="h100-sxm",
        weights="f16",
        conversations=32,
        context_tokens=8192,
    ),
    _preset(
        "DeepSeek V3 on eight H200?",
        model="deepseek-v3",
        device="h200-sxm",
        devices=8,
        weights="fp8",
        context_tokens=32768,
    ),
)
