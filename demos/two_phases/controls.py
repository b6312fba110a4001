"""The controls, readouts and presets of the demo `two-phases`."""

from __future__ import annotations

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Number, Option, Slider, Text
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout
from demos.kit.tokenize.examples import EXAMPLES

OWN = "own"
MOST_ANSWER_TOKENS = 512

CONTROLS = (
    Choice(
        name="example",
        label="Example",
        start="sky",
        options=(
            *(
                Option(value=key, label=example.title, fills={"prompt": example.prompt})
                for key, example in EXAMPLES.items()
            ),
            Option(value=OWN, label="Your own text"),
        ),
        otherwise=OWN,
    ),
    Text(name="prompt", label="Prompt", start="", limit=20_000),
    Slider(name="output_tokens", label="Answer tokens", start=8, low=0, high=MOST_ANSWER_TOKENS),
    Choice(
        name="chunk_tokens",
        label="Split long prompts",
        start="off",
        options=(
            Option(value="off", label="no, one pass"),
            *(Option(value=str(size), label=f"chunks of {size}") for size in (32, 128, 512, 2048)),
        ),
    ),
    Slider(name="draft_tokens", label="Guess ahead", start=0, low=0, high=8, noun="tokens", shown={0: "off"}),
    Slider(name="acceptance", label="Guesses right", start=0.7, low=0, high=1, step=0.01),
    Number(name="seed", label="Luck (seed)", start=1, low=0, high=9_999),
    choices.models("llama-3.1-8b", ("llama-3.2-1b", "llama-3.1-8b", "qwen3-14b")),
    choices.weights(),
    choices.devices("rtx-4090", ("apple-m3-max-40c", "rtx-4090", "h100-sxm")),
)

READOUTS = (
    Readout(name="passes", label="Passes so far", counts="pass"),
    Readout(name="prefill_passes", label="of them prefill", counts="pass"),
    Readout(name="decode_passes", label="of them decode", counts="pass"),
    Readout(name="prompt_tokens", label="Prompt", counts="token"),
    Readout(name="output_tokens", label="Answer so far", counts="token"),
    Readout(name="kv_rows", label="KV cache", counts="row"),
    Readout(name="ttft_s", label="First token after", unit="s"),
    Readout(name="total_s", label="Whole answer", unit="s"),
)

PRESETS = (
    Preset(label="One token", values={"output_tokens": "1"}),
    Preset(label="A long document", values={"example": "document", "output_tokens": "24"}),
    Preset(label="… in chunks of 512", values={"example": "document", "output_tokens": "24", "chunk_tokens": "512"}),
    Preset(label="Guess 4 ahead", values={"output_tokens": "24", "draft_tokens": "4"}),
)
