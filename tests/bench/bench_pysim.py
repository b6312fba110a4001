"""How fast is the simulator itself? Rows for `make bench`, each with its bound."""

from __future__ import annotations

import subprocess
import sys
import timeit
import tracemalloc
from time import process_time

from pysim import estimate, estimate_many, load_device, load_model
from pysim.deployment import Deployment
from tests.bench.row import Row

SETTINGS = 1_000_000
# The import alone: Python's own start is not pysim's. Processor time, as other programs must not count.
IMPORT = "from time import process_time as t; a = t(); {}; print(t() - a)"


def rows() -> list[Row]:
    """Measure."""
    million_s, million_bytes = million()
    return [
        Row(what="one estimate, after the first", value=one_s(), unit="s", bound=100e-6),
        Row(what="a million settings in one call", value=million_s, unit="s", bound=2),
        Row(what="memory of that call", value=million_bytes, unit="B", bound=1e9),
        Row(what="import pysim", value=import_s("import pysim"), unit="s", bound=0.06),
        Row(what="import with all that an estimate needs", value=import_s("from pysim import estimate"), unit="s"),
    ]


def one_s() -> float:
    """Seconds of one estimate after the first, the best of several rounds: other programs only ever add."""
    model, device = load_model("llama-3.1-8b"), load_device("rtx-4090")

    def once() -> object:
        return estimate(
            Deployment(model, device, weight_format="q4_k_m", engine="llama.cpp"), prompt_tokens=512, output_tokens=128
        )

    once()
    return min(timeit.repeat(once, timer=process_time, number=300, repeat=20)) / 300


def million() -> tuple[float, float]:
    """Seconds of a million different settings in one call, and the most memory held meanwhile."""
    import numpy as np

    model, device = load_model("llama-3.1-8b"), load_device("rtx-4090")
    chance = np.random.default_rng(1)
    prompt, output, batch = (chance.integers(1, high, SETTINGS) for high in (100_000, 4_000, 64))

    def once() -> object:
        return estimate_many(
            Deployment(model, device, engine="llama.cpp"), prompt_tokens=prompt, output_tokens=output, batch=batch
        )

    seconds = []
    for _ in range(3):
        start = process_time()
        once()
        seconds.append(process_time() - start)
    tracemalloc.start()
    once()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return min(seconds), float(most)


def import_s(statement: str) -> float:
    """Seconds of an import in a fresh Python, the best of several."""
    code = IMPORT.format(statement)
    times = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(7)]
    return min(float(each.stdout) for each in times)
