"""What does the JSON say that GuideLLM saves, `benchmarks.json`?

`benchmarks`, each with its strategy in `config` or `args` and `metrics`, whose values are told apart by `successful`,
`incomplete` and `errored`; latencies of tokens in ms, of requests in s: src/guidellm/benchmark/schemas of 0.3 to 0.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import count, finite, positive
from pysim.doctor.read.run import Latency, Reading, Run, Setup
from pysim.doctor.read.service.run import tpot_speed, with_doubts
from pysim.doctor.read.text import Text

TOOL: Final = "guidellm json"
TOOLS: Final = {TOOL: "GuideLLM"}
_MOST: Final = 80
_RATES: Final = ("constant", "poisson", "async")


def read(text: Text) -> Reading:
    """One run per benchmark."""
    if '"benchmarks"' not in text.plain or '"metrics"' not in text.plain:
        return Reading(runs=())
    runs = [run for record in text.objects for run in _runs(record)]
    return Reading(runs=tuple(runs), lines=len(text.lines))


def _runs(record: JsonObject) -> Iterator[Run]:
    several = record.value.get("benchmarks")
    for benchmark in several[:_MOST] if isinstance(several, list) else ():
        metrics = _table(benchmark, "metrics")
        if "request_latency" in metrics or "time_to_first_token_ms" in metrics:
            yield _run(record, benchmark, metrics)


def _run(record: JsonObject, benchmark: dict[str, object], metrics: dict[str, object]) -> Run:
    kind, rate, at_once = _strategy(benchmark)
    gap = _latency(metrics, "inter_token_latency_ms", 1e-3)
    requests = _table(metrics, "request_totals")
    prompt, output = _mean(metrics, "prompt_token_count"), _mean(metrics, "output_token_count")
    return with_doubts(
        Run(
            tool=TOOL,
            kind="service",
            line=record.line,
            last_line=record.last_line,
            label=kind,
            setup=Setup(model=_model(record.value, benchmark)),
            requests=count(requests.get("successful")),
            failed_requests=count(requests.get("errored")),
            prompt_tokens=prompt,
            output_tokens=output,
            sequences=_mean(metrics, "request_concurrency"),
            request_rate_per_s=rate,
            concurrency_limit=at_once,
            request_throughput_per_s=_mean(metrics, "requests_per_second"),
            decode_tokens_per_s=tpot_speed(gap),
            decode_total_tokens_per_s=_mean(metrics, "output_tokens_per_second"),
            ttft=_latency(metrics, "time_to_first_token_ms", 1e-3),
            # GuideLLM's own "time per output token" counts the first one too; its gap is what others call TPOT.
            tpot=gap,
            itl=gap,
            end_to_end=_latency(metrics, "request_latency", 1.0),
        )
    )


def _strategy(benchmark: Mapping[str, object]) -> tuple[str, float | None, int | None]:
    for place in ("config", "args"):
        strategy = _table(_table(benchmark, place), "strategy")
        kind = strategy.get("type_", strategy.get("kind"))
        if isinstance(kind, str):
            rate = positive(strategy.get("rate")) if kind in _RATES else None
            streams = count(strategy.get("streams", strategy.get("max_concurrency")))
            return kind[:40], rate, 1 if kind == "synchronous" else streams if rate is None else None
    return "", None, None


def _model(*places: Mapping[str, object]) -> str | None:
    for place in places:
        config = _table(place, "config")
        for inner in (place, config, _table(place, "args"), _table(config, "backend")):
            if isinstance(inner.get("model"), str):
                return str(inner["model"])[:160]
    return None


def _of_successes(metrics: Mapping[str, object], name: str) -> dict[str, object]:
    return _table(_table(metrics, name), "successful")


def _mean(metrics: Mapping[str, object], name: str) -> float | None:
    return positive(_of_successes(metrics, name).get("mean"))


def _latency(metrics: Mapping[str, object], name: str, unit: float) -> Latency | None:
    values = _of_successes(metrics, name)
    ranks = _table(values, "percentiles")
    named = {"mean_s": values.get("mean"), "median_s": values.get("median"), "least_s": values.get("min"),
             "most_s": values.get("max"), "p90_s": ranks.get("p90"), "p95_s": ranks.get("p95"),
             "p99_s": ranks.get("p99")}  # fmt: skip
    known = {field: value * unit for field, raw in named.items() if (value := finite(raw)) is not None}
    return Latency(**known) if known else None


def _table(value: object, name: str) -> dict[str, object]:
    inner = value.get(name) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}
