"""What does the result block of `vllm bench serve` say, and its saved JSON?"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.run import Reading
from pysim.doctor.read.service.block import ResultBlock, blocks
from pysim.doctor.read.service.json import engine_of, is_result, is_sglang, json_gaps, json_run
from pysim.doctor.read.service.run import block_gaps, block_run
from pysim.doctor.read.text import Text

TOOL: Final = "vllm bench serve"
TOOLS: Final = {TOOL: "vLLM"}
_BACKEND: Final = re.compile(r"(?:--backend[ =]{1,4}|\bbackend=)['\"]?([\w.-]{2,40})")
_LINES_ABOVE: Final = 80


def read(text: Text) -> Reading:
    """One run per block, and per saved object; blocks that name a backend are SGLang's."""
    runs, gaps = [], []
    for block in text.once(blocks):
        if "backend" in block.words:
            continue
        runs.append(block_run(block, text, tool=TOOL, engine=_engine(block, text)))
        gaps.extend(block_gaps(block))
    if "total_input_tokens" in text.plain or "mean_ttft_ms" in text.plain:
        for record in text.objects:
            if is_result(record.value) and not is_sglang(record.value):
                runs.append(json_run(record, tool=TOOL, engine="vllm"))
                gaps.extend(json_gaps(record))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _engine(block: ResultBlock, text: Text) -> str | None:
    """What answered the load: vLLM itself, unless the command or the block's own form says another one."""
    # TensorRT-LLM's copy of the program counts them.
    otherwise = None if block.of_another or "total requests" in block.words else "vllm"
    for line in reversed(text.lines[max(0, block.at - _LINES_ABOVE) : block.at]):
        match = _BACKEND.search(line.text) if "backend" in line.text else None
        if match is not None:
            return engine_of(match[1], otherwise)
    return otherwise
