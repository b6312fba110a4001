"""The controls, readouts and presets of the demo `two-policies`."""

from __future__ import annotations

from typing import Final

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Slider
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout
from demos.kit.serving.loads import limits_choice, load_choice, rate_slider, seed_number
from pysim.serving.policies import policies
from pysim.serving.policies.prefill_first import PrefillFirst
from pysim.serving.policies.shortest_first import ShortestFirst
from pysim.serving.policies.static import Static
from pysim.serving.policies.tensorrt_llm import TensorrtLlm
from pysim.serving.policies.vllm_v1 import VllmV1

LABELS: Final = {name: policy.label or name for name, policy in policies().items()}
OPTIONS = tuple(Option(value=name, label=label) for name, label in LABELS.items())

CONTROLS = (
    Choice(name="policy_a", label="Scheduler A", start=Static.name, options=OPTIONS),
    Choice(name="policy_b", label="Scheduler B", start=VllmV1.name, options=OPTIONS),
    load_choice(),
    rate_slider(2.0),
    limits_choice(),
    Slider(
        name="token_budget",
        label="Tokens a step",
        start=8192,
        low=256,
        high=16_384,
        scale="log",
        noun="tokens",
        marks=((256, "256"), (2048, "2,048"), (16_384, "16,384")),
    ),
    Slider(name="seats", label="Requests at once, at most", start=128, low=1, high=1024, scale="log"),
    seed_number(),
    choices.models("llama-3.1-8b", ("llama-3.1-8b", "qwen3-32b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "h100-sxm", "b200", "mi300x")),
)

READOUTS = tuple(
    readout
    for side in "ab"
    for readout in (
        Readout(name=f"ttft_p50_s_{side}", label=f"{side.upper()}: first token, p50", unit="s"),
        Readout(name=f"ttft_p99_s_{side}", label=f"{side.upper()}: first token, p99", unit="s"),
        Readout(name=f"tpot_p50_s_{side}", label=f"{side.upper()}: time per token, p50", unit="s"),
        Readout(name=f"tpot_p99_s_{side}", label=f"{side.upper()}: time per token, p99", unit="s"),
        Readout(name=f"goodput_{side}", label=f"{side.upper()}: goodput", unit="requests/s"),
        Readout(name=f"output_tokens_per_s_{side}", label=f"{side.upper()}: all tokens", unit="tokens/s"),
    )
)

PRESETS = (
    Preset(label="Static or continuous", values={}, recorded=True),
    Preset(
        label="Prompts first, or together",
        values={"policy_a": PrefillFirst.name, "load": "documents", "rate": "0.8"},
    ),
    Preset(
        label="In turn, or shortest first",
        values={"policy_a": VllmV1.name, "policy_b": ShortestFirst.name, "rate": "20"},
    ),
    Preset(
        label="Memory is full",
        values={"policy_a": VllmV1.name, "policy_b": TensorrtLlm.name, "device": "rtx-4090", "rate": "2"},
    ),
)
