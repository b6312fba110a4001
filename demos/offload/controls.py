"""The controls, readouts and presets of the demo `offload`."""

from __future__ import annotations

import pysim
from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Slider
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout

HOSTS = ("ryzen-9950x", "i9-13900k-ddr5-6400", "xeon-e5-2683v4", "epyc-9654")
LONGEST = 131_072

CONTROLS = (
    Slider(name="hosted", label="Layers moved", start=0, low=0, high=80, noun="layers"),
    Slider(
        name="context_tokens",
        label="Context length",
        start=32_768,
        low=512,
        high=LONGEST,
        scale="log",
        noun="tokens",
        marks=((4_000, "4,000"), (32_000, "32,000"), (128_000, "128,000")),
    ),
    Choice(
        name="moves",
        label="What moves",
        start="layers",
        options=(Option(value="layers", label="whole layers"), Option(value="experts", label="experts only")),
    ),
    choices.models(
        "qwen3-32b",
        ("llama-3.1-8b", "qwen3-14b", "gpt-oss-20b", "qwen3-30b-a3b", "qwen3-32b", "llama-3.1-70b", "gpt-oss-120b"),
    ),
    choices.weights("q4_k_m"),
    choices.caches(),
    choices.devices("rtx-4090", ("rtx-3060-12gb", "rtx-4060-ti-16gb", "rtx-3090", "rtx-4090", "rtx-5090")),
    Choice(
        name="host",
        label="Processor and its memory",
        start="ryzen-9950x",
        options=tuple(Option(value=key, label=pysim.load_device(key).name) for key in HOSTS),
    ),
)

READOUTS = (
    Readout(name="hosted_layers", label="Layers moved", counts="layer"),
    Readout(name="needed_layers", label="Must move", counts="layer"),
    Readout(name="free_bytes", label="Left free on the device", unit="B"),
    Readout(name="host_bytes", label="In main memory", unit="B"),
    Readout(name="decode_tokens_per_s", label="Writes at", unit="tokens/s"),
    Readout(name="all_tokens_per_s", label="… all on the device", unit="tokens/s"),
    Readout(name="slower", label="Slower", unit="×"),
    Readout(name="host_share", label="Time spent on the moved part", unit="%"),
    Readout(name="fits", label="Fits the device", flag=True),
)

PRESETS = (
    Preset(label="One layer", values={"hosted": "1"}),
    Preset(label="Half of the layers", values={"hosted": "32"}),
    Preset(label="A shorter context", values={"context_tokens": "8192", "hosted": "0"}),
    Preset(
        label="A mixture, its layers moved",
        values={"model": "qwen3-30b-a3b", "device": "rtx-3060-12gb", "hosted": "24", "context_tokens": "8192"},
    ),
    Preset(
        label="A mixture, its experts moved",
        values={
            "model": "qwen3-30b-a3b", "device": "rtx-3060-12gb", "hosted": "24", "context_tokens": "8192",
            "moves": "experts",
        },
    ),
)  # fmt: skip
