"""Is a name taken for what ran only where its sentence says so?"""

import pytest

from pysim.doctor.case import Case
from pysim.doctor.diagnose import diagnose
from pysim.doctor.recognise.weight import ASIDE, COMMAND, HEADING, LISTED, OWN, SAID, weight_of

ANSWER = """
total duration:       14.1s
load duration:        21.4ms
prompt eval count:    640 token(s)
prompt eval duration: 2.0s
prompt eval rate:     320.00 tokens/s
eval count:           240 token(s)
eval duration:        12.0s
eval rate:            20.00 tokens/s
"""
TIMES = """llama_print_timings: prompt eval time = 1200.00 ms / 10 tokens (120.00 ms per token, 8.33 tokens per second)
llama_print_timings:        eval time = 30000.00 ms / 100 runs (300.00 ms per token, 3.33 tokens per second)
"""


def first(text: str) -> Case:
    return diagnose(text).cases[0]


def device(text: str) -> str | None:
    case = first(text)
    return None if case.device is None else case.device.key


@pytest.mark.parametrize(
    ("line", "weight"),
    [
        ("ollama run RTX 4090", COMMAND),
        ("$ ./llama-cli -m RTX 4090", COMMAND),
        ("GPU 0: RTX 4090 (UUID)", LISTED),
        ("I have an RTX 4090 here", OWN),
        ("Specs: 64 GB, RTX 4090", OWN),
        ("slower than expected on my RTX 4090", OWN),
        ("RTX 4090:", HEADING),
        ("### RTX 4090", HEADING),
        ("it ran with an RTX 4090 yesterday", SAID),
        ("slower than an RTX 4090", ASIDE),
        ("compared to my old RTX 4090", ASIDE),
        ("Others get 100 t/s with an RTX 4090", ASIDE),
        ("A friend with an RTX 4090 gets 100", ASIDE),
        ("Should I buy an RTX 4090?", ASIDE),
        ("I used to have an RTX 4090", ASIDE),
        ("we upgraded from an RTX 4090", ASIDE),
        ("The RTX 4090 is not detected", ASIDE),
    ],
)
def test_a_sentence_says_how_much_a_name_counts_for(line: str, weight: float) -> None:
    at = line.index("RTX")
    assert weight_of(f"before.\n{line}\nbehind", 8 + at, 8 + at + 8).value == weight


@pytest.mark.parametrize(
    ("sentence", "key"),
    [
        ("Others get 100 t/s with an RTX 4090, why is mine so slow?", None),
        ("Should I buy an RTX 5090?", None),
        ("A friend with an RTX 4090 gets 100", None),
        ("ollama says no GPU found, so this is CPU [RTX 4090]", None),
        ("My 3090 is slower than a 4090", "rtx-3090"),
        ("I have an RTX 3090 and think of buying an RTX 5090", "rtx-3090"),
        ("I used to have an RTX 3090, now it is an M2 Ultra 76-core", "apple-m2-ultra-76c"),
    ],
)
def test_only_what_ran_is_taken_for_the_device(sentence: str, key: str | None) -> None:
    assert device(f"{sentence}\n{ANSWER}") == key


def test_two_that_are_compared_are_asked_about() -> None:
    case = first(f"Strix Halo vs RTX 4090\n{ANSWER}")
    assert case.device is not None
    assert case.device.key is None
    assert {"strix-halo", "rtx-4090"} <= set(case.device.candidates)


def test_what_was_not_taken_is_told_with_its_line_and_reason() -> None:
    case = first(f"A friend with an RTX 4090 gets 100\n{ANSWER}")
    assert case.doubts == ('not taken for the device of this run: "RTX 4090" in line 1 (it is somebody else\'s)',)


def test_a_heading_below_is_of_another_block() -> None:
    text = f"Old Xeon server, no GPU, llama-2-7b.Q4_0.gguf:\n{TIMES}\nRTX 4090:\n(out of memory)\n"
    case = first(text)
    assert case.device is None
    assert case.model is not None
    assert case.model.key == "llama-2-7b"


def test_each_block_has_the_device_of_the_heading_above_it() -> None:
    cases = diagnose(f"## RTX 3090\n{TIMES}\n## RTX 4090\n{TIMES}").cases
    assert [case.device.key for case in cases if case.device] == ["rtx-3090", "rtx-4090"]


def test_a_command_says_more_of_the_model_than_a_comparison() -> None:
    text = (
        "vllm serve /models/deepseekv3 --tensor-parallel-size 8 --served-model-name deepseek-v3\n"
        "It is almost 5 times slower than an unquantized Qwen2.5-72B model on the same box.\n"
        "INFO 05-05 10:00:05 metrics.py:467] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 3.0 "
        "tokens/s, Running: 1 reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 0.1%, CPU KV cache usage: "
        "0.0%.\n"
    )
    case = first(text)
    assert case.model is not None
    assert (case.model.key, case.n_devices) == ("deepseek-v3", 8)


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("7900XTX", "rx-7900-xtx"),
        ("AMD 7900 XTX", "rx-7900-xtx"),
        ("GeForce 4070 Super", "rtx-4070-super"),
        ("nvidia 4090", "rtx-4090"),
        ("4060ti 16GB, 12700k", "rtx-4060-ti-16"),
        ("intel A770 16GB", "arc-a770"),
        ("B580", "arc-b580"),
        ("AI MAX+ 395", "strix-halo"),
        ("gfx1151", "strix-halo"),
        ("RTX 6000 Pro Blackwell", "rtx-pro-6000-bw"),
    ],
)
def test_a_short_name_is_the_catalogs(words: str, key: str) -> None:
    assert device(f"on {words} here\n{ANSWER}") == key


@pytest.mark.parametrize(
    ("words", "count"),
    [
        ("8xH100 SXM", 8),
        ("16 H100 SXM GPUs", 16),
        ("two RTX 3090s", 2),
        ("2 RTX 3090s", 2),
        ("Windows 11 RTX 4090", 1),
        ("CUDA_VISIBLE_DEVICES=0,1,2,3 on A100 80GB SXM", 4),
    ],
)
def test_devices_are_counted_as_people_write_it(words: str, count: int) -> None:
    assert first(f"{words}\n{ANSWER}").n_devices == count


def test_a_device_below_a_table_is_that_of_each_row() -> None:
    text = (
        "Model | Prompt (t/s) | Gen (t/s)\n--- | --- | ---\nQwen3-30B-A3B Q4_K_M | 410 | 61\n"
        "Qwen3-30B-A3B Q4_K_M | 520 | 55\nStrix Halo 128GB\n"
    )
    assert [case.device.key for case in diagnose(text).cases if case.device] == ["strix-halo", "strix-halo"]


def test_each_sentence_has_its_own_device() -> None:
    text = (
        "Gemma 3 27B on M4 Max 40-core via Ollama gets me 22 tok/s, prompt processing 180 tok/s. My 3090 box does 35 "
        "tok/s on the same model."
    )
    mac, card = diagnose(text).cases
    assert mac.device is not None
    assert card.device is not None
    assert (mac.device.key, card.device.key) == ("apple-m4-max-40c", "rtx-3090")
    assert mac.decode is not None
    assert mac.prefill is not None
    # A bare rate beside one of reading is that of writing.
    assert (mac.prefill.tokens_per_s, mac.decode.tokens_per_s) == (180, 22)


@pytest.mark.parametrize("words", ["i9/4090.", "my 4090, and", "on a 4090."])
def test_a_bare_number_of_a_card_may_end_a_sentence(words: str) -> None:
    assert device(f"it is {words} So?\n{ANSWER}") == "rtx-4090"


def test_rates_of_processor_and_graphics_in_one_line_have_each_its_own() -> None:
    text = "Intel Core i7-13700K, RTX 4080\nCPU only: 5 t/s, GPU: 60 t/s with Mistral 7B Q8"
    slow, fast = diagnose(text).cases
    assert slow.device is None or slow.device.key != "rtx-4080"
    assert fast.device is not None
    assert fast.device.key == "rtx-4080"


def test_two_cards_in_one_sentence_have_each_its_rate() -> None:
    cases = diagnose("On the 4090 I get 40 t/s, on the 3090 I get 33 t/s with Qwen3 32B Q4_K_M").cases
    assert [(case.rate_tokens_per_s, case.device.key) for case in cases if case.device] == [
        (40, "rtx-4090"),
        (33, "rtx-3090"),
    ]
