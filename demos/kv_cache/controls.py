"""The controls, readouts and presets of the demo `kv-cache`."""

from __future__ import annotations

from demos.kit.declare import choices
from demos.kit.declare.controls import Slider, Switch
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout

MOST_PROMPT_TOKENS = 2048
MOST_OUTPUT_TOKENS = 512

CONTROLS = (
    Switch(name="cache", label="KV cache", start=False),
    Slider(name="prompt_tokens", label="Prompt", start=400, low=1, high=MOST_PROMPT_TOKENS, scale="log", noun="tokens"),
    Slider(name="output_tokens", label="Answer", start=24, low=1, high=MOST_OUTPUT_TOKENS, scale="log", noun="tokens"),
    choices.models("llama-3.1-8b", ("llama-3.2-1b", "llama-2-7b", "llama-3.1-8b", "qwen3.5-4b")),
    choices.weights(),
    choices.devices("rtx-4090", ("raspberry-pi-5", "apple-m3-max-40c", "rtx-4090", "h100-sxm")),
)

READOUTS = (
    Readout(name="tokens_computed", label="Tokens computed", counts="token"),
    Readout(name="tokens_computed_without_cache", label="… without a cache", counts="token"),
    Readout(name="time_s", label="Time so far", unit="s"),
    Readout(name="time_without_cache_s", label="… without a cache", unit="s"),
    Readout(name="pass_s", label="This pass", unit="s"),
    Readout(name="kv_rows", label="Rows kept", counts="row"),
    Readout(name="kv_cache_bytes", label="KV cache", unit="B"),
)

PRESETS = (
    Preset(label="The same, cache on", values={"cache": "true"}, recorded=True),
    Preset(label="From a single token", values={"prompt_tokens": "1", "output_tokens": "32", "cache": "false"}),
    Preset(
        label="A 1,000-token text, cache off", values={"prompt_tokens": "1000", "output_tokens": "48", "cache": "false"}
    ),
    Preset(label="… cache on", values={"prompt_tokens": "1000", "output_tokens": "48", "cache": "true"}),
    Preset(label="On a small computer", values={"device": "raspberry-pi-5", "cache": "false"}),
)
