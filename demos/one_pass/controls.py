"""The controls, readouts and presets of the demo `one-pass`."""

from __future__ import annotations

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Slider
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout

# What sends how many tokens through the model at once.
DECODE, GUESSES, BATCH, CHUNK, PROMPT = 1, 5, 32, 512, 4096
MOST_TOKENS = 8192
PASSES = (
    (DECODE, "decode", "Decode"),
    (GUESSES, "guesses", "Guess ahead"),
    (BATCH, "batch", "A batch"),
    (CHUNK, "chunk", "A chunk"),
    (PROMPT, "prompt", "A whole prompt"),
)

CONTROLS = (
    Slider(
        name="tokens_in_pass",
        label="Tokens in this pass",
        start=1,
        low=1,
        high=MOST_TOKENS,
        scale="log",
        marks=tuple((tokens, short) for tokens, short, _ in PASSES),
    ),
    Choice(
        name="picture",
        label="Picture",
        start="cook",
        options=(Option(value="cook", label="a cook and a storeroom"), Option(value="chip", label="a chip")),
    ),
    Slider(name="context_tokens", label="Text so far", start=1000, low=1, high=131_072, scale="log", noun="tokens"),
    choices.models("llama-3.1-8b", ("llama-3.2-1b", "llama-3.1-8b", "qwen3-14b", "qwen3-30b-a3b")),
    choices.weights(),
    choices.devices(
        "rtx-4090", ("snapdragon-8-gen-3", "apple-m3-max-40c", "strix-halo", "rtx-4090", "h100-sxm", "b200")
    ),
)

READOUTS = (
    Readout(name="tokens_in_pass", label="In this pass", counts="token"),
    Readout(name="memory_s", label="Reading", unit="s"),
    Readout(name="compute_s", label="Math", unit="s"),
    Readout(name="pass_s", label="The whole pass", unit="s"),
    Readout(name="bound", label="Limited by", texts={"memory": "memory", "compute": "compute"}),
    Readout(name="arithmetic_intensity_flop_per_byte", label="Math per byte", unit="FLOP/B"),
    Readout(name="ridge_tokens", label="Ridge", counts="token"),
    Readout(name="tokens_per_s", label="Speed", unit="tokens/s"),
)

PRESETS = tuple(Preset(label=label, values={"tokens_in_pass": str(tokens)}) for tokens, _, label in PASSES)
