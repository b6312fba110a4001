"""The controls, readouts and presets of the demo `together-or-apart`."""

from __future__ import annotations

from typing import Final

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option
from demos.kit.declare.demo import Preset
from demos.kit.declare.readouts import Readout
from demos.kit.serving.loads import limits_choice, load_choice, rate_slider, seed_number
from pysim.serving.cluster.link import LINKS

MACHINES: Final = 4
MEAN, EVERY = "mean", "every"
WINNERS: Final = {"together": "together", "apart": "apart", "even": "a draw"}
LINK_LABELS: Final = {
    "nvlink": "NVLink, 450 GB/s",
    "infiniband": "InfiniBand, 400 Gbit/s",
    "ethernet-100": "Ethernet, 100 Gbit/s",
    "ethernet-25": "Ethernet, 25 Gbit/s",
}

CONTROLS = (
    Choice(
        name="split", label="Apart means", start="2",
        options=tuple(
            Option(value=str(n), label=f"{n} read, {MACHINES - n} write") for n in range(1, MACHINES)
        ),
    ),
    Choice(
        name="link", label="Between them", start="infiniband",
        options=tuple(Option(value=name, label=LINK_LABELS[name]) for name in LINKS),
    ),
    load_choice("documents"),
    rate_slider(1.8),
    limits_choice("mlperf-llama-3.1-8b-server"),
    Choice(
        name="counts", label="A token is in time if", start=MEAN,
        options=(
            Option(value=MEAN, label="the mean gap of its answer is"),
            Option(value=EVERY, label="every gap of its answer is"),
        ),
    ),
    seed_number(),
    choices.models("llama-3.1-8b", ("llama-3.1-8b", "qwen3-32b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "h100-sxm", "b200", "mi300x")),
)  # fmt: skip

READOUTS = (
    Readout(name="winner", label="Better here", texts=WINNERS),
    Readout(name="goodput_together", label="Goodput together", unit="requests/s"),
    Readout(name="goodput_apart", label="Goodput apart", unit="requests/s"),
    Readout(name="second_token_wait_s", label="Rows on the wire, median", unit="s"),
    Readout(name="ttft_p99_s_together", label="First token together, p99", unit="s"),
    Readout(name="ttft_p99_s_apart", label="First token apart, p99", unit="s"),
)

PRESETS = (
    Preset(label="Long documents", values={}, recorded=True),
    Preset(label="Slow link", values={"link": "ethernet-25"}),
    Preset(label="Chat", values={"load": "chat", "rate": "50"}),
    Preset(label="Every gap counts", values={"load": "chat", "rate": "50", "counts": EVERY}),
)
