"""What do OpenVINO GenAI's benchmark and llm_bench say?

`TTFT: 20.88 ± 0.47 ms`, `TPOT: …`, `Throughput : …`: samples' benchmark_genai; `[1][P0] First token latency: 234.56 ms,
other tokens latency: 34.50 ms/token, len of input tokens: 1024 * 1` and `[Average] …`: tools/llm_bench.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Gap, Latency, Reading, Run
from pysim.doctor.read.text import Text, is_whole

GENAI: Final = "openvino genai benchmark"
LLM_BENCH: Final = "llm_bench"
TOOLS: Final = {GENAI: "OpenVINO", LLM_BENCH: "OpenVINO"}
ENGINE: Final = "openvino genai"
_GENAI: Final = re.compile(
    r"(?<![a-zA-Z0-9] )\b(Load time|Generate time|Tokenization time|TTFT|TPOT|Throughput"
    r"|Prompt token size|Output token size)"
    rf" {{0,4}}: {{0,4}}({NUMBER})(?: {{0,2}}(?:±|\+/-|Â±) {{0,2}}({NUMBER}))? {{0,3}}(ms|tokens/s)?"
)
_FIRST: Final = re.compile(
    rf"\[(\w[\w-]{{0,12}})\](?:\[C\d{{1,4}}\])?(?:\[P(\d{{1,4}})\])? First token latency: ({NUMBER}) ms"
    r"(?:/\w{1,12})?, "
    rf"other tokens latency: (?:({NUMBER}) ms/(\d{{0,5}})token|NA)"
    r"(?:s?, len of (input )?tokens: (\d{1,9})(?: \* (\d{1,6}))?)?"
)
_SIZES: Final = re.compile(
    r"\[(\w[\w-]{0,12})\](?:\[C\d{1,4}\])?(?:\[P(\d{1,4})\])? Input token size: (\d{1,9}), Output size: (\d{1,9})"
)
_PADDED: Final = re.compile(r"Batch_size=(\d{1,6}), all input token size after padding: (\d{1,9}) \* \d")
_AVERAGE: Final = re.compile(
    r"\[Average\] (?:P|Prompt)\[(\d{1,4})\](?:L\[\d{1,4}\])?(?: Input token size: (\d{1,9}),)? "
    rf"1st token lan?tency: ({NUMBER}) ms(?:/\w{{1,12}})?, 2nd tokens? lan?tency: ({NUMBER}) ms/(\d{{0,5}})token"
    rf"(?:s?, 2nd tokens throughput: ({NUMBER}) tokens/s)?"
)
# https://github.com/openvinotoolkit/openvino.genai/pull/1244
_IMPOSSIBLE_MS: Final = 600_000.0


@dataclass(slots=True)
class _Block:
    line: int
    last_line: int
    values: dict[str, float] = field(default_factory=dict)
    deviations: dict[str, float] = field(default_factory=dict)


def read(text: Text) -> Reading:
    """One run per benchmark; of llm_bench one per prompt's average, or per iteration where no average follows."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    for block in _blocks(text):
        runs.append(_genai(block))
        missing = [name for name in ("TTFT", "TPOT", "Throughput") if name not in block.values]
        if missing:
            gaps.append(Gap(line=block.last_line, message=f"missing: {', '.join(missing)}"))
    averages = list(_averages(text))
    runs += averages
    if not averages:
        runs += _iterations(text)
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _blocks(text: Text) -> list[_Block]:
    blocks: list[_Block] = []
    if "TPOT" not in text.plain and "TTFT" not in text.plain:
        return blocks
    for at in text.places("Load time", "Generate time", "TTFT", "TPOT", "Throughput", "token size:"):
        line, content = text.lines[at]
        match = _GENAI.search(content)
        value = None if match is None else number(match[2])
        if match is None or value is None or (match[4] is None and "size" not in match[1]):
            continue
        if not is_whole(text, at, match.end(), match[2]) and match[4] is None:
            continue
        name = match[1]
        if not blocks or name in blocks[-1].values or line - blocks[-1].last_line > 4:
            blocks.append(_Block(line, line))
        blocks[-1].values[name] = value
        blocks[-1].last_line = line
        deviation = number(match[3] or "")
        if deviation is not None:
            blocks[-1].deviations[name] = deviation
    return [block for block in blocks if len(block.values.keys() & {"TTFT", "TPOT", "Throughput", "Generate time"}) > 1]


def _genai(block: _Block) -> Run:
    values, deviations = block.values, block.deviations
    first, tpot, whole = values.get("TTFT"), values.get("TPOT"), values.get("Generate time")
    prompt, output = values.get("Prompt token size"), values.get("Output token size")
    doubts = []
    untrusted: tuple[str, ...] = ()
    single = output == 1 or (
        whole is not None and first is not None and tpot is not None and whole < first + 0.5 * tpot
    )
    if single or (first is not None and first == tpot):
        doubts.append("TTFT equals TPOT or the whole time: one token was written, which is not enough to time writing")
        untrusted = ("decode_tokens_per_s", "tpot")
    return Run(
        tool=GENAI,
        kind="request",
        line=block.line,
        last_line=block.last_line,
        engine=ENGINE,
        prompt_tokens=prompt,
        output_tokens=output,
        sequences=1,
        load_s=_seconds(values.get("Load time")),
        prefill_s=_seconds(first),
        total_s=_seconds(whole),
        prefill_tokens_per_s=prompt / first * 1000 if prompt and first else None,
        decode_tokens_per_s=values.get("Throughput"),
        decode_deviation=deviations.get("Throughput"),
        ttft=_latency(first, deviations.get("TTFT")),
        tpot=_latency(tpot, deviations.get("TPOT")),
        doubts=tuple(doubts),
        untrusted=untrusted,
    )


def _averages(text: Text) -> Iterator[Run]:
    for at in text.places("[Average]"):
        line, content = text.lines[at]
        match = _AVERAGE.search(content) or _AVERAGE.search(f"{content.rstrip()} {text.joined(at + 1, 2)}")
        if match is None:
            continue
        _, prompt, first, tpot, batch, rate = match.groups()
        yield _bench(line, f"average of prompt {match[1]}", prompt, None, first, tpot, batch, number(rate or ""))


def _iterations(text: Text) -> Iterator[Run]:
    inputs: dict[tuple[str, str | None], str] = {}
    outputs: dict[tuple[str, str | None], str] = {}
    padded: str | None = None
    for at in text.places("Output size: ", "First token latency: ", "after padding: "):
        line, content = text.lines[at]
        padding, size = _PADDED.search(content), _SIZES.search(content)
        if padding is not None:
            padded = padding[2]
        if size is not None:
            inputs[size[1], size[2]], outputs[size[1], size[2]] = padded or size[3], size[4]
        match = _FIRST.search(content) or _FIRST.search(f"{content.rstrip()} {text.joined(at + 1, 2)}")
        if "First token latency: " not in content or match is None:
            continue
        iteration, prompt, first, tpot, batch, of_input, tokens, more = match.groups()
        if not is_whole(text, at, match.end(), ""):
            tokens = more = None
        # Before 2025 the line counted what was written, not the prompt.
        key = (iteration, prompt)
        read_tokens = tokens if of_input else inputs.get(key)
        # In a chat the first token's time is divided by the tokens of the prompt.
        divided = number(read_tokens or "") if f"[{iteration}][C" in content else None
        shown = first if divided is None else str((number(first) or 0.0) * divided)
        label = f"iteration {iteration}, prompt {prompt or 0}"
        yield _bench(line, label, read_tokens, outputs.get(key), shown, tpot, batch or more, None)
        padded = None


def _bench(
    line: int,
    label: str,
    prompt: str | None,
    output: str | None,
    first: str,
    tpot: str | None,
    batch: str | None,
    rate: float | None,
) -> Run:
    tokens, first_ms, each_ms = number(prompt or ""), number(first), number(tpot or "")
    sequences = number(batch or "") or 1.0
    total = rate if rate is not None else (sequences * 1000 / each_ms if each_ms else None)
    doubts = []
    untrusted: tuple[str, ...] = ()
    if each_ms is not None and each_ms > _IMPOSSIBLE_MS:
        doubts.append("an impossible time per token: versions from 2024 get it wrong for batches")
        untrusted = (
            "decode_tokens_per_s",
            "decode_total_tokens_per_s",
            "tpot",
            "ttft",
            "prefill_s",
            "prefill_tokens_per_s",
        )
    if "warm" in label or label.startswith("iteration 0"):
        doubts.append("the warm-up run, which includes one-time costs")
    if each_ms is None:
        doubts.append("one token was written, which does not tell how fast writing is")
    return Run(
        tool=LLM_BENCH,
        kind="request",
        line=line,
        last_line=line,
        label=label,
        engine=ENGINE,
        prompt_tokens=tokens,
        output_tokens=number(output or ""),
        sequences=sequences,
        prefill_s=_seconds(first_ms),
        prefill_tokens_per_s=tokens * sequences / first_ms * 1000 if tokens and first_ms else None,
        decode_tokens_per_s=total / sequences if total else None,
        decode_total_tokens_per_s=total if sequences > 1 else None,
        ttft=_latency(first_ms, None),
        tpot=_latency(each_ms, None),
        doubts=tuple(doubts),
        untrusted=untrusted,
    )


def _latency(mean_ms: float | None, deviation_ms: float | None) -> Latency | None:
    return None if mean_ms is None else Latency(mean_s=mean_ms / 1000, deviation_s=_seconds(deviation_ms))


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000
