"""What do KoboldCpp's line under each answer and its benchmark's results say?"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pysim.doctor.read.llama_cpp.command import base_name
from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.numbers import NUMBER, count, positive
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.text import Text

TOOLS: Final = {"KoboldCpp": "KoboldCpp"}
_PHASE: Final = re.compile(
    rf"\b(Process|Processing|Generate|Generation|Total|Init) ?: ?({NUMBER}) ?s"
    rf"(?: ?\((?:({NUMBER}) ?ms/T)?(?: ?= ?)?(?:({NUMBER}) ?T/s)?\))?"
)
_CONTEXT: Final = re.compile(r"\bCtxLimit: ?(\d{1,9})/(\d{1,9})")
_AMOUNT: Final = re.compile(r"\bAmt: ?(\d{1,9})/\d{1,9}")
_FIELD: Final = re.compile(
    r"\b(Backend|Layers|Model|MaxCtx|GenAmount|(?:Processing|Generation|Total)(?:Time|Speed)): ?(.{1,200})"
)
_MOST_TOKENS: Final = 1e9
_BENCHMARK_LINES: Final = 24
_MOST_COLUMNS: Final = 40
_MOST_ROWS: Final = 200
_SPEED: Final = re.compile(rf"\A({NUMBER}) ?(?:T/s|s)\Z")
_PROGRESS: Final = re.compile(r"\b(Processing Prompt|Generating)(?: \[[^\]]{1,20}\])? \((\d{1,9}) ?/ ?\d{1,9} tokens\)")
_PROGRESS_LINES: Final = (90, 4)
_LACKS: Final = "the line is cut off: the time of {} is missing"


def read(text: Text) -> Reading:
    """One run per answer's lines and per table of its benchmark."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    places = text.places("Process:", "Processing:")
    if places:
        setups = Setups(text)
        for index in places:
            # The answer's line may be broken by a narrow window, and by newer versions into one line a phase.
            if _PHASE.search(text.lines[index].text) is None:
                continue
            run = _run(text, index, setups.at(index))
            if run is not None:
                runs.append(run)
                lacks = [
                    name for name, speed in (("reading", run.prefill_s), ("writing", run.decode_s)) if speed is None
                ]
                gaps += [Gap(line=run.last_line, message=_LACKS.format(name)) for name in lacks]
    for index in text.places("ProcessingTime:"):
        runs += [run for run in [_benchmark(text, index)] if run is not None]
    for index in text.places(",ProcessingTime,"):
        runs += _rows_below(text, index)
    return Reading(runs=tuple(runs), gaps=tuple(gaps))


def _run(text: Text, index: int, setup: Setup) -> Run | None:
    first, last = index, index
    # A narrow window breaks the line; what stands above belongs to it only if it is its beginning.
    above = text.lines[max(0, index - 2) : index]
    if "CtxLimit" not in text.lines[index].text and any("CtxLimit" in line.text for line in above):
        begin = next(place for place in (index - 1, index - 2) if "CtxLimit" in text.lines[place].text)
        first = index if any(_PHASE.search(line.text) for line in text.lines[begin:index]) else begin
    while last + 1 < len(text.lines) and last - index < 3 and not _has(text.joined(index, last - index + 1), "Total"):
        last += 1
    content = text.joined(first, last - first + 1)
    phases = {match[1][:4]: match for match in _PHASE.finditer(content[:4000])}
    if "Proc" not in phases or ("Gene" not in phases and "CtxLimit" not in content):
        return None
    whole = "Tota" in phases
    last = last if whole else index
    context, amount = _CONTEXT.search(content), _AMOUNT.search(content)
    prompt_s, prompt_speed, read_tokens = _phase(phases.get("Proc"))
    wrote_s, wrote_speed, wrote_tokens = _phase(phases.get("Gene"))
    if read_tokens is None and wrote_tokens is None and context is None:
        # Versions of 2023 counted tokens in the lines of their progress only.
        shown = _progress(text, first, last)
        read_tokens, wrote_tokens = shown.get("Processing Prompt"), shown.get("Generating")
        prompt_speed = read_tokens / prompt_s if read_tokens and prompt_s else None
        wrote_speed = wrote_tokens / wrote_s if wrote_tokens and wrote_s else None
    output = count(amount[1]) if amount else wrote_tokens
    # What is in the context at the end was read, was there before, or was written.
    known = count(context[1]) if context else None
    cached = None
    if known is not None and output is not None and read_tokens is not None and known - output > 1.02 * read_tokens:
        cached = known - output - read_tokens
    return Run(
        tool="KoboldCpp",
        kind="request",
        line=text.lines[first].number,
        last_line=text.lines[last].number,
        engine="llama.cpp",
        setup=replace(setup, context_tokens=count(context[2])) if context else setup,
        prompt_tokens=read_tokens if known is None else None if output is None else known - output,
        cached_tokens=cached,
        output_tokens=output,
        sequences=1,
        prefill_s=prompt_s,
        decode_s=wrote_s,
        total_s=_phase(phases.get("Tota"))[0],
        prefill_tokens_per_s=prompt_speed,
        decode_tokens_per_s=wrote_speed,
    )


def _progress(text: Text, first: int, last: int) -> dict[str, int]:
    """The last state of each bar above an answer's line; some log files have them below."""
    above, below = _PROGRESS_LINES
    shown: dict[str, int] = {}
    for line in reversed(text.lines[max(0, first - above) : first]):
        if "Time Taken" in line.text:
            break
        if "tokens)" in line.text and (match := _PROGRESS.search(line.text)) is not None:
            shown.setdefault(match[1], int(match[2]))
    if not shown:
        for line in text.lines[last : last + below]:
            if (match := _PROGRESS.search(line.text)) is not None:
                shown[match[1]] = int(match[2])
    return shown


def _has(line: str, word: str) -> bool:
    return f"{word}:" in line or f"{word} :" in line


def _phase(match: re.Match[str] | None) -> tuple[float | None, float | None, int | None]:
    """Seconds, tokens per second and tokens of a phase; old versions only print milliseconds per token."""
    seconds = positive(match[2]) if match else None
    if match is None or seconds is None:
        return None, None, None
    token_ms, speed = positive(match[3] or ""), positive(match[4] or "")
    speed = speed or (1e3 / token_ms if token_ms else None)
    return seconds, speed, round(seconds * speed) if speed and seconds * speed < _MOST_TOKENS else None


def _benchmark(text: Text, index: int) -> Run | None:
    """The results that `--benchmark` prints, one to a line."""
    first = max(0, index - _BENCHMARK_LINES)
    fields: dict[str, str] = {}
    last = index
    for at in range(first, min(len(text.lines), index + 8)):
        match = _FIELD.search(text.lines[at].text)
        if match is None or (match[1] in fields and at > index):
            continue
        fields[match[1]] = match[2].strip()
        last = at if match[1].endswith(("Time", "Speed")) and at > last else last
    return _of_fields(fields, text.lines[index].number, text.lines[last].number)


def _rows_below(text: Text, index: int) -> list[Run]:
    """The file that `--benchmark` writes, a row for each time it ran."""
    names = text.lines[index].text.split(",")[:_MOST_COLUMNS]
    runs = []
    for line in text.lines[index + 1 : index + 1 + _MOST_ROWS]:
        cells = line.text.split(",", len(names))
        if len(cells) < len(names) - 1:
            break
        fields = dict(zip((name.strip() for name in names), (cell.strip() for cell in cells), strict=False))
        # The file has no units, and seconds and tokens per second are read alike.
        fields |= {name: f"{fields[name]}s" for name in _BENCHMARK if fields.get(name)}
        runs += [run for run in [_of_fields(fields, line.number, line.number)] if run is not None]
    return runs


def _of_fields(fields: dict[str, str], line: int, last_line: int) -> Run | None:
    values = {name: _SPEED.match(fields.get(name, "")) for name in _BENCHMARK}
    numbers = {name: positive(match[1]) if match else None for name, match in values.items()}
    if numbers["ProcessingTime"] is None:
        return None
    limit, wrote = count(fields.get("MaxCtx")), count(fields.get("GenAmount"))
    return Run(
        tool="KoboldCpp",
        kind="request",
        line=line,
        last_line=last_line,
        label="benchmark",
        engine="llama.cpp",
        setup=Setup(
            model=fields.get("Model"),
            backend=base_name(fields["Backend"]) if "Backend" in fields else None,
            layers_on_device=count(fields.get("Layers")),
            context_tokens=limit,
        ),
        prompt_tokens=limit - wrote if limit is not None and wrote is not None and limit > wrote else None,
        output_tokens=wrote,
        sequences=1,
        prefill_s=numbers["ProcessingTime"],
        decode_s=numbers["GenerationTime"],
        total_s=numbers["TotalTime"],
        prefill_tokens_per_s=numbers["ProcessingSpeed"],
        decode_tokens_per_s=numbers["GenerationSpeed"],
    )


_BENCHMARK: Final = ("ProcessingTime", "ProcessingSpeed", "GenerationTime", "GenerationSpeed", "TotalTime")
