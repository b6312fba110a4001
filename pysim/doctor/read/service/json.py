"""What does the JSON say that vLLM's and SGLang's load generators save?

Both write `completed`, `total_input_tokens`, `mean_ttft_ms` and so on in one flat object,
https://github.com/vllm-project/vllm/blob/main/vllm/benchmarks/serve.py and
https://github.com/sgl-project/sglang/blob/main/python/sglang/bench_serving.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import count, finite, positive
from pysim.doctor.read.run import Gap, Latency, Run, Setup
from pysim.doctor.read.service.run import tpot_speed, with_doubts

_ENGINES: Final = {
    "vllm": "vllm", "vllm-chat": "vllm", "openai": None, "openai-chat": None, "openai-audio": None,
    "sglang": "sglang", "sglang-native": "sglang", "sglang-oai": "sglang", "sglang-oai-chat": "sglang",
    "trt": "tensorrt-llm", "tensorrt-llm": "tensorrt-llm", "lmdeploy": "lmdeploy", "lmdeploy-chat": "lmdeploy",
    "tgi": "tgi", "llama.cpp": "llama.cpp", "scalellm": "scalellm", "deepspeed-mii": "deepspeed-mii", "gserver": None,
    "truss": None, "vllm-rerank": "vllm", "vllm-pooling": "vllm",
}  # fmt: skip
_LATENCY: Final = {
    "mean_s": "mean_{}_ms", "median_s": "median_{}_ms", "deviation_s": "std_{}_ms", "p90_s": "p90_{}_ms",
    "p95_s": "p95_{}_ms", "p99_s": "p99_{}_ms", "most_s": "max_{}_ms", "least_s": "min_{}_ms",
}  # fmt: skip


def is_result(value: Mapping[str, object]) -> bool:
    """Is this object the saved result of such a load generator?"""
    return ("completed" in value and "duration" in value) or ("mean_ttft_ms" in value and "total_input_tokens" in value)


def is_sglang(value: Mapping[str, object]) -> bool:
    """Did SGLang's load generator write it?"""
    return "sharegpt_output_len" in value or "total_output_tokens_retokenized" in value or "input_throughput" in value


def engine_of(backend: object, otherwise: str | None) -> str | None:
    """The engine that a load generator's backend stands for; OpenAI's interface may be anybody's."""
    name = str(backend).strip().lower() if isinstance(backend, str) else ""
    known = _ENGINES.get(name, otherwise)
    return otherwise if known is None else known


def json_run(record: JsonObject, *, tool: str, engine: str | None) -> Run:
    """The saved object as a run of kind "service"."""
    value = record.value
    requests = count(value.get("completed"))
    prompt, output = finite(value.get("total_input_tokens")), finite(value.get("total_output_tokens"))
    duration = positive(value.get("duration"))
    tpot = _latency(value, "tpot")
    model = value.get("model_id")
    total = value.get("total_token_throughput", value.get("total_throughput"))
    reading = finite(value.get("input_throughput"))
    return with_doubts(
        Run(
            tool=tool,
            kind="service",
            line=record.line,
            last_line=record.last_line,
            engine=engine_of(value.get("backend", value.get("endpoint_type")), engine),
            setup=Setup(model=model if isinstance(model, str) else None),
            requests=requests,
            failed_requests=_failed(value, requests),
            prompt_tokens=prompt / requests if prompt is not None and requests else None,
            output_tokens=output / requests if output is not None and requests else None,
            request_rate_per_s=positive(value.get("request_rate")),
            request_throughput_per_s=positive(value.get("request_throughput")),
            concurrency_limit=count(value.get("max_concurrency")),
            sequences=positive(value.get("concurrency")),
            total_s=duration,
            total_prefill_tokens_per_s=prompt / duration if reading is None and prompt and duration else reading,
            decode_tokens_per_s=tpot_speed(tpot),
            decode_total_tokens_per_s=finite(value.get("output_throughput")),
            combined_tokens_per_s=finite(total),
            ttft=_latency(value, "ttft"),
            tpot=tpot,
            itl=_latency(value, "itl"),
            end_to_end=_latency(value, "e2el") or _latency(value, "e2e_latency"),
        )
    )


def json_gaps(record: JsonObject) -> list[Gap]:
    """A result that broke off, and what it would have held."""
    if record.whole:
        return []
    names = ("completed", "total_input_tokens", "total_output_tokens", "mean_ttft_ms", "mean_tpot_ms", "mean_itl_ms")
    missing = [name for name in names if name not in record.value]
    message = f"{', '.join(missing)} missing" if missing else "its end is missing"
    return [Gap(line=record.last_line, message=f"the saved result is cut off: {message}")]


def _failed(value: Mapping[str, object], requests: int | None) -> int | None:
    failed, asked = count(value.get("failed")), count(value.get("num_prompts"))
    if failed is None and asked is not None and requests is not None and asked > requests:
        return asked - requests
    return failed


def _latency(value: Mapping[str, object], name: str) -> Latency | None:
    known = {
        field: known / 1000
        for field, key in _LATENCY.items()
        if (known := finite(value.get(key.format(name)))) is not None
    }
    if "median_s" not in known and (middle := finite(value.get(f"p50_{name}_ms"))) is not None:
        known["median_s"] = middle / 1000
    return Latency(**known) if known else None
