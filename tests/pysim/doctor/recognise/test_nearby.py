"""Are the device and the model found that people name in the text around their tool's lines?"""

import pytest

from pysim.doctor.case import Case
from pysim.doctor.diagnose import diagnose

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
SMI = """| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
|   0  NVIDIA GeForce RTX 3090        Off |   00000000:01:00.0 Off |                  N/A |
| 30%   52C    P2            340W /  350W |   21846MiB /  24576MiB |     98%      Default |
"""
SECOND = "|   1  NVIDIA GeForce RTX {}        Off |   00000000:02:00.0 Off |                  N/A |\n"


def first(text: str) -> Case:
    return diagnose(text).cases[0]


@pytest.mark.parametrize(
    ("sentence", "key", "line"),
    [
        ("NVIDIA GeForce RTX 3090\n", "rtx-3090", 1),
        ("so\nI have a 3060 12GB, why?\n", "rtx-3060", 2),
        ("anyone else w/ a 4060ti 16gb seeing this??\n", "rtx-4060-ti-16", 1),
        ("RX 7900 XTX, ROCm 6.2\n", "rx-7900-xtx", 1),
        ("Apple M3 Max 40-core GPU, 64 GB\n", "apple-m3-max-40c-64gb", 1),
        ("MacBook Pro (M4 Max, 36 GB)\n", "apple-m4-max-32c", 1),
        ("Mac mini M4 with 24GB and 512 GB SSD\n", "apple-m4-10c-24gb", 1),
        ("on an L40S in the cloud\n", "l40s", 1),
        ("my Tesla P40 is slow\n", "p40", 1),
        ("one Arc Pro B70 here\n", "arc-pro-b70", 1),
        ("M5 Pro, 64 GB\n", "apple-m5-pro-20c", 1),
        ("8x MI355X\n", "mi355x", 1),
        ("GeForce RTX 4090 Laptop GPU\n", "rtx-4090-laptop", 1),
        ("H100 PCIe, driver 550\n", "h100-pcie", 1),
        ("PC: Ryzen 9 7950X, RTX 4090, 64GB DDR5\n", "rtx-4090", 1),
        ("raspberry pi 5 8GB\n", "raspberry-pi-5", 1),
        (SMI, "rtx-3090", 2),
    ],
)
def test_a_device_that_stands_alone_in_the_text_is_taken_and_its_line_named(sentence: str, key: str, line: int) -> None:
    for text in (sentence + ANSWER, ANSWER + sentence):
        device = first(text).device
        assert device is not None, text
        assert device.key == key
        assert device.how == f"named in the text, line {line if text.startswith(sentence) else line + 9}"


@pytest.mark.parametrize(
    "sentence",
    [
        "GeForce RTX 4080 Laptop GPU\n",
        "GTX 1650 SUPER\n",
        "it took 3090 tokens and 4090 ms\n",
        "Output of A10B and T4x\n",
    ],
)
def test_what_is_no_device_of_the_catalogue_is_not_taken_for_one(sentence: str) -> None:
    device = first(sentence + ANSWER).device
    assert device is None or device.key is None


def test_several_devices_are_asked_about() -> None:
    device = first(SMI + SECOND.format("3060") + ANSWER).device
    assert device is not None
    assert (device.key, device.candidates) == (None, ("rtx-3090", "rtx-3060"))
    device = first("RTX 3090 and a GTX 1080 Ti\n" + ANSWER).device
    assert device is not None
    assert device.key is None


def test_a_memory_that_two_builds_share_leaves_both() -> None:
    device = first("Running on my M1 Max 64GB:\n" + ANSWER).device
    assert device is not None
    assert device.candidates == ("apple-m1-max-24c", "apple-m1-max-32c")


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("2x RTX 4090", 2), ("2 x 3090", 2), ("dual RTX 3090", 2), ("RTX 3090 x2", 2), ("one RTX 3090", 1),
        (SMI + SECOND.format("3090"), 2),
    ],
)  # fmt: skip
def test_equal_devices_are_counted(sentence: str, count: int) -> None:
    case = first(sentence + "\n" + ANSWER)
    assert case.device is not None
    assert case.device.key is not None
    assert case.n_devices == count


def test_a_run_on_processors_is_not_given_the_graphics_card_of_the_text() -> None:
    row = "| llama 8B Q4_K - Medium | 4.58 GiB | 8.03 B | CPU | 16 | {} | {} |\n"
    table = (
        "| model | size | params | backend | threads | test | t/s |\n|---|---:|---:|---|---:|---:|---:|\n"
        + row.format("pp512", "90.00 ± 0.10")
        + row.format("tg128", "11.00 ± 0.10")
    )
    device = first("PC: Ryzen 9 7950X, RTX 4090\n" + table).device
    assert device is not None
    assert device.candidates == ("ryzen-7950x",)
    assert first("RTX 4090\n" + table).device is None


@pytest.mark.parametrize(
    ("sentence", "key", "weights"),
    [
        ("ollama run qwen2.5:14b --verbose\n", "qwen2.5-14b", None),
        ("anyone on qwen3 14b q4km??\n", "qwen3-14b", "q4_k_m"),
        ("general.name = Meta Llama 3.1 8B Instruct\nprint_info: file type = Q8_0\n", "llama-3.1-8b", "q8_0"),
        ("lmstudio-community/Qwen2.5-14B-Instruct-GGUF Q4_K_M\n", "qwen2.5-14b", "q4_k_m"),
        ("mistral 7b q4_0, cache q8_0 (-ctk q8_0)\n", "mistral-7b-v0.3", "q4_0"),
    ],
)
def test_a_model_below_the_measurement_is_taken_with_its_format(sentence: str, key: str, weights: str | None) -> None:
    case = first(ANSWER + sentence)
    assert case.model is not None
    assert case.model.key == key
    assert case.model.how in ("named in the text, line 10", 'name in "qwen2.5:14b"')
    assert case.weights is not None
    assert case.weights.key == weights


def test_several_models_are_asked_about_and_none_lends_its_format() -> None:
    case = first(ANSWER + "qwen2.5:7b was quicker than Qwen2.5-14B-Instruct-Q8_0.gguf\n")
    assert case.model is not None
    assert (case.model.key, case.model.candidates) == (None, ("qwen2.5-7b", "qwen2.5-14b"))


def test_a_draft_model_is_not_the_model() -> None:
    case = first(ANSWER + "draft model: Qwen2.5-0.5B-Instruct\nmodel: Qwen2.5-14B-Instruct\n")
    assert case.model is not None
    assert case.model.key == "qwen2.5-14b"


def test_a_server_uses_as_many_devices_as_it_was_told() -> None:
    rates = "Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 60.0 tokens/s"
    case = first(
        f"2x RTX 4090\nvllm serve Qwen/Qwen2.5-32B-Instruct-AWQ -tp 2\n{rates}, Running: 1 reqs, Waiting: 0 reqs\n"
    )
    assert case.n_devices == 2
    assert case.model is not None
    assert case.model.key == "qwen2.5-32b-instruct"


def test_what_a_model_says_of_devices_is_no_device_of_the_run() -> None:
    chat = ">>> which card should I buy?\nThe RTX 4090 is the fastest one, or an H100.\n"
    assert first("ollama run llama3.1:8b --verbose\n" + chat + ANSWER).device is None
    device = first("on my RTX 3060\n" + chat + ANSWER).device
    assert device is not None
    assert device.key == "rtx-3060"


@pytest.mark.parametrize(
    "listed",
    [
        "[0] NVIDIA GeForce RTX 4090 | 65 °C\n[1] NVIDIA GeForce RTX 4090 | 35 °C\n",
        "GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-1)\nGPU 1: NVIDIA GeForce RTX 4090 (UUID: GPU-2)\n",
    ],
)
def test_lists_of_other_programs_are_counted_too(listed: str) -> None:
    assert first(listed + ANSWER).n_devices == 2


def test_two_sockets_are_no_two_devices() -> None:
    assert first("Dual EPYC 9654, no card\n" + ANSWER).n_devices == 1


def test_a_machines_model_is_no_language_model() -> None:
    case = first("Chipset Model: Apple M2 Pro\n" + ANSWER + "ollama run mistral\n")
    assert case.model is not None
    assert case.model.key == "mistral-7b-v0.3"


def test_form_and_memory_of_a_card_tell_its_builds_apart() -> None:
    for sentence, key in (
        ("A100 80GB SXM", "a100-sxm-80"),
        ("A100 80GB PCIe", "a100-pcie-80"),
        ("H100 SXM5", "h100-sxm"),
    ):
        device = first(sentence + "\n" + ANSWER).device
        assert device is not None
        assert device.key == key


def test_the_memory_in_a_row_below_tells_two_cards_of_one_name_apart() -> None:
    rows = (
        "|   0  NVIDIA GeForce RTX 4060 Ti     Off |   00000000:01:00.0  On |                  N/A |\n"
        "|  0%   45C    P8              5W /  165W |   15000MiB / {:>6}MiB |      3%      Default |\n"
    )
    for memory, key in (("16380", "rtx-4060-ti-16"), ("8188", "rtx-4060-ti-8")):
        device = first(rows.format(memory) + ANSWER).device
        assert device is not None
        assert device.key == key


def test_rocm_smis_rows_are_counted() -> None:
    row = "GPU[{}]\t\t: Card Series: \t\tAMD Radeon RX 7900 XTX\n"
    case = first(row.format(0) + row.format(1) + ANSWER)
    assert case.device is not None
    assert (case.device.key, case.n_devices) == ("rx-7900-xtx", 2)
