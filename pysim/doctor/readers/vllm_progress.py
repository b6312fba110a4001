"""What does the progress bar say with which vLLM's `LLM.generate` counts finished prompts?

`Processed prompts: 100%|███| 8/8 [00:14<00:00, 1.80s/it, est. speed input: 71.11 toks/s, output: 142.22 toks/s]`:
tokens of the prompts and of the answers, each over the whole time; vllm/entrypoints/llm.py.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.service.run import model_above
from pysim.doctor.read.text import Text

TOOL: Final = "vllm progress bar"
TOOLS: Final = {TOOL: "vLLM"}
_WORDS: Final = "Processed prompts:"
_BAR: Final = re.compile(
    rf"Processed prompts: [^\n]{{0,400}}?\| ?(\d{{1,9}})/(\d{{1,9}}) \[((?:\d{{1,4}}:){{1,2}}\d\d)<[^,\]]{{1,12}}, "
    rf"{{0,4}}({NUMBER}) ?(it/s|s/it), est\. speed input: ({NUMBER}) toks/s, output: ({NUMBER}) toks/s"
)
_MODEL: Final = re.compile(r"\bmodel='([^']{1,200})'")


def read(text: Text) -> Reading:
    """One run per bar, by its last state."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    states: list[tuple[int, re.Match[str]]] = []
    for at in text.places(_WORDS):
        bar = _BAR.search(text.lines[at].text) or _BAR.search(text.joined(at, 2))
        if bar is None:
            continue
        if states and (bar[2] != states[-1][1][2] or int(bar[1]) < int(states[-1][1][1])):
            runs += _run(text, *states[-1])
        elif states:
            states.pop()
        states.append((at, bar))
    if states:
        runs += _run(text, *states[-1])
    for at, bar in states:
        if bar[1] != bar[2]:
            message = f"the bar ends at {bar[1]} of {bar[2]} prompts"
            gaps.append(Gap(line=text.lines[at].number, message=message))
    return Reading(runs=tuple(runs), gaps=tuple(gaps))


def _run(text: Text, at: int, bar: re.Match[str]) -> list[Run]:
    done, pace = int(bar[1]), number(bar[4])
    reading, writing = number(bar[6]), number(bar[7])
    if not done or not writing:
        return []
    clock_s = 0
    for part in bar[3].split(":"):
        clock_s = clock_s * 60 + int(part)
    # The clock has whole seconds; the pace of a bar that is through is its mean.
    total_s = done * pace if pace and bar[5] == "s/it" else done / pace if pace else float(clock_s)
    if abs(total_s - clock_s) > 1 + 0.05 * clock_s:
        total_s = float(clock_s)
    model = model_above(text, at) or next(
        (match[1] for line in reversed(text.lines[max(0, at - 80) : at]) if (match := _MODEL.search(line.text))), None
    )
    one = total_s / done
    run = Run(
        tool=TOOL,
        kind="combined",
        line=text.lines[at].number,
        last_line=text.lines[at].number,
        engine="vllm",
        setup=Setup(model=model),
        prompt_tokens=round(reading * one) if reading and total_s else None,
        output_tokens=round(writing * one) or None if total_s else None,
        requests=done,
        sequences=1 if done == 1 else None,
        total_s=total_s or None,
        total_prefill_tokens_per_s=reading,
        decode_total_tokens_per_s=writing,
        combined_tokens_per_s=(reading or 0.0) + writing,
        doubts=("both rates divide by the whole time, so the input rate is not the speed of reading",),
    )
    return [run]
