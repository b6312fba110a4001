"""What does the result of SGLang's load generator say: its block, and its lines of JSON?

`python -m sglang.bench_serving`, https://docs.sglang.io/developer_guide/bench_serving.html: its block names a
backend.
"""

from __future__ import annotations

from typing import Final

from pysim.doctor.read.run import Reading
from pysim.doctor.read.service.block import blocks
from pysim.doctor.read.service.json import engine_of, is_result, is_sglang, json_gaps, json_run
from pysim.doctor.read.service.run import block_gaps, block_run
from pysim.doctor.read.text import Text

TOOL: Final = "sglang bench_serving"
TOOLS: Final = {TOOL: "SGLang"}


def read(text: Text) -> Reading:
    """One run per block that names a backend, and per line of JSON."""
    runs, gaps = [], []
    for block in text.once(blocks):
        if "backend" in block.words:
            runs.append(block_run(block, text, tool=TOOL, engine=engine_of(block.words["backend"], None)))
            gaps.extend(block_gaps(block))
    if "total_input_tokens" in text.plain or "mean_ttft_ms" in text.plain:
        for record in text.objects:
            if is_result(record.value) and is_sglang(record.value):
                runs.append(json_run(record, tool=TOOL, engine=None))
                gaps.extend(json_gaps(record))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))
