"""Is every device of the catalogue known by the words that drivers and tools print, and no other by mistake?"""

import pytest

from pysim.catalog.files import device_keys, names_in
from pysim.doctor.recognise.device import device_of
from pysim.load import load_device
from pysim.units import GIB

NAMES = {
    "a10": "NVIDIA A10", "a10g": "NVIDIA A10G", "a40": "NVIDIA A40-48Q|NVIDIA A40",
    "a100-pcie-40": "NVIDIA A100-PCIE-40GB|NVIDIA A100-SXM4-40GB", "a100-pcie-80": "NVIDIA A100 80GB PCIe",
    "a100-sxm-80": "NVIDIA A100-SXM4-80GB", "ampereone-a192": "AmpereOne A192-32X",
    "arc-a770": "Intel(R) Arc(TM) A770 Graphics", "arc-b580": "Intel(R) Arc(TM) B580 Graphics", "b200": "NVIDIA B200",
    "core-ultra-155h": "Intel(R) Core(TM) Ultra 7 155H", "dgx-spark": "NVIDIA GB10|DGX Spark",
    "h100-pcie": "NVIDIA H100 PCIe", "h100-sxm": "NVIDIA H100 80GB HBM3", "h20": "NVIDIA H20",
    "h200-sxm": "NVIDIA H200", "jetson-agx-orin-64": "NVIDIA Jetson AGX Orin",
    "jetson-orin-nano-super": "NVIDIA Jetson Orin Nano", "jetson-orin-nx-16": "Jetson Orin NX",
    "jetson-thor": "NVIDIA Thor", "l4": "NVIDIA L4", "l40s": "NVIDIA L40S", "mi210": "AMD Instinct MI210",
    "mi250": "AMD Instinct MI250", "mi250x": "AMD Instinct MI250X", "mi300x": "AMD Instinct MI300X",
    "mi325x": "AMD Instinct MI325X", "r9700": "AMD Radeon AI PRO R9700",
    "raspberry-pi-5": "Raspberry Pi 5 Model B Rev 1.0", "rtx-2080-ti": "NVIDIA GeForce RTX 2080 Ti",
    "rtx-3060": "NVIDIA GeForce RTX 3060", "rtx-3060-ti": "NVIDIA GeForce RTX 3060 Ti",
    "rtx-3070": "NVIDIA GeForce RTX 3070", "rtx-3080": "NVIDIA GeForce RTX 3080",
    "rtx-3080-ti": "NVIDIA GeForce RTX 3080 Ti", "rtx-3090": "NVIDIA GeForce RTX 3090|RTX3090",
    "rtx-3090-ti": "NVIDIA GeForce RTX 3090 Ti", "rtx-4000-ada": "NVIDIA RTX 4000 Ada Generation",
    "rtx-4060": "NVIDIA GeForce RTX 4060", "rtx-4060-laptop": "NVIDIA GeForce RTX 4060 Laptop GPU",
    "rtx-4060-ti-16": "NVIDIA GeForce RTX 4060 Ti 16GB", "rtx-4060-ti-8": "RTX 4060 Ti (8GB)",
    "rtx-4070": "NVIDIA GeForce RTX 4070", "rtx-4070-super": "NVIDIA GeForce RTX 4070 SUPER",
    "rtx-4070-ti": "NVIDIA GeForce RTX 4070 Ti", "rtx-4080": "NVIDIA GeForce RTX 4080",
    "rtx-4080-super": "NVIDIA GeForce RTX 4080 SUPER",
    "rtx-4090": "Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes|RTX4090|4 x RTX 4090",
    "rtx-5000-ada": "NVIDIA RTX 5000 Ada Generation", "rtx-5060-ti": "NVIDIA GeForce RTX 5060 Ti 16GB",
    "rtx-5070": "NVIDIA GeForce RTX 5070", "rtx-5070-ti": "NVIDIA GeForce RTX 5070 Ti",
    "rtx-5080": "NVIDIA GeForce RTX 5080", "rtx-5090": "NVIDIA GeForce RTX 5090",
    "rtx-6000-ada": "NVIDIA RTX 6000 Ada Generation", "rtx-a4000": "NVIDIA RTX A4000",
    "rtx-a6000": "NVIDIA RTX A6000", "rtx-pro-6000-bw": "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
    "rtx-pro-6000-maxq": "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
    "rx-6800-xt": "AMD Radeon RX 6800 XT", "rx-7800-xt": "AMD Radeon RX 7800 XT",
    "rx-7900-xt": "AMD Radeon RX 7900 XT", "rx-7900-xtx": "AMD Radeon RX 7900 XTX (RADV NAVI31)",
    "rx-9070": "AMD Radeon RX 9070", "rx-9070-xt": "AMD Radeon RX 9070 XT",
    "snapdragon-8-gen-3": "Snapdragon 8 Gen 3", "snapdragon-x-elite": "Snapdragon(R) X Elite - X1E80100",
    "strix-halo": "AMD Radeon 8060S Graphics, gfx1151 (0x1151)|AMD RYZEN AI MAX+ 395 w/ Radeon 8060S",
    "t4": "Tesla T4", "tpu-v4": "TPU v4", "tpu-v5e": "TPU v5e", "tpu-v5p": "TPU v5p", "tpu-v6e": "TPU v6e",
    "v100-sxm-32": "Tesla V100-SXM2-32GB", "cloud-cpu-2c": "Two cores of a cloud CPU",
}  # fmt: skip
# Chips whose name leaves something open: how many cores the graphics have, or what memory is in the board.
OPEN = {
    "Apple M1": ("apple-m1-7c", "apple-m1-8c"),
    "Apple M1 Pro": ("apple-m1-pro-14c", "apple-m1-pro-16c"),
    "Apple M1 Max": ("apple-m1-max-24c", "apple-m1-max-32c"),
    "Apple M1 Ultra": ("apple-m1-ultra-48c", "apple-m1-ultra-64c"),
    "Apple M2": ("apple-m2-10c", "apple-m2-8c"),
    "Apple M2 Pro": ("apple-m2-pro-16c", "apple-m2-pro-19c"),
    "Apple M2 Max": ("apple-m2-max-30c", "apple-m2-max-38c"),
    "Apple M2 Ultra": ("apple-m2-ultra-60c", "apple-m2-ultra-76c"),
    "Apple M3 Max": ("apple-m3-max-30c", "apple-m3-max-40c"),
    "Apple M3 Pro": ("apple-m3-pro-14c", "apple-m3-pro-18c"),
    "Apple M3 Ultra": ("apple-m3-ultra-60c", "apple-m3-ultra-80c"),
    "Apple M4 Max": ("apple-m4-max-32c", "apple-m4-max-40c"),
    "Apple M4 Pro": ("apple-m4-pro-16c", "apple-m4-pro-20c"),
    "Orin": ("jetson-agx-orin-64", "jetson-orin-nano-super", "jetson-orin-nx-16"),
    "NVIDIA H100": ("h100-pcie", "h100-sxm"),
    "NVIDIA GeForce RTX 4060 Ti": ("rtx-4060-ti-16", "rtx-4060-ti-8"),
    "RTX 5060 Ti": ("rtx-5060-ti", "rtx-5060-ti-8"),
    "Apple M4 Pro 24 GB": ("apple-m4-pro-16c-24gb", "apple-m4-pro-20c-24gb"),
    "Apple M5 Max": ("apple-m5-max-32c", "apple-m5-max-40c"),
    "Tesla V100": ("v100-pcie-16", "v100-pcie-32", "v100-sxm-16", "v100-sxm-32"),
    "MI50": ("mi50-16", "mi50-32"),
    "13th Gen Intel(R) Core(TM) i9-13900K": ("i9-13900k-ddr5-6400",),
    "AMD EPYC 9654 96-Core Processor": ("epyc-9654",),
    "AMD Ryzen 9 7950X 16-Core Processor": ("ryzen-7950x",),
    "Intel(R) Xeon(R) Platinum 8480+": ("xeon-8480",),
    "Intel(R) Xeon(R) CPU E5-2683 v4 @ 2.10GHz": ("xeon-e5-2683v4",),
}


@pytest.mark.parametrize(("key", "words"), [(key, name) for key, words in NAMES.items() for name in words.split("|")])
def test_a_device_is_known_by_what_its_driver_prints(key: str, words: str) -> None:
    recognised = device_of(words, None)
    assert recognised is not None
    assert recognised.key == key or (
        recognised.key is None and recognised.candidates == (key,) and "-channel" in recognised.how
    )


@pytest.mark.parametrize(("words", "candidates"), OPEN.items())
def test_what_a_name_leaves_open_is_asked(words: str, candidates: tuple[str, ...]) -> None:
    recognised = device_of(words, None)
    assert recognised is not None
    assert recognised.key is None
    assert recognised.candidates == candidates


def test_cores_told_of_an_apple_chip_decide() -> None:
    for key in device_keys():
        if not key.startswith("apple-") or not key.endswith("c"):
            continue
        chip, cores = load_device(key).name.split(" GPU")[0].rsplit(" ", 1)
        for words in (f"{chip} {cores}", f"{chip} ({cores.removesuffix('-core')} cores)"):
            recognised = device_of(words, "Metal")
            assert recognised is not None
            assert recognised.key == key


# The same chip as another entry: its processor cores, or a measurement that does not say which of two sizes it had.
TWINS = ("-cpu", "-unspecified")


@pytest.mark.parametrize("key", [key for key in device_keys() if not key.endswith(TWINS)])
def test_a_device_is_known_by_its_key_its_name_and_all_that_its_file_calls_it(key: str) -> None:
    for name in names_in("devices")[key]:
        recognised = device_of(name, None)
        assert recognised is not None, name
        assert key in (recognised.key, *recognised.candidates), name


@pytest.mark.parametrize("words", ["Apple M3", "Apple M4"])
def test_a_chip_of_one_size_is_known_by_its_name(words: str) -> None:
    recognised = device_of(words, "Metal")
    assert recognised is not None
    assert recognised.key == words.lower().replace(" ", "-") + "-10c"


def test_the_backend_tells_cores_from_graphics() -> None:
    words = "AMD RYZEN AI MAX+ 395 w/ Radeon 8060S"
    for backend, key in (("CPU", "strix-halo-cpu"), ("BLAS", "strix-halo-cpu"), ("ROCm", "strix-halo")):
        recognised = device_of(words, backend)
        assert recognised is not None
        assert recognised.key == key
    apple = device_of("Apple M2 Max", "CPU")
    assert apple is not None
    assert apple.key == "apple-m2-max-cpu"


@pytest.mark.parametrize(
    "words",
    [
        "NVIDIA GeForce RTX 3080 Ti Laptop GPU",  # 512 GB/s, not 912
        "NVIDIA GeForce GTX 1650 SUPER", "NVIDIA GeForce RTX 4080M", "mps", "cuda:0",
        "AMD Radeon RX 7900M", "NVIDIA GeForce RTX 5090 D", "Apple M9 Max", "Intel(R) Xeon(R) CPU", "gfx1100",
    ],
)  # fmt: skip
def test_another_chip_is_not_taken_for_a_like_one(words: str) -> None:
    recognised = device_of(words, None)
    assert recognised is not None
    assert (recognised.key, recognised.candidates) == (None, ())


def test_a_card_with_other_memory_is_another_card() -> None:
    # The RTX 3080 with 12 GB has 912 GB/s, the one with 10 GB 760; one with 20 GB was never sold.
    for size, key in ((12 * GIB, "rtx-3080-12"), (9.9 * GIB, "rtx-3080"), (None, "rtx-3080")):
        recognised = device_of("NVIDIA GeForce RTX 3080", "CUDA", size)
        assert recognised is not None
        assert recognised.key == key
    recognised = device_of("NVIDIA GeForce RTX 3080", "CUDA", 20 * GIB)
    assert recognised is not None
    assert (recognised.key, recognised.candidates) == (None, ("rtx-3080",))
    assert "has 10.00 GiB, not 20.00 GiB" in recognised.how


def test_memory_decides_between_variants() -> None:
    recognised = device_of("NVIDIA A100", "CUDA", 39.4 * GIB)
    assert recognised is not None
    assert recognised.key == "a100-pcie-40"


def test_devices_that_differ_are_not_averaged() -> None:
    recognised = device_of("NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 3090", "CUDA")
    assert recognised is not None
    assert (recognised.key, recognised.candidates) == (None, ())
    assert "differ" in recognised.how
    equal = device_of("NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 4090", "CUDA")
    assert equal is not None
    assert equal.key == "rtx-4090"


def test_no_words_name_nothing() -> None:
    assert device_of(None, "CUDA") is None
    assert device_of("", None) is None


def test_a_size_of_memory_that_a_text_names_is_taken() -> None:
    for words, key in (
        ("Apple M4 Pro 20-core, 48gb", "apple-m4-pro-20c-48gb"),
        ("Strix Halo 64 GB", "strix-halo-64gb"),
    ):
        recognised = device_of(words, "Vulkan")
        assert recognised is not None
        assert recognised.key == key
