"""The controls, readouts and presets of the demo `latency`."""

from __future__ import annotations

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, ReadingSpeed, Slider
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout
from demos.latency.reading_pace import PARAGRAPH
from demos.latency.requests import OWN, WORKED, request_options

NONE = "none"
DEVICES = (
    "snapdragon-8-gen-3",
    "cloud-cpu-2c",
    "apple-m3-max-40c",
    "strix-halo",
    "rtx-4090",
    "h100-sxm",
)
MODELS = ("smollm2-135m", "llama-3.2-1b", "llama-3.1-8b", "qwen3-30b-a3b", "llama-3.1-70b")
CONTROLS = (
    Choice(name="example", label="Example", start="document", options=request_options(), otherwise=OWN),
    Slider(name="prompt_tokens", label="Prompt", start=6, low=1, high=131_072, scale="log", noun="tokens"),
    Slider(name="output_tokens", label="Answer", start=48, low=1, high=10_000, scale="log", noun="tokens"),
    choices.models("llama-3.1-8b", MODELS),
    choices.weights(extra=("q8_0",)),
    choices.devices("rtx-4090", DEVICES),
    choices.devices(NONE, DEVICES, name="compare_device", label="Compare with", none="nothing"),
    Choice(
        name="speed_up",
        label="Pace",
        start="1",
        options=(
            Option(value="1", label="true pace"),
            *(Option(value=str(factor), label=f"{factor}× faster") for factor in (2, 5, 10, 100)),
        ),
    ),
    ReadingSpeed(
        name="reading_words_per_minute",
        label="You read",
        start=240,
        low=40,
        high=1_000,
        noun="words a minute",
        paragraph=PARAGRAPH,
    ),
)

READOUTS = (
    Readout(name="ttft_s", label="First token (TTFT)", unit="s"),
    Readout(name="tpot_s", label="Per token (TPOT)", unit="s"),
    Readout(name="total_s", label="Whole answer", unit="s"),
    Readout(name="prefill_tokens_per_s", label="Reads at", unit="tokens/s"),
    Readout(name="decode_tokens_per_s", label="Writes at", unit="tokens/s"),
    Readout(name="speed_ratio", label="Reading ÷ writing", unit="×"),
    Readout(name="measured_ttft_s", label="First token, your clock", unit="s"),
    Readout(name="measured_total_s", label="Answer, your clock", unit="s"),
)

PRESETS = (
    Preset(label="Reads 19 times faster than it writes", values={"example": WORKED}),
    Preset(
        label="Phone against H100",
        values={
            "example": "sky",
            "model": "llama-3.2-1b",
            "device": "snapdragon-8-gen-3",
            "compare_device": "h100-sxm",
        },
    ),
    Preset(label="Measured on two CPU cores", values={"example": "real-document"}),
)
