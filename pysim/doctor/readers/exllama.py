"""What do tabbyAPI's and ExLlamaV2's lines after an answer say?

`Metrics: 512 tokens generated in 12.3 seconds (Queue: 0.0 s, Process: 1234.5 T/s, Generate: 45.6 T/s, Context: 2048
tokens)`: common/gen_logging.py of tabbyAPI, later with cached and new tokens apart; `-- Response generated in 3.45
seconds, 128 tokens, 37.10 tokens/second (includes prompt eval.)`: ExLlamaV2's test_inference.py.
"""

from __future__ import annotations

import re
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Gap, Reading, Run
from pysim.doctor.read.text import Text

TABBY: Final = "tabbyapi"
EXLLAMA: Final = "exllamav2"
TOOLS: Final = {EXLLAMA: "ExLlama", TABBY: "TabbyAPI"}
_METRICS: Final = re.compile(rf"Metrics(?: \(ID: [\w-]{{1,64}}\))?: ?({NUMBER}) tokens generated in ({NUMBER}) seconds")
_QUEUE: Final = re.compile(rf"Queue: ({NUMBER}) ?s")
_PROCESS: Final = re.compile(
    rf"Process: (?:({NUMBER}) cached tokens and ({NUMBER}) new tokens at )?({NUMBER}|Indeterminate) ?T/s"
)
_GENERATE: Final = re.compile(rf"Generate: ({NUMBER}|Indeterminate) ?T/s")
_CONTEXT: Final = re.compile(rf"Context: ({NUMBER}) tokens")
_RESPONSE: Final = re.compile(rf"Response generated in ({NUMBER}) seconds, ({NUMBER}) tokens, ({NUMBER}) tokens/second")
_LINES: Final = 5


def read(text: Text) -> Reading:
    """One run per answer."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    for at in text.places("tokens generated in"):
        content = " ".join(f"{text.lines[at].text} {text.joined(at + 1, _LINES)}"[:600].split())
        match = _METRICS.search(content)
        if match is None:
            continue
        again = content.find("Metrics", match.end())
        runs.append(_run(text.lines[at].number, match, content if again < 0 else content[:again]))
        if runs[-1].decode_tokens_per_s is None and _GENERATE.search(content) is None:
            gaps.append(Gap(line=text.lines[at].number, message="the line is cut off: the speeds are missing"))
    for at in text.places("Response generated in"):
        match = _RESPONSE.search(text.lines[at].text)
        if match is not None:
            line = text.lines[at].number
            runs.append(
                Run(
                    tool=EXLLAMA,
                    kind="combined",
                    line=line,
                    last_line=line,
                    engine="exllamav2",
                    output_tokens=number(match[2]),
                    sequences=1,
                    total_s=number(match[1]),
                    combined_tokens_per_s=number(match[3]),
                    doubts=("the rate divides the written tokens by the whole time, including reading",),
                )
            )
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _run(line: int, match: re.Match[str], content: str) -> Run:
    output, total = number(match[1]), number(match[2])
    queue, process = _QUEUE.search(content), _PROCESS.search(content)
    generate, context = _GENERATE.search(content), _CONTEXT.search(content)
    cached = number(process[1]) if process is not None and process[1] else None
    prompt = number(context[1]) if context is not None else None
    new = number(process[2]) if process is not None and process[2] else prompt
    reading = number(process[3]) if process is not None else None
    writing = number(generate[1]) if generate is not None else None
    waited = number(queue[1]) if queue is not None else None
    doubts = []
    if process is not None and process[1] is None and reading is not None:
        doubts.append("cached tokens may be counted as read: this version does not print them separately")
    if waited:
        doubts.append(f"the request waited {waited:.3g} s in a queue before its prompt was read")
    return Run(
        tool=TABBY,
        kind="request",
        line=line,
        last_line=line,
        engine="exllamav2",
        prompt_tokens=prompt,
        cached_tokens=cached,
        output_tokens=output,
        sequences=1,
        prefill_s=new / reading if new and reading else None,
        decode_s=output / writing if output and writing else None,
        total_s=total,
        unaccounted_s=waited,
        prefill_tokens_per_s=reading,
        decode_tokens_per_s=writing,
        doubts=tuple(doubts),
    )
