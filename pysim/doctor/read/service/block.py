"""Which labeled lines are in the result block that load generators print?

`============ Serving Benchmark Result ============`, then `Mean TTFT (ms):   77.86` and so on: the form of
vLLM's benchmark, https://github.com/vllm-project/vllm/blob/main/vllm/benchmarks/serve.py, which SGLang,
TensorRT-LLM and others took over and extended. Labels are found anywhere in a line, so prefixes do no harm.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Latency
from pysim.doctor.read.text import Text, is_whole

_HEAD: Final = "Serving Benchmark Result"
_RULE: Final = "=" * 20
_MILLISECONDS: Final = "(ms)"
# vLLM until 2024, and programs made of its own, print the unit behind the number.
_BARE: Final = {
    "Benchmark duration": "benchmark duration (s)", "Request throughput": "request throughput (req/s)",
    "Input token throughput": "input token throughput (tok/s)",
    "Output token throughput": "output token throughput (tok/s)",
}  # fmt: skip
# Another program under the same heading has other words for nearly all of it.
_OTHERS: Final = {
    "Number of total requests": "successful requests", "Benchmark Duration (sec)": "benchmark duration (s)",
    "Request throughput (req/sec)": "request throughput (req/s)",
    "Prompt throughput (tokens/second) avg": "input token throughput (tok/s)",
    "Generation throughput (tokens/second) avg": "output token throughput (tok/s)",
}  # fmt: skip
_NAMED: Final = {name.lower(): label for name, label in (_BARE | _OTHERS).items()}
_SPANS_BEFORE: Final = ("TTFT: ", "TPOT: ", "ITL: ")
_LABELS: Final = (
    "Successful requests", "Failed requests", "Total requests", "Maximum request concurrency",
    "Max request concurrency", "Request rate configured (RPS)", "Traffic request rate", "Benchmark duration (s)",
    "Total input tokens", "Total generated tokens", "Request throughput (req/s)", "Input token throughput (tok/s)",
    "Output token throughput (tok/s)", "Total token throughput (tok/s)", "Total Token throughput (tok/s)",
    *_OTHERS, *_BARE, "Peak output token throughput (tok/s)", "Peak concurrent requests", "Concurrency:", "Backend:",
    "Acceptance length",
)  # fmt: skip
_LABEL: Final = re.compile(
    "(?:^|[^a-z])(" + "|".join(re.escape(label.lower().rstrip(":")) for label in _LABELS) + ")"
    r"[*`]{0,3} {0,3}[:|][ :|*`\t]{0,80}(\S[^\n|]{0,60})?"
)
_LATENCY: Final = re.compile(
    r"\b(mean|median|std|min|max|p\d{1,2}(?:\.\d{1,3})?) (ttft|tpot|itl|e2el|e2e latency|end-to-end latency)"
    r"(?: \(ms\)[*`]{0,3} {0,3}[:|]|:(?=[ \t]{0,40}[\d.,]{1,20} ms))[ :|*`\t]{0,80}(\S{1,24})?"
)
_BEHIND: Final = re.compile(
    r"\b(ttft|tpot|itl|end to end latency) \(ms\) (avg|mean|median|p50|p90|p95|p99): {1,40}(\S{1,24})"
)
_VALUE: Final = re.compile(NUMBER)
_FIELDS: Final = {"mean": "mean_s", "avg": "mean_s", "median": "median_s", "std": "deviation_s",
                  "min": "least_s", "max": "most_s",
                  "p90": "p90_s", "p95": "p95_s", "p99": "p99_s", "p50": "median_s"}  # fmt: skip
_SPANS: Final = {"ttft": "ttft", "tpot": "tpot", "itl": "itl"}
# Printed before the head by some versions, and nothing that a block of its own could begin with.
_BEFORE: Final = ("traffic request rate", "maximum request concurrency", "max request concurrency", "backend")
_WITHIN: Final = (*_BEFORE, "concurrency", "acceptance length", "total requests", "total input tokens")
_MOST_LINES: Final = 120


@dataclass(slots=True)
class ResultBlock:
    """One block: where it begins (`at`: index of its line), words behind each label, latencies in s by field name.

    `of_another`: its words are those of a program that is not vLLM's.
    """

    at: int
    line: int
    last_line: int
    headed: bool
    of_another: bool = False
    words: dict[str, str] = field(default_factory=dict)
    latencies: dict[str, dict[str, float]] = field(default_factory=dict)

    def value(self, label: str) -> float | None:
        """The number behind a label, or None where it is missing or says "inf", "not set" or something similar."""
        return _value(self.words.get(label, ""))

    def count(self, label: str) -> int | None:
        """The same as a whole number."""
        value = self.value(label)
        return None if value is None else round(value)

    def latency(self, name: str) -> Latency | None:
        """One of "ttft", "tpot", "itl", "end_to_end"; None where no line of it was there."""
        values = self.latencies.get(name)
        return Latency(**values) if values else None


def blocks(text: Text) -> Iterator[ResultBlock]:
    """Every block, cut ones too: one without its head starts at the first label that stands only in such blocks."""
    places = text.places(_HEAD, _MILLISECONDS, *_SPANS_BEFORE, *_LABELS)
    if not places:
        return
    rules = text.places(_RULE)
    block: ResultBlock | None = None
    before: dict[str, str] = {}
    for at in places:
        line = text.lines[at]
        if block is not None and _is_over(block, at, line.number, rules):
            yield from _filled(block)
            block = None
        if _HEAD in line.text:
            yield from _filled(block)
            block, before = ResultBlock(at, line.number, line.number, headed=True, words=before), {}
            continue
        entry = _entry(text, at)
        if entry is None:
            continue
        name, key, value = entry
        if block is not None and not block.headed and _has(block, name, key):
            yield from _filled(block)
            block = None
        if block is None and name in _WITHIN:
            before |= {name: value} if name in _BEFORE and isinstance(value, str) else {}
            continue
        if block is None:
            block, before = ResultBlock(at, line.number, line.number, headed=False, words=before), {}
        block.last_line = line.number
        if isinstance(value, str):
            block.words[name] = value
            block.of_another = block.of_another or any(label.lower() in line.text.lower() for label in _OTHERS)
        else:
            block.latencies.setdefault(name, {}).setdefault(key, value)
    yield from _filled(block)


def _is_over(block: ResultBlock, at: int, number: int, rules: list[int]) -> bool:
    """Does the block end before line `at` of this `number`: by a rule in between, or by its length?"""
    after = bisect_right(rules, block.at)
    return (after < len(rules) and rules[after] < at) or number > block.line + _MOST_LINES


def _filled(block: ResultBlock | None) -> Iterator[ResultBlock]:
    if block is not None and (block.last_line > block.line or block.latencies or not block.headed):
        yield block


def _has(block: ResultBlock, name: str, key: str) -> bool:
    if not key:
        return name in block.words and name not in _BEFORE
    return key != "median_s" and key in block.latencies.get(name, {})


def _entry(text: Text, at: int) -> tuple[str, str, str | float] | None:
    words = text.lines[at].text.lower()
    if _MILLISECONDS in words or any(span.lower() in words for span in _SPANS_BEFORE):
        match = _LATENCY.search(words)
        if match is None and (behind := _BEHIND.search(words)) is not None and (value := _value(behind[3])) is not None:
            return _SPANS.get(behind[1], "end_to_end"), _FIELDS[behind[2]], value / 1000
        key = None if match is None else _FIELDS.get(match[1])
        value = None if match is None else _value(match[3] or _below(text, at))
        if (
            match is None
            or key is None
            or value is None
            or not is_whole(text, at, match.end(), match[3] or "", decimals=2)
        ):
            return None
        return _SPANS.get(match[2], "end_to_end"), key, value / 1000
    match = _LABEL.search(words)
    if match is None or not is_whole(text, at, match.end(), match[2] or "", decimals=2):
        return None
    shown = (match[2] or _below(text, at)).strip()
    return (_NAMED.get(match[1], match[1]), "", shown) if shown else None


def _below(text: Text, at: int) -> str:
    """A value that a narrow terminal put into the next line."""
    alone = text.lines[at + 1].text.strip() if at + 1 < len(text.lines) else ""
    return alone if number(alone) is not None else ""


def _value(shown: str) -> float | None:
    match = _VALUE.match(shown)
    return None if match is None else number(match[0])
