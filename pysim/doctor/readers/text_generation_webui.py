"""What does text-generation-webui's line after an answer say?

`Output generated in 12.34 seconds (45.67 tokens/s, 512 tokens, context 1234, seed 42)`: modules/text_generation.py;
the rate is that of the whole answer, reading included.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Gap, Reading, Run
from pysim.doctor.read.text import Text

TOOL: Final = "text-generation-webui"
_LINES: Final = 2
TOOLS: Final = {TOOL: "text-generation-webui"}
_LINE: Final = re.compile(
    rf"Output generated in\s{{1,4}}({NUMBER})\s{{1,4}}seconds\s{{1,4}}\(({NUMBER})\s{{1,4}}(tokens/s|it/s),\s{{1,4}}"
    rf"({NUMBER})\s{{1,4}}tokens(?:,\s{{1,4}}context\s{{1,4}}({NUMBER})(?=,))?"
)


def read(text: Text) -> Reading:
    """One run per answer."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    for at in text.places("Output generated in"):
        line, content = text.lines[at]
        # A log in columns wraps the line and puts blanks before its rest.
        wrapped = (content, *(following.text for following in text.lines[at + 1 : at + 1 + _LINES]))
        match = _LINE.search(content) or _LINE.search(" ".join(" ".join(wrapped).split()))
        if match is None:
            gaps.append(Gap(line=line, message="the line is cut off: the rate and the number of tokens are missing"))
            continue
        time_s, rate, unit, output, context = match.groups()
        runs.append(
            Run(
                tool=TOOL,
                kind="combined",
                line=line,
                last_line=line,
                prompt_tokens=number(context or ""),
                output_tokens=number(output),
                sequences=1,
                total_s=number(time_s),
                combined_tokens_per_s=number(rate) if unit == "tokens/s" else None,
                doubts=("the rate divides the written tokens by the whole time, including reading",),
            )
        )
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))
