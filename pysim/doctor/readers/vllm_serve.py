"""What does the result block of `vllm bench serve` say, and its saved JSON?"""

from __future__ import annotations

from typing import Final

from pysim.doctor.reading import Reading
from pysim.doctor.service import block_gaps, block_run
from pysim.doctor.service_block import blocks
from pysim.doctor.service_json import is_result, is_sglang, json_gaps, json_run
from pysim.doctor.text import Text

TOOL: Final = "vllm bench serve"


def read(text: Text) -> Reading:
    """One run per block; and per saved object; blocks that name a backend are SGLang's."""
    runs, gaps = [], []
    for block in blocks(text):
        if "backend" in block.words:
            continue
        runs.append(block_run(block, text, tool=TOOL, engine="vllm"))
        gaps.extend(block_gaps(block))
    if "total_input_tokens" in text.plain or "mean_ttft_ms" in text.plain:
        for found in text.objects:
            if is_result(found.value) and not is_sglang(found.value):
                runs.append(json_run(found, tool=TOOL, engine="vllm"))
                gaps.extend(json_gaps(found))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))
