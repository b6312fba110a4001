"""Are compute buffers as large as logs of llama.cpp print them, and what takes more beside them?"""

import pytest

import pysim
from pysim.engines.load import load_engine
from pysim.memory.engine_settings import DEFAULTS, EngineSettings
from pysim.memory.working_memory import working_memory

MIB = 2**20
CARD = pysim.load_device("rtx-4090")
LLAMA_CPP = load_engine("llama.cpp").working


@pytest.mark.parametrize(
    ("key", "tokens", "printed_mib"),
    [
        # Logs: scores of a pass in 32 bits and about 8 MiB.
        ("qwen2.5-3b", 512, 304.75),
        ("qwen3-30b-a3b", 512, 304.75),
        ("qwen3-235b-a22b", 512, 304.75),
        ("llama-3.1-8b", 512, 258.50),
        ("llama-2-7b", 512, 70.50),
        ("gemma-2-9b", 2_048, 2_025.00),  # https://github.com/ggml-org/llama.cpp/pull/5631: a vocabulary of 256,000
    ],
)
def test_compute_buffers_are_as_logs_print_them(key: str, tokens: int, printed_mib: float) -> None:
    assert LLAMA_CPP is not None
    found = working_memory(LLAMA_CPP, pysim.load_model(key), CARD, EngineSettings(pass_tokens=tokens))
    # With a vocabulary of 32,000 the widest layer counts as more than the scores, by 12.5 MiB more than is printed.
    assert found.buffers_bytes / MIB == pytest.approx(printed_mib, abs=18)


def test_a_card_without_the_head_takes_88_to_189_mib_for_the_largest_mixture() -> None:
    assert LLAMA_CPP is not None
    found = working_memory(LLAMA_CPP, pysim.load_model("qwen3-235b-a22b"), CARD, DEFAULTS, head=False)
    assert 88 <= found.buffers_bytes / MIB <= 189


def test_memory_that_is_shared_loses_nothing_to_a_process() -> None:
    assert LLAMA_CPP is not None
    model = pysim.load_model("llama-3.1-8b")
    assert working_memory(LLAMA_CPP, model, pysim.load_device("apple-m4-max-40c"), DEFAULTS).outside_bytes == 0
    assert working_memory(LLAMA_CPP, model, CARD, DEFAULTS).outside_bytes == 470 * MIB


def test_devices_with_links_of_their_own_keep_buffers_for_them() -> None:
    # 2.07 to 2.13 GiB on H100 with two and four ranks; 0.25 on cards that talk over the host's bus (vLLM issue 13061).
    vllm, model = load_engine("vllm").working, pysim.load_model("llama-3.1-8b")
    assert vllm is not None
    linked = working_memory(vllm, model, pysim.load_device("h100-sxm"), DEFAULTS, 2)
    assert linked.outside_bytes == pytest.approx(2.1 * 2**30)
    assert working_memory(vllm, model, CARD, DEFAULTS, 2).outside_bytes == 256 * MIB


def test_an_exception_in_the_engines_list_is_one_here() -> None:
    # vLLM takes passes of 8,192 tokens and 1,024 sequences from 70 GiB on, but not on an A100.
    vllm, model = load_engine("vllm").working, pysim.load_model("llama-3.1-8b")
    assert vllm is not None
    large, old = (
        working_memory(vllm, model, pysim.load_device(key), DEFAULTS).buffers_bytes
        for key in ("h100-sxm", "a100-sxm-80")
    )
    assert large - old == (1_024 - 256) * 128_256 * 14 + (8_192 - 2_048) * 4_096 * 2
