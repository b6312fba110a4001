"""Is each cause found in the smallest text that reveals it, and none where the words mean nothing?"""

from __future__ import annotations

from typing import Final

import pytest

from pysim.doctor.answer.answer import answer_of
from pysim.doctor.case import Cause
from pysim.doctor.diagnose import diagnose
from pysim.doctor.evidence import MOST_CHARACTERS, words_of
from pysim.doctor.show.terminal import MOST_LINES, as_lines
from pysim.doctor.why import all_causes
from tests.pysim.doctor.samples import sample

CARD: Final = "  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9\n"
MODEL: Final = "llama-server -m Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf{}\n"


def times(reads: float, writes: float, prompt: int = 1000, answer: int = 200) -> str:
    """llama-server's two lines, for tokens per second."""
    return (
        f"prompt eval time = {1000 * prompt / reads:.2f} ms / {prompt} tokens ({1000 / reads:.2f} ms per token, "
        f"{reads:.2f} tokens per second)\n"
        f"       eval time = {1000 * answer / writes:.2f} ms / {answer} tokens ({1000 / writes:.2f} ms per token, "
        f"{writes:.2f} tokens per second)\n"
    )


SLOW: Final = times(3000, 40)
NORMAL: Final = times(8000, 150)
HOST: Final = times(300, 8)
VLLM: Final = (
    "INFO 05-05 10:00:05 metrics.py:455] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: {} tokens/s, "
    "Running: {} reqs, Swapped: 0 reqs, Pending: {} reqs, GPU KV cache usage: {}%, CPU KV cache usage: 0.0%.\n"
)
TABLE: Final = (
    "| model | size | params | backend | ngl | sm | test | t/s |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n"
    "| llama 70B Q4_K - Medium | 39.59 GiB | 70.55 B | CUDA | 99 | {} | tg128 | 9.00 ± 0.10 |\n"
)
PAIR: Final = (
    "  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6\n"
    "  Device 1: NVIDIA GeForce RTX 3090, compute capability 8.6\n"
)
STRIX: Final = "  Device 0: AMD Radeon 8060S Graphics, gfx1151\nllama-server -m {} -ngl 99\n"
# The name of each file: a text that reveals the cause, and a word of what it then says.
EXAMPLES: Final = {
    "layers_on_host": (CARD + MODEL.format(" -ngl 10") + HOST, "10 of 32 layers"),
    "experts_on_host": (
        CARD + "llama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ngl 99 --n-cpu-moe 40\n" + times(300, 20),
        "--n-cpu-moe 40",
    ),
    "context_too_large": (CARD + MODEL.format(" -ngl 10 -c 131072") + HOST, "cache takes 17.2 GB"),
    "prefix_lost": (
        CARD + MODEL.format("") + "slot update_slots: forcing full prompt re-processing due to lack of cache\n" + SLOW,
        "forcing full prompt",
    ),
    "flash_attention_off": (CARD + MODEL.format(" -fa off") + times(3000, 40, prompt=30_000), "-fa off"),
    "quantized_cache": (CARD + MODEL.format(" -ctk q8_0 -ctv q8_0") + SLOW, "-ctk q8_0"),
    "sampling": (
        "llama_perf_sampler_print:    sampling time =    6000.00 ms /   500 runs\n"
        "llama_perf_context_print: prompt eval time =     200.00 ms /   600 tokens\n"
        "llama_perf_context_print:        eval time =    4000.00 ms /   499 runs\n",
        "12 ms a token",
    ),
    "eager_mode": ("vllm serve Qwen/Qwen3-8B --enforce-eager\n" + VLLM.format(20, 1, 0, 0.1), "--enforce-eager"),
    "full_cache": (VLLM.format(3000, 500, 4000, 99.0), "4,000 requests wait"),
    "prompts_in_gaps": (sample("vllm_serve.txt"), "6 times the median"),  # 140 ms of 22 ms
    "cold_start": (times(5, 100, prompt=100), "times as long to read"),
    "several_at_once": (
        "slot print_timing: id  0 | task 10 | n_gen =    100, tg =  20.00 t/s, tg_3s =  20.00 t/s\n"
        "slot print_timing: id  1 | task 11 | n_gen =    100, tg =  20.00 t/s, tg_3s =  20.00 t/s\n"
        "slot print_timing: id  0 | task 10 | n_gen =    160, tg =  20.00 t/s, tg_3s =  20.00 t/s\n",
        "at the same time",
    ),
    "power_mode": (CARD + MODEL.format("") + "laptop, Low Power Mode is on\n" + SLOW, "Low Power Mode"),
    "heat": (CARD + MODEL.format("") + "| 99%   91C    P2   300W |\n" + SLOW, "91 °C"),
    "memory_taken": (
        "using device CUDA0 (NVIDIA GeForce RTX 4090) - 9000 MiB free\n" + MODEL.format("") + SLOW,
        "only 8.79 GiB of 24.0 GiB were free",
    ),
    "threads": (
        MODEL.format(" -ngl 10") + CARD + "system_info: n_threads = 32 (n_threads_batch = 32) / 32\n" + HOST,
        "n_threads = 32",
    ),
    "row_split": (PAIR + TABLE.format("row"), "row"),
    "npu": ("runs on the NPU of my laptop\nllama-server -m some-8b.Q4_0.gguf\n" + times(300, 8), "NPU"),
    "dense_model": (STRIX.format("Qwen3-32B-Q4_K_M.gguf") + times(200, 9), "every token reads all weights"),
    "slow_disk": ("llama-server -m some-70b.Q4_0.gguf\n" + times(1, 0.1), "a token at"),
    "sysmem_fallback": (
        "PS C:\\llama> .\\llama-server.exe -m Qwen3-32B-Q5_K_M.gguf -ngl 99\n" + CARD + times(300, 5), "Windows"
    ),
    "wrong_backend": (
        "warning: not compiled with GPU offload support, --gpu-layers option will be ignored\n" + HOST,
        "not compiled with GPU",
    ),
    "cache_on_host": (CARD + MODEL.format(" -ngl 99 -nkvo") + HOST, "-nkvo"),
}  # fmt: skip


def causes(text: str) -> list[Cause]:
    return [cause for case in diagnose(text).cases for cause in case.causes]


def test_every_cause_has_a_text() -> None:
    assert set(EXAMPLES) == set(all_causes())


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_a_cause_is_found_by_its_words_and_says_how_to_be_sure(name: str) -> None:
    text, words = EXAMPLES[name]
    told = [cause for cause in causes(text) if words in cause.reveals]
    assert len(told) >= 1, causes(text)
    assert told[0].what
    assert told[0].test
    lines = as_lines(diagnose(text))
    assert len(lines) <= MOST_LINES
    assert words.split()[0] in " ".join(lines)


@pytest.mark.parametrize(
    "name", sorted(set(EXAMPLES) - {"full_cache", "cold_start", "prompts_in_gaps", "slow_disk", "sampling"})
)
def test_a_cause_names_the_line_of_its_words(name: str) -> None:
    text, _ = EXAMPLES[name]
    for cause in causes(text):
        if cause.line is not None and cause.name not in ("heat", "several at once"):
            shown = cause.reveals.partition(":")[0].split()[-1].strip("()")
            assert shown in text.splitlines()[cause.line - 1] or cause.certainty == "shown"


@pytest.mark.parametrize("name", ["eager_mode", "quantized_cache", "power_mode", "heat", "sampling"])
def test_a_run_as_fast_as_others_has_no_such_cause(name: str) -> None:
    words = {"eager_mode": "--enforce-eager", "quantized_cache": "-ctk q8_0 -ctv q8_0", "power_mode": "power saver",
             "heat": "it gets throttled", "sampling": "--top-k 0"}  # fmt: skip
    assert causes(CARD + MODEL.format(" -ngl 99 " + words[name]) + NORMAL) == []


@pytest.mark.parametrize(
    "line",
    ["Should I use --enforce-eager?", "I am not using --enforce-eager", "if I add --enforce-eager it is the same"],
)
def test_a_question_or_a_denial_reveals_nothing(line: str) -> None:
    assert causes(f"{CARD}{MODEL.format(' -ngl 99')}{line}\n{SLOW}") == []


def test_of_two_commands_each_tells_of_its_own_run() -> None:
    text = CARD + MODEL.format(" -ngl 99 -fa off") + times(3000, 40, prompt=30_000) + MODEL.format(" -ngl 99") + SLOW
    first, second = diagnose(text).cases
    assert "flash attention off" in [cause.name for cause in first.causes]
    assert "flash attention off" not in [cause.name for cause in second.causes]


def test_sampling_gains_its_own_time() -> None:
    (cause,) = [cause for cause in causes(EXAMPLES["sampling"][0]) if cause.name == "sampling"]
    # 4 s of computing and 6 s of sampling make 10 s, 4 s without.
    assert cause.low == cause.high == pytest.approx(10 / 4)


def test_a_spoiled_number_is_none() -> None:
    assert causes(EXAMPLES["sampling"][0].replace("6000.00", "6000..0")) == []


def test_what_the_text_shows_is_part_of_the_verdict() -> None:
    verdict = answer_of(diagnose(EXAMPLES["full_cache"][0])).verdict
    assert "The reason: 4,000 requests wait, 99% of the cache is in use." in verdict


def test_of_a_long_log_the_beginning_and_the_end_are_searched() -> None:
    middle = "nothing here\n" * (MOST_CHARACTERS // 10)
    words = words_of(f"first\n{middle}last\n")
    assert len(words.plain) <= MOST_CHARACTERS + 1
    assert (words.lines[0], words.numbers[0]) == ("first", 1)
    at = words.lines.index("last")
    assert words.numbers[at] == middle.count("\n") + 2
