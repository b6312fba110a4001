"""Is the pool of vLLM as large as its logs print it? Tuned on one source alone, and held to the others."""

import statistics
from dataclasses import dataclass, replace

import pytest

import pysim
from pysim.engines.load import load_engine
from pysim.memory.engine_settings import EngineSettings
from pysim.memory.placement import places
from pysim.memory.reservation import Reservation, reservation

GIB = 2**30
VLLM = load_engine("vllm")


@dataclass(frozen=True)
class Line:
    """A log: which model on what, its settings, and the pool in GiB for each device or in tokens."""

    model: str
    device: str
    total_gib: float
    settings: EngineSettings
    pool_gib: float = 0.0
    tokens: int = 0
    n_devices: int = 1
    weights: str = "f16"
    source: str = ""

    @property
    def found(self) -> Reservation:
        device = replace(pysim.load_device(self.device), memory_bytes=self.total_gib * GIB, usable_share=1.0)
        model = pysim.load_model(self.model)
        on = pysim.Deployment(model, device, n_devices=self.n_devices, weight_format=self.weights)
        return reservation(VLLM, model, places(on), self.total_gib * GIB, 1, 1, self.settings)

    @property
    def error(self) -> float:
        found = self.found
        if self.tokens:
            assert found.pool_tokens is not None
            return found.pool_tokens / self.tokens - 1
        return found.reserved_bytes[0] / (self.pool_gib * GIB) - 1


def h100(model: str, pool_gib: float, n_devices: int = 1, version: str = "0.19") -> Line:
    """A run of the planner's report on H100 of 79.19 GiB at 0.95, with the defaults of a server."""
    settings = EngineSettings(share=0.95, version=version)
    return Line(model, "h100-sxm", 79.19, settings, pool_gib=pool_gib, n_devices=n_devices)


# https://github.com/llm-d-incubation/llm-d-planner/pull/205: 75.23 GiB − weights − peak − outside, all as printed.
TUNED = [
    h100("llama-3.1-8b", 58.11),
    h100("llama-3.1-8b", 75.23 - 7.51 - 1.89 - 2.07, 2),
    h100("llama-3.1-8b", 75.23 - 3.77 - 1.89 - 2.13, 4),
    h100("qwen2.5-7b", 58.53),
    h100("qwen2.5-7b", 75.23 - 7.12 - 2.21 - 2.06, 2),
    h100("qwen2.5-7b", 75.23 - 3.55 - 2.21 - 2.13, 4),
    h100("qwen3-8b", 75.23 - 15.27 - 2.21 - 0.25),
    h100("qwen3-30b-a3b", 75.23 - 56.88 - 2.68 - 0.27),
    h100("deepseek-v2-lite", 75.23 - 29.43 - 1.93 - 0.26),
    h100("gemma-2-27b", 75.23 - 50.72 - 3.66 - 0.26),
    h100("gemma-2-9b", 75.23 - 17.22 - 3.65 - 0.25),
    h100("phi-4", 75.23 - 27.39 - 1.52 - 0.25),
    h100("qwen3-14b", 41.94, version="0.15"),
    h100("qwen3-14b", 41.94, version="0.16"),
    h100("qwen3-14b", 45.34, version="0.17"),
    h100("qwen3-14b", 45.23, version="0.18"),
]


def _at(version: str, share: float, tokens: int | None = None, sequences: int | None = None) -> EngineSettings:
    return EngineSettings(version=version, share=share, pass_tokens=tokens, most_sequences=sequences)


HELD_OUT = [
    Line("llama-3.1-8b", "rtx-4090", 23.52, _at("0.19", 0.9), tokens=41_408, source="LLMServingSim's meta data"),
    # Before chunks of a prompt, the largest pass was the longest context.
    Line("llama-3.1-8b", "rtx-3090", 23.58, _at("0.6", 0.9, 20_000), tokens=31_232, source="vLLM issue 10517"),
    Line("phi-4", "a100-sxm-80", 79.15, _at("0.8", 0.7), tokens=237_040, weights="nf4", source="a notebook's log"),
    Line(
        "qwen3-235b-a22b", "h100-sxm", 79.22, _at("0.9", 0.9), tokens=178_880, n_devices=4, weights="fp8",
        source="vLLM issue 21348",
    ),
    Line("llama-3.1-8b", "h100-sxm", 79.22, _at("0.6", 0.9, 8_192, 256), pool_gib=53.29, source="vLLM PR 10511"),
    Line("llama-3.1-8b", "a100-sxm-80", 79.14, _at("0.6", 0.9, 8_192, 256), pool_gib=54.93, source="a book's log"),
    Line("llama-3.1-8b", "a100-pcie-40", 39.49, _at("0.19", 0.9), pool_gib=19.92, source="a benchmark of 2026-05"),
    Line("llama-3.1-8b", "a10g", 22.07, _at("0.7", 0.9, 2_048, 1), pool_gib=4.60, source="a log of 2025-03"),
    Line("llama-2-7b", "a100-sxm-80", 79.15, _at("0.2", 0.9, 4_096), tokens=7_351 * 16, source="vLLM PR 2031"),
    Line("qwen2.5-1.5b", "t4", 14.56, _at("0.7", 0.5, 32_768), pool_gib=2.36, source="a notebook's log of 2025-05"),
    Line("qwen3-8b", "rtx-2080-ti", 21.48, _at("0.8", 0.93, 8_192), pool_gib=14.49, n_devices=4, source="a blog"),
    Line("qwen3-4b", "rtx-3060", 12.0, _at("0.8", 0.95, 10_000, 1), pool_gib=3.06, source="a log of 2025-05"),
    # The fuller of two cards held less than the other, whose log it is (vLLM issue 13061): +19%.
    Line("qwen2.5-14b", "rtx-4090", 23.55, _at("0.7", 0.98, 2_048, 1), tokens=81_536, n_devices=2, source="13061"),
]  # fmt: skip


@pytest.mark.parametrize("line", TUNED, ids=lambda line: f"{line.model}-{line.n_devices}-{line.settings.version}")
def test_pools_of_the_source_that_it_was_tuned_on_are_within_half_a_percent(line: Line) -> None:
    assert abs(line.error) < 0.005


def test_pools_of_other_sources_are_within_a_tenth() -> None:
    errors = {line.source: line.error for line in HELD_OUT}
    assert statistics.median(map(abs, errors.values())) < 0.04, errors
    assert sum(abs(error) <= 0.101 for error in errors.values()) >= len(errors) - 1, errors


def test_heads_are_copied_where_ranks_outnumber_them() -> None:
    # Qwen2.5 1.5B has 2 heads of 128 in 28 layers: each of 4 ranks keeps one of them, 28 × 2 × 128 × 2 B a token.
    found = Line("qwen2.5-1.5b", "h100-sxm", 79.19, EngineSettings(), n_devices=4).found
    assert found.pool_tokens
    assert found.reserved_bytes[0] / found.pool_tokens == 28 * 2 * 128 * 2


def test_layers_of_two_kinds_take_pages_of_one_size() -> None:
    """Gemma 3 27B: 52 layers with a window and 10 without make 7 groups of 10, 70 pages for 62 layers.

    vLLM's own report of padding layers, and 11.4% less concurrency than a plain count in llm-d-planner's PR 205.
    """
    found = Line("gemma-3-27b", "h100-sxm", 79.19, EngineSettings()).found
    assert found.pool_tokens
    assert found.reserved_bytes[0] / found.pool_tokens == 70 * 2 * 16 * 128 * 2


def test_sglang_leaves_a_reserve_by_the_size_of_the_memory() -> None:
    # 512 MiB, 8,192 × 1.5 MiB, 256 × 2 MiB and 1/8 GiB of 79.11 GiB: a static fraction of 0.83.
    model = pysim.load_model("llama-3.1-8b")
    placed = places(pysim.Deployment(model, pysim.load_device("h100-sxm")))
    found = reservation(load_engine("sglang"), model, placed, 79.11 * GIB, 1)
    assert found.limit_bytes / GIB == pytest.approx(79.11 - (512 + 8_192 * 1.5 + 256 * 2) / 1024 - 0.125)
    assert found.limit_bytes / (79.11 * GIB) == pytest.approx(0.834, abs=0.001)
