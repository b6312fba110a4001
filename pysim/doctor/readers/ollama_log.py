"""What do an ollama server's own lines say about each request?

`[GIN] 2025/07/27 - 14:40:31 | 200 | 5.088275983s | 127.0.0.1 | POST "/api/generate"`: how long the whole answer took.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import DURATION, duration_s
from pysim.doctor.read.ollama.setup import setup
from pysim.doctor.read.run import Latency, Reading, Run
from pysim.doctor.read.statistics import mean, middle
from pysim.doctor.read.text import Text

TOOL: Final = "ollama log"
TOOLS: Final = {TOOL: "ollama"}
_REQUEST: Final = re.compile(
    rf"\[GIN\] [\d/]{{8,10}} - [\d:]{{8}} \| ?(\d{{3}}) ?\| {{0,20}}({DURATION}) ?\|[^|]{{0,80}}\| "
    r'POST {0,8}"/(?:api/generate|api/chat|v1/(?:chat/)?completions|v1/messages|v1/responses)'
)


def read(text: Text) -> Reading:
    """All requests of the log as one run: a total per request is all that such a line holds."""
    lines = []
    times: list[float] = []
    failed = 0
    for at in text.places("[GIN]"):
        match = _REQUEST.search(text.lines[at].text)
        time_s = duration_s(match[2]) if match is not None else None
        if match is None or time_s is None:
            continue
        lines.append(text.lines[at].number)
        if match[1] == "200":
            times.append(time_s)
        else:
            failed += 1
    if not times:
        return Reading(runs=())
    run = Run(
        tool=TOOL,
        kind="service",
        line=lines[-1],
        last_line=lines[-1],
        engine="llama.cpp",
        setup=setup(text),
        requests=len(times),
        failed_requests=failed or None,
        total_s=times[0] if len(times) == 1 else None,
        end_to_end=Latency(mean_s=mean(times), median_s=middle(times), least_s=min(times), most_s=max(times)),
        doubts=("the log times whole requests only, not reading and writing separately",),
    )
    return Reading(runs=(run,), lines=len(text.lines))
