"""The controls, readouts and presets of the planner."""

from __future__ import annotations

from typing import Final

from demos.kit.declare.catalogue_lists import CHOSEN_WEIGHTS, device_options, model_options, named_options
from demos.kit.declare.controls import Choice, Option, Slider, Text
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout
from demos.kit.serving.loads import LOADS, limits_options, rate_slider
from pysim.formats.default import AS_CONFIG

OWN: Final = "own"
LIMIT: Final = 200_000

CONTROLS = (
    Choice(name="model", label="Model", start="llama-3.1-8b", options=model_options()),
    Choice(name="device", label="Device", start="h100-sxm", options=device_options(sized=True)),
    Choice(name="load", label="Requests", start="chat", options=(*LOADS, Option(value=OWN, label="my own lengths"))),
    rate_slider(20.0, high=1000),
    Choice(
        name="limits",
        label="Good enough",
        start="mlperf-llama-3.1-8b-server",
        options=(*limits_options(), Option(value=OWN, label="my own limits")),
    ),
    Slider(
        name="prompt_tokens", label="Own prompt", start=2000, low=1, high=100_000, scale="log", noun="tokens",
        marks=((1, "1"), (1000, "1,000"), (100_000, "100,000")),
    ),
    Slider(
        name="answer_tokens", label="Own answer", start=300, low=1, high=10_000, scale="log", noun="tokens",
        marks=((1, "1"), (100, "100"), (10_000, "10,000")),
    ),
    Slider(name="first_ms", label="Own limit: first token", start=2000, low=10, high=60_000, scale="log", noun="ms"),
    Slider(name="pace_ms", label="Own limit: each token", start=50, low=1, high=1000, scale="log", noun="ms"),
    Choice(name="weights", label="Weights", start=AS_CONFIG, options=named_options(CHOSEN_WEIGHTS)),
    Slider(name="price", label="Price of a device", start=2.5, low=0, high=50, step=0.1, noun="per hour"),
    Text(
        name="result",
        label="What your load test printed",
        start="",
        limit=LIMIT,
        rows=5,
        private=True,
        drop=True,
        placeholder="Paste vllm bench serve, SGLang bench_serving, GuideLLM, AIPerf or inference-perf: one is enough.",
    ),
    Slider(name="tested_devices", label="It ran on", start=1, low=1, high=16, noun="devices"),
)  # fmt: skip

READOUTS = (
    Readout(name="devices", label="Devices", counts="device"),
    Readout(name="per_replica", label="Share the model", counts="device"),
    Readout(name="token_budget", label="Best budget of a step", counts="token"),
    Readout(name="highest_rate", label="One replica takes", unit="requests/s"),
    Readout(name="devices_low", label="If all goes well", counts="device"),
    Readout(name="devices_high", label="If not", counts="device"),
    Readout(name="price_per_million", label="A million answer tokens", unit="price"),
    Readout(name="factor", label="Your server, by your test", unit="×"),
)

PRESETS = (
    Preset(label="Chat, 8B", values={}, recorded=True),
    Preset(label="Code completion", values={"load": "code", "rate": "50", "limits": "mlperf-llama-3.1-8b-interactive"}),
    Preset(
        label="Documents, 70B",
        values={"model": "llama-3.1-70b", "load": "documents", "rate": "2", "limits": OWN, "first_ms": "60000"},
    ),
)
