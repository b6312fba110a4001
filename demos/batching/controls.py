"""The controls, readouts and presets of the demo `batching`."""

from __future__ import annotations

from demos.kit.declare import choices
from demos.kit.declare.controls import Slider
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout

MOST = 512

CONTROLS = (
    Slider(name="conversations", label="Conversations", start=1, low=1, high=MOST),
    Slider(
        name="context_tokens",
        label="Each so far",
        start=100,
        low=1,
        high=131_072,
        scale="log",
        noun="tokens",
        marks=((100, "100"), (1000, "1,000"), (32_000, "32,000")),
    ),
    choices.models("llama-3.1-8b", ("llama-3.2-1b", "llama-3.1-8b", "gemma-3-12b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.caches(),
    choices.devices("rtx-4090", ("apple-m3-max-40c", "rtx-4090", "rtx-5090", "h100-sxm", "b200")),
)

READOUTS = (
    Readout(name="total_tokens_per_s", label="All together", unit="tokens/s"),
    Readout(name="per_conversation_tokens_per_s", label="Each conversation", unit="tokens/s"),
    Readout(name="pass_s", label="One pass", unit="s"),
    Readout(name="kv_cache_bytes", label="Caches of all", unit="B"),
    Readout(name="fits", label="Fits in memory", flag=True),
    Readout(name="ridge_batch", label="Ridge", counts="conversation"),
)

PRESETS = (
    Preset(label="16 together", values={"conversations": "16"}, recorded=True),
    Preset(label="At the ridge", values={"conversations": "191"}),
    Preset(label="Out of memory", values={"conversations": "200", "context_tokens": "500"}),
    Preset(
        label="Long conversations",
        values={"conversations": "200", "context_tokens": "2000", "device": "h100-sxm"},
    ),
)
