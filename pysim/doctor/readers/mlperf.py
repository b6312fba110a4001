"""What does the summary of an MLPerf inference run say about a language model?

`Mean First Token latency (ns) : 963332124` and `99.00 percentile time to output token (ns)` in nanoseconds:
loadgen/results.cc of https://github.com/mlcommons/inference; `Time per Output Token` in newer versions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Gap, Latency, Reading, Run
from pysim.doctor.read.service.run import tpot_speed, with_doubts
from pysim.doctor.read.text import Text, is_whole

TOOL: Final = "mlperf"
TOOLS: Final = {TOOL: "MLPerf"}
_RATE: Final = re.compile(
    rf"\b((?:completed |scheduled )?(?:samples|tokens) per second)(?: \(inferred\))? {{0,40}}: {{0,8}}({NUMBER})"
)
_LATENCY: Final = re.compile(
    r"\b(?:(min|max|mean)|(\d{2}\.\d{2}) percentile) "
    rf"(first token latency|time (?:to|per) output token|latency) \(ns\) {{0,40}}: {{0,8}}({NUMBER})"
)
_WORD: Final = re.compile(r"\b(scenario|result is) {0,8}: {0,8}(\w{2,20})")
_SPANS: Final = {"first token latency": "ttft", "latency": "end_to_end"}
_STATISTICS: Final = {"min": "least_s", "max": "most_s", "mean": "mean_s", "50.00": "median_s", "90.00": "p90_s",
                      "95.00": "p95_s", "99.00": "p99_s"}  # fmt: skip
_MOST_LINES_APART: Final = 40


@dataclass(slots=True)
class _Summary:
    line: int
    last_line: int
    rates: dict[str, float] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    latencies: dict[str, dict[str, float]] = field(default_factory=dict)


def read(text: Text) -> Reading:
    """One run per summary."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    for summary in _summaries(text):
        if "tokens per second" not in " ".join(summary.rates) and "ttft" not in summary.latencies:
            if "samples per second" in " ".join(summary.rates) or summary.latencies:
                gaps.append(
                    Gap(
                        line=summary.last_line,
                        message="the summary counts no tokens, so it is not for a language model",
                    )
                )
            continue
        run = _run(summary)
        runs.append(run)
        if run.ttft is None and summary.words.get("scenario") != "offline":
            gaps.append(Gap(line=summary.last_line, message="the first token latency is missing"))
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _summaries(text: Text) -> list[_Summary]:
    if (
        "percentile" not in text.plain
        and "MLPerf" not in text.plain
        and "Completed tokens per second" not in text.plain
    ):
        return []
    summaries: list[_Summary] = []
    for at in text.places("MLPerf Results Summary", "(ns)", " per second", "Scenario", "Result is"):
        line, content = text.lines[at][0], text.lines[at][1].lower()
        if not summaries or "mlperf results summary" in content or line - summaries[-1].last_line > _MOST_LINES_APART:
            summaries.append(_Summary(line, line))
        summary = summaries[-1]
        latency, rate, word = _LATENCY.search(content), _RATE.search(content), _WORD.search(content)
        if latency is not None:
            span = _SPANS.get(latency[3], "tpot")
            statistic, value = _STATISTICS.get(latency[1] or latency[2]), number(latency[4])
            if statistic is not None and value is not None and is_whole(text, at, latency.end(), latency[4]):
                summary.latencies.setdefault(span, {})[statistic] = value * 1e-9
        elif rate is not None:
            value = number(rate[2])
            if value is not None and is_whole(text, at, rate.end(), rate[2]):
                summary.rates[rate[1]] = value
        elif word is not None:
            summary.words[word[1]] = word[2]
        else:
            continue
        summary.last_line = line
    return summaries


def _run(summary: _Summary) -> Run:
    rates, words = summary.rates, summary.words
    spans = {name: Latency(**values) for name, values in summary.latencies.items()}
    finished = rates.get("completed samples per second", rates.get("samples per second"))
    tokens = rates.get("completed tokens per second", rates.get("tokens per second"))
    scenario = words.get("scenario", "")
    doubts = []
    if scenario == "offline":
        doubts.append("offline scenario: all samples are sent at once, so only the overall rate is meaningful")
    if words.get("result is") == "invalid":
        doubts.append("the run broke MLPerf's rules, so its result is INVALID")
    return with_doubts(
        Run(
            tool=TOOL,
            kind="service",
            line=summary.line,
            last_line=summary.last_line,
            label=scenario,
            output_tokens=tokens / finished if tokens and finished else None,
            request_rate_per_s=rates.get("scheduled samples per second"),
            request_throughput_per_s=finished,
            decode_tokens_per_s=tpot_speed(spans.get("tpot")),
            decode_total_tokens_per_s=tokens,
            ttft=spans.get("ttft"),
            tpot=spans.get("tpot"),
            end_to_end=spans.get("end_to_end"),
            doubts=tuple(doubts),
        )
    )
