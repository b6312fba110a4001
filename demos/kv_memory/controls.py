"""The controls, readouts and presets of the demo `kv-memory`."""

from __future__ import annotations

from demos.kit.declare import choices
from demos.kit.declare.controls import Slider, Switch
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout

LONGEST = 131_072

CONTROLS = (
    Slider(
        name="context_tokens",
        label="Context length",
        start=8_192,
        low=1,
        high=LONGEST,
        scale="log",
        noun="tokens",
        marks=((200, "200"), (4_000, "4,000"), (128_000, "128,000")),
    ),
    choices.models(
        "llama-3.1-8b",
        (
            "llama-3.2-1b",
            "llama-3.1-8b",
            "phi-3.5-mini",
            "gemma-3-12b",
            "gpt-oss-20b",
            "qwen3.6-35b-a3b",
            "llama-3.1-70b",
            "deepseek-v3",
        ),
    ),
    choices.weights(),
    choices.caches(),
    choices.devices("rtx-5090", ("rtx-4090", "rtx-5090", "apple-m3-max-40c", "h100-sxm", "h200-sxm")),
    Slider(name="conversations", label="Conversations", start=1, low=1, high=64),
    Switch(name="reserve", label="Reserve the maximum up front", start=False),
    Slider(name="max_tokens", label="Maximum length", start=LONGEST, low=512, high=LONGEST, scale="log", noun="tokens"),
)

READOUTS = (
    Readout(name="context_tokens", label="Context", counts="token"),
    Readout(name="kv_bytes_per_token", label="Cache per token", unit="B"),
    Readout(name="kv_cache_bytes", label="Cache in use", unit="B"),
    Readout(name="weights_bytes", label="Weights", unit="B"),
    Readout(name="reserved_bytes", label="Reserved up front", unit="B"),
    Readout(name="free_bytes", label="Left free", unit="B"),
    Readout(name="equal_at_tokens", label="Cache = weights at", counts="token"),
    Readout(name="tpot_s", label="Time per token", unit="s"),
    Readout(name="tpot_empty_s", label="… cache empty", unit="s"),
    Readout(name="fits", label="Fits in memory", flag=True),
)

FRESH, SUMMARY, SMALLER = 200, 16_000, 32_768
PRESETS = (
    Preset(label="128,000 tokens", values={"context_tokens": "128000"}),
    Preset(label="The maximum, reserved", values={"reserve": "true", "max_tokens": str(LONGEST)}),
    Preset(label="A fresh conversation", values={"context_tokens": str(FRESH)}),
    Preset(label="A summary of older messages", values={"context_tokens": str(SUMMARY)}),
    Preset(label="A smaller maximum", values={"reserve": "true", "max_tokens": str(SMALLER)}),
    Preset(
        label="A hybrid model", values={"model": "qwen3.6-35b-a3b", "weights": "q4_k_m", "context_tokens": "128000"}
    ),
    Preset(label="A cache with fewer bits", values={"kv": "q8_0"}),
)
