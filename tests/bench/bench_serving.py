"""How fast is the simulation of many requests? Rows for `make bench`, each with its bound."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from time import process_time

from demos import knee, long_prompt, planner, two_policies
from demos.kit.declare.controls import start_values
from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.serving.load.traffic import traffic_named
from pysim.serving.request import Request
from pysim.serving.serve import serve
from tests.bench.row import Row

RATE = 10.0
LOTS = 200_000


def rows() -> list[Row]:
    """Measure."""
    on = Deployment(load_model("llama-3.1-8b"), load_device("h100-sxm"), engine="vLLM")
    chat = traffic_named("azure-2023-conv", seed=1)
    lots = chat.at_rate(RATE, LOTS / RATE)
    note = "chat lengths of Azure 2023, ten a second, Llama 3.1 8B on H100"
    return [
        Row(what="serve 10,000 requests", value=served_s(on, lots[:10_000]), unit="s", bound=0.5, note=note),
        Row(what="serve 300 requests", value=served_s(on, lots[:300]), unit="s", bound=0.025, note=note),
        Row(
            what="memory for 200,000 requests without a record",
            value=memory_bytes(on, lots),
            unit="B",
            bound=2e8,
            note="outcomes and queue, besides the requests",
        ),
        *[
            Row(what=f"a change of {demo.__name__.rpartition('.')[2]}", value=scene_s(demo), unit="s", bound=bound)
            for demo, bound in ((long_prompt, 0.05), (two_policies, 0.2), (knee, 1.0), (planner, 3.0))
        ],
    ]


def served_s(on: Deployment, load: Sequence[Request]) -> float:
    """Processor seconds of one run, the best of three."""
    seconds = []
    for _ in range(3):
        start = process_time()
        on.serve(load)
        seconds.append(process_time() - start)
    return min(seconds)


def memory_bytes(on: Deployment, load: Sequence[Request]) -> float:
    """The most that Python holds while it serves."""
    tracemalloc.start()
    serve(on, load, records=False)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return float(most)


def scene_s(demo: object) -> float:
    """Processor seconds from a control's value to the scene."""
    values = start_values(demo.CONTROLS)  # type: ignore[attr-defined]
    demo.scene(**values)  # type: ignore[attr-defined]
    start = process_time()
    demo.scene(**values)  # type: ignore[attr-defined]
    return process_time() - start
