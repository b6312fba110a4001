"""The controls, readouts and presets of the demo `long-prompt`."""

from __future__ import annotations

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Slider
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout

PIECES, WHOLE, FIRST, APART = "chunked", "whole", "prefill-first", "second-machine"

CONTROLS = (
    Choice(
        name="policy",
        label="The server reads it",
        start=WHOLE,
        options=(
            Option(value=WHOLE, label="all at once"),
            Option(value=PIECES, label="in pieces, each with the others' next token"),
            Option(value=FIRST, label="first, in pieces, while the others wait"),
            Option(value=APART, label="on a second machine"),
        ),
    ),
    Slider(
        name="late_prompt_tokens",
        label="Its prompt",
        start=16_000,
        low=100,
        high=100_000,
        scale="log",
        noun="tokens",
        marks=((100, "100"), (1000, "1,000"), (10_000, "10,000"), (100_000, "100,000")),
    ),
    Slider(
        name="token_budget",
        label="Tokens a step",
        start=2048,
        low=128,
        high=16_384,
        scale="log",
        noun="tokens",
        marks=((128, "128"), (2048, "2,048"), (16_384, "16,384")),
    ),
    Slider(name="streams", label="Answers being written", start=8, low=1, high=64),
    choices.models("llama-3.1-8b", ("llama-3.1-8b", "qwen3-32b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "h100-sxm", "b200", "mi300x")),
)

READOUTS = (
    Readout(name="worst_gap_s", label="Longest gap of the others", unit="s"),
    Readout(name="newcomer_ttft_s", label="Newcomer's first token", unit="s"),
    Readout(name="others_tpot_s", label="Time per token, others", unit="s"),
    Readout(name="tpot_p99_s", label="Time per token, p99", unit="s"),
)

PRESETS = (
    Preset(label="All at once", values={"policy": WHOLE}, recorded=True),
    Preset(label="In pieces of 512", values={"policy": PIECES, "token_budget": "512"}),
    Preset(label="In pieces of 8,192", values={"policy": PIECES, "token_budget": "8192"}),
    Preset(label="Second machine", values={"policy": APART}),
)
