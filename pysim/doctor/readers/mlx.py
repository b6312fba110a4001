"""What do MLX-LM's lines say after an answer, and those of its benchmark?

`Prompt: 32188 tokens, 430.339 tokens-per-sec` and `Generation: …`, then the peak of memory, mlx_lm/generate.py;
`Trial 1:  prompt_tps=…, generation_tps=…` and `Averages: …`, mlx_lm/benchmark.py; MLX-VLM prints the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number, size_bytes
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.service.run import model_above
from pysim.doctor.read.statistics import deviation, mean
from pysim.doctor.read.text import Text, is_whole

TOOL: Final = "mlx-lm"
BENCHMARK: Final = "mlx_lm.benchmark"
TOOLS: Final = {TOOL: "MLX-LM", BENCHMARK: "MLX-LM"}
_PHASE: Final = re.compile(rf"\b(Prompt|Generation): {{1,4}}(?:({NUMBER}) tokens?, {{0,4}})?({NUMBER}) tokens-per-sec")
_OLD: Final = re.compile(rf"\b(Prompt|Generation) [Tt]okens-per-sec: ({NUMBER})")
_MEMORY: Final = re.compile(rf"\bPeak memory: ({NUMBER} ?[KMGT]i?B)")
_TIMING: Final = re.compile(
    r"Timing with prompt_tokens=(\d{1,9})(?:,| and) generation_tokens=(\d{1,9})(?:, batch_size=(\d{1,6}))?"
)
_TRIAL: Final = re.compile(
    rf"(Trial \d{{1,6}}|Averages):\s{{1,8}}prompt_tps=({NUMBER}), generation_tps=({NUMBER})"
    rf"(?:, peak_memory=({NUMBER}))?"
)
_MOST_LINES_APART: Final = 6


@dataclass(slots=True)
class _Answer:
    at: int
    line: int
    last_line: int
    tokens: dict[str, float | None] = field(default_factory=dict)
    rates: dict[str, float | None] = field(default_factory=dict)
    memory_bytes: float | None = None


def read(text: Text) -> Reading:
    """One run per answer, and one per benchmark with its trials."""
    runs = _benchmarks(text)
    gaps: list[Gap] = []
    for answer in _answers(text):
        runs.append(_run(answer, text))
        missing = [word for key, word in (("Prompt", "reading"), ("Generation", "writing")) if key not in answer.rates]
        gaps += [Gap(line=answer.last_line, message=f"the line of {word} is missing") for word in missing]
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _answers(text: Text) -> list[_Answer]:
    answers: list[_Answer] = []
    places = text.places("tokens-per-sec", "okens-per-sec:", "Peak memory:")
    for at in places:
        line, content = text.lines[at]
        memory = _MEMORY.search(content) if "Peak memory:" in content else None
        if memory is not None:
            if answers and line - answers[-1].last_line <= _MOST_LINES_APART and answers[-1].memory_bytes is None:
                answers[-1].memory_bytes = size_bytes(memory[1])
                answers[-1].last_line = line
            continue
        match = _PHASE.search(content)
        old = None if match is not None else _OLD.search(content)
        if match is not None:
            phase, tokens, rate = match.groups()
        elif old is not None:
            phase, tokens, rate = old[1], None, old[2]
        else:
            continue
        last = answers[-1] if answers else None
        apart = last is None or line - last.last_line > _MOST_LINES_APART or last.memory_bytes is not None
        if last is None or apart or phase in last.rates or phase == "Prompt":
            answers.append(last := _Answer(at, line, line))
        last.tokens[phase] = number(tokens) if tokens else None
        last.rates[phase] = number(rate)
        last.last_line = line
    return answers


def _run(answer: _Answer, text: Text) -> Run:
    prompt, output = answer.tokens.get("Prompt"), answer.tokens.get("Generation")
    reading, writing = answer.rates.get("Prompt"), answer.rates.get("Generation")
    return Run(
        tool=TOOL,
        kind="request" if reading is not None else "generation",
        line=answer.line,
        last_line=answer.last_line,
        engine="mlx-lm",
        setup=Setup(model=model_above(text, answer.at)),
        prompt_tokens=prompt,
        output_tokens=output,
        sequences=1,
        prefill_s=prompt / reading if prompt and reading else None,
        decode_s=output / writing if output and writing else None,
        prefill_tokens_per_s=reading,
        decode_tokens_per_s=writing,
        memory_bytes=answer.memory_bytes,
        doubts=("one token was written: its time says nothing about the speed of writing",) if output == 1 else (),
    )


def _benchmarks(text: Text) -> list[Run]:
    runs: list[Run] = []
    started: re.Match[str] | None = None
    first = 0
    trials: list[tuple[float, float]] = []
    for at in text.places("Timing with prompt_tokens=", "prompt_tps="):
        line, content = text.lines[at]
        timing = _TIMING.search(content)
        if timing is not None:
            started, first, trials = timing, at, []
            continue
        match = _TRIAL.search(content)
        if match is None or not is_whole(text, at, match.end(), match[4] or match[3], decimals=3):
            continue
        reading, writing, memory = number(match[2]), number(match[3]), number(match[4] or "")
        if reading is None or writing is None:
            continue
        if match[1] != "Averages":
            trials.append((reading, writing))
            if started is None and len(trials) == 1:
                first = at
            continue
        runs.append(
            _benchmark(text, first if trials or started else at, line, started, trials, reading, writing, memory)
        )
        started, trials = None, []
    if trials:
        line = text.lines[text.places("prompt_tps=")[-1]].number
        reading, writing = (mean(column) for column in zip(*trials, strict=True))
        runs.append(_benchmark(text, first, line, started, trials, reading, writing, None))
    return runs


def _benchmark(
    text: Text,
    at: int,
    last_line: int,
    started: re.Match[str] | None,
    trials: list[tuple[float, float]],
    reading: float,
    writing: float,
    memory: float | None,
) -> Run:
    prompt, output, batch = (None, None, None) if started is None else (int(figure or 1) for figure in started.groups())
    several = len(trials) > 1
    scatter = deviation([trial[1] for trial in trials])
    doubts = () if started is not None else ("the line that says how many prompts ran at once is missing",)
    return Run(
        tool=BENCHMARK,
        kind="request",
        line=text.lines[at].number,
        last_line=last_line,
        label=f"average of {len(trials)} trials" if several else "",
        engine="mlx-lm",
        setup=Setup(model=model_above(text, at)),
        prompt_tokens=prompt,
        output_tokens=output,
        sequences=batch,
        repeats=len(trials) or None,
        prefill_tokens_per_s=reading,
        prefill_deviation=deviation([trial[0] for trial in trials]),
        decode_tokens_per_s=writing / (batch or 1),
        decode_deviation=None if scatter is None else scatter / (batch or 1),
        decode_total_tokens_per_s=writing if batch and batch > 1 else None,
        memory_bytes=None if memory is None else memory * 1e9,
        doubts=doubts,
    )
