"""Known values: which are known exactly, or by their shape, and does pysim give them?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pysim import units
from pysim.deployed import Deployed
from pysim.engines.load import load_engine
from pysim.load import load_device, load_model
from pysim.memory.kv_cache import kv_cache_bytes, paged_capacity_tokens
from pysim.requests.passes import generation
from pysim.requests.request_estimate import Estimate, estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A question, the answer that a source gives, pysim's answer, and whether that is right."""

    question: str
    expected: str
    given: str
    right: bool
    source: str


@lru_cache(maxsize=1)
def fixtures() -> tuple[Fixture, ...]:
    """All of them, computed."""
    return (*_caches(), _capacity(), _passes(), _floor(), _two_speeds(), _quantized_twice())


def _caches() -> list[Fixture]:
    half = "6 GiB if its windows are overlooked"
    cases: list[tuple[str, str, int, float, str, str]] = [
        ("Llama 3.1 8B", "llama-3.1-8b", 131_072, 16.0, "", "arithmetic: 32 layers × 2 × 8 heads × 128 × 2 bytes"),
        ("Llama 7B", "llama-2-7b", 8192, 4.0, "", "https://github.com/abetlen/llama-cpp-python/issues/331"),
        ("Qwen3 8B", "qwen3-8b", 32_768, 4.5, "", "https://github.com/LMCache/LMCache/issues/1372"),
        ("Gemma 3 27B", "gemma-3-27b", 131_072, 10.41, "62 GiB if its windows are overlooked",
         "https://github.com/unslothai/unsloth/pull/4757"),
        ("gpt-oss-20b", "gpt-oss-20b", 131_072, 3.0, half, "arithmetic: every other layer keeps 128 tokens"),
        ("DeepSeek V3", "deepseek-v3", 163_840, 10.72, "twice that with a value for each key, 25 times with all heads",
         "https://github.com/unslothai/unsloth/pull/4757"),
    ]  # fmt: skip
    checked = []
    for name, key, tokens, gib, trap, source in cases:
        given = kv_cache_bytes(load_model(key), tokens) / units.GIB
        checked.append(
            Fixture(
                question=f"KV cache of {name}, {tokens:,} tokens, 16 bits" + (f" ({trap})" if trap else ""),
                expected=f"{gib:.2f} GiB",
                given=f"{given:.2f} GiB",
                right=abs(given / gib - 1) < 0.002,
                source=source,
            )
        )
    return checked


def _capacity() -> Fixture:
    block_tokens = load_engine("vllm").block_tokens or 0
    given = paged_capacity_tokens(load_model("qwen3-1.7b"), 18.78345 * units.GIB, block_tokens=block_tokens)
    return Fixture(
        question=f"tokens that fit in whole blocks of {block_tokens} in the 18.78 GiB (18.78345) left free, Qwen3 1.7B",
        expected="175,856",
        given=f"{given:,}",
        right=given == 175_856,
        source="https://github.com/vllm-project/vllm/issues/33263",
    )


def _passes() -> Fixture:
    given = sum(step.kind == "decode" for step in generation(prompt_tokens=20, output_tokens=57))
    return Fixture(
        question="decode passes for 57 answer tokens",
        expected="56",
        given=str(given),
        right=given == 56,
        source="https://github.com/abetlen/llama-cpp-python/issues/49",
    )


def _floor() -> Fixture:
    short, longer, longest = (_run("a100-pcie-80", prompt, engine="vLLM").ttft_s for prompt in (16, 64, 4096))
    return Fixture(
        question="time to first token of short prompts, A100, vLLM",
        expected="a floor, then it grows with the prompt",
        given=f"64 tokens take {longer / short:.2f} times 16's, 4,096 tokens {longest / longer:.0f} times 64's",
        right=bool(longer / short < 1.5 and longest / longer > 8),
        source="https://github.com/vllm-project/vllm/issues/7635",
    )


def _two_speeds() -> Fixture:
    first, second = (_run(device, 2048) for device in ("apple-m1-ultra-64c", "apple-m2-ultra-76c"))
    prefill, decode = first.ttft_s / second.ttft_s, _tpot(first) / _tpot(second)
    return Fixture(
        question="M2 Ultra against M1 Ultra: more arithmetic, the same bandwidth of 800 GB/s",
        expected="prefill clearly faster, decode barely",
        given=f"prefill × {prefill:.2f}, decode × {decode:.2f}",
        right=bool(prefill > 1.15 and abs(decode - 1) < 0.15),
        source="https://github.com/antirez/ds4/pull/706",
    )


def _quantized_twice() -> Fixture:
    plain, packed = (_run("a100-sxm-80", 4096, weights=weights, model="llama-2-7b") for weights in ("f16", "AWQ"))
    prefill, decode = plain.ttft_s / packed.ttft_s, _tpot(plain) / _tpot(packed)
    return Fixture(
        question="Llama 2 7B in 4 bits (AWQ) against 16 bits, A100, 4,096-token prompt",
        expected="decode faster, prefill of a long prompt slower",
        given=f"decode × {decode:.2f}, prefill × {prefill:.2f}",
        right=bool(prefill < 1 and decode > 1.2),
        source="https://github.com/casper-hansen/AutoAWQ/issues/276",
    )


def _run(
    device: str, prompt: int, *, model: str = "llama-3.1-8b", weights: str = "f16", engine: str | None = None
) -> Estimate:
    on = Deployed(load_model(model), load_device(device), weight_format=weights, engine=engine)
    return estimate(on, prompt_tokens=prompt, output_tokens=64)


def _tpot(whole: Estimate) -> float:
    if whole.tpot_s is None:
        raise ValueError("an answer of one token has no time per token after the first")
    return whole.tpot_s
