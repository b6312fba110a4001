"""Loads for the demos: lengths of published traces, at a rate that the reader chooses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from demos.kit.declare.controls import Choice, Number, Option, Slider, Value
from pysim.serving.load.made import Lengths
from pysim.serving.load.traffic import Traffic, traffic_named
from pysim.serving.plan.limits import Limits, limits_named
from pysim.serving.request import Request

CHAT, CODE, LONG, EVEN = "chat", "code", "documents", "even"
# The published trace behind each load; "even" has the same lengths for all, which makes the rules plain to see.
TRACES: Final = {CHAT: "azure-2023-conv", CODE: "azure-2023-code", LONG: "mooncake-fast25-conversation"}
EVEN_PROMPT, EVEN_ANSWER = 1000, 200
INTERACTIVE, SERVER = "mlperf-llama-3.1-8b-interactive", "mlperf-llama-3.1-8b-server"
STRICT = "mlperf-deepseek-r1-interactive"


LOADS: Final = (
    Option(value=CHAT, label="chat: 1,000 tokens in, 130 out"),
    Option(value=CODE, label="code completion: 1,500 in, 13 out"),
    Option(value=LONG, label="long documents: 7,000 in, 350 out"),
    Option(value=EVEN, label=f"all alike: {EVEN_PROMPT:,} in, {EVEN_ANSWER} out"),
)


def load_choice(start: str = CHAT) -> Choice:
    """The choice of a load."""
    return Choice(name="load", label="Requests", start=start, options=LOADS)


def rate_slider(start: float = 4.0, high: float = 100) -> Slider:
    """Requests per second."""
    return Slider(
        name="rate",
        label="Arrivals per second",
        start=start,
        low=0.1,
        high=high,
        step=0.1,
        scale="log",
        marks=((0.1, "0.1"), (1, "1"), (10, "10"), (high, f"{high:,.0f}")),
    )


def seed_number() -> Number:
    """The seed of arrivals and lengths."""
    return Number(name="seed", label="Seed", start=1, low=0, high=9999)


def limits_choice(start: str = INTERACTIVE) -> Choice:
    """Limits on the wait and on the pace, as MLPerf Inference sets them (the third for DeepSeek-R1)."""
    return Choice(name="limits", label="Good enough", start=start, options=limits_options())


def limits_options() -> tuple[Option, ...]:
    """The limits that have a name, in words."""
    named = (INTERACTIVE, SERVER, STRICT)
    return tuple(Option(value=name, label=limits_words(limits_named(name))) for name in named)


def limits_words(limits: Limits) -> str:
    """Limits in words."""
    first, pace = limits.ttft_s or 0.0, limits.tpot_s or 0.0
    return f"a first token in {first:g} s, then one every {1000 * pace:g} ms"


def traffic(values: Mapping[str, Value]) -> Traffic:
    """The lengths and arrivals of a demo's `load`, with its `seed`."""
    name, seed = str(values["load"]), int(values.get("seed", 1))
    if name == EVEN:
        return Traffic(prompt=Lengths.fixed(EVEN_PROMPT), answer=Lengths.fixed(EVEN_ANSWER), seed=seed)
    return replace(traffic_named(TRACES[name]), seed=seed)


def requests(values: Mapping[str, Value], count: int) -> tuple[Request, ...]:
    """So many requests at the demo's `rate`."""
    rate = float(values["rate"])
    return traffic(values).at_rate(rate, count / rate)[:count]
