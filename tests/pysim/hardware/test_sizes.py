"""Is a machine that is sold with several sizes of memory several devices, and does its own key stay valid?"""

import pickle

import pytest

from pysim import BadCatalogue, BadValue, Deployment, UnknownName, device_keys, load_device, load_model, weights_bytes
from pysim.hardware.catalog_entry import read_device
from pysim.hardware.sizes import sizes_sold
from pysim.units import GIB

SOLD = [(key, size) for key in device_keys() for size in sizes_sold(key)[1]]


def test_the_machines_that_people_choose_the_memory_of_are_sold_in_sizes() -> None:
    chips = {key.split("-")[1] for key, _ in SOLD if key.startswith("apple-")}
    assert chips >= {"m1", "m2", "m3", "m4", "m5"}
    assert sizes_sold("apple-m4-pro-20c")[1] == (24 * GIB, 48 * GIB, 64 * GIB)  # Apple: 24GB, configurable to 48 or 64
    assert sizes_sold("rtx-4090") == (24 * GIB, ())


@pytest.mark.parametrize(("key", "size"), SOLD)
def test_each_size_is_a_device_with_a_key_of_its_own(key: str, size: float) -> None:
    device = load_device(key, memory=f"{size / GIB:g} GiB")
    assert (device.memory_bytes, device.entry) == (size, key)
    assert load_device(f"{key}-{size / GIB:g}gb") == device
    assert load_device(device.key) == device
    assert load_device(device.name) == device
    assert (device.key == key) is (size == load_device(key).memory_bytes)
    assert pickle.loads(pickle.dumps(device)) == device


def test_a_size_is_understood_as_people_write_it() -> None:
    for name in ("M4 Max 128 GB", "apple m4 max, 128GB", "Apple M4 Max (128 GB)", "M4 Max 128GB RAM"):
        assert load_device(name).key == "apple-m4-max-40c"  # the one with 32 cores is sold with 36 GB
    assert load_device("M4 Max 36 GB").key == "apple-m4-max-32c"
    assert load_device("apple-m4-pro-20c", memory="24 GB").key == "apple-m4-pro-20c-24gb"
    assert load_device("RTX 4060 Ti 8 GB").key == "rtx-4060-ti-8"
    assert load_device("ryzen-7950x", memory="64 GiB").memory_bytes == 64 * GIB  # a processor takes any


@pytest.mark.parametrize(
    ("name", "memory", "message"),
    [
        ("M4 Pro 24 GB", None, 'more than one device: "apple-m4-pro-16c-24gb" or "apple-m4-pro-20c-24gb"'),
        (
            "apple-m4-pro-20c-25gb",
            None,
            '"apple-m4-pro-20c" is sold with 24 GiB or 48 GiB or 64 GiB of memory, not "25',
        ),
        ("rtx-4090", "48 GiB", '"rtx-4090" is sold with 24 GiB of memory, not "48 GiB"'),
        ("apple-m4-pro-20c", "24", "not in B|not a quantity|is not in"),
        ("apple-m4-pro-20c", "nan GiB", "not a quantity"),
    ],
)
def test_a_size_that_is_not_sold_is_refused_in_one_line(name: str, memory: str | None, message: str) -> None:
    with pytest.raises(BadValue, match=message):
        load_device(name, memory=memory)


def test_an_unknown_name_with_a_size_is_still_unknown() -> None:
    with pytest.raises(UnknownName, match="unknown device"):
        load_device("M9 Pro 24 GB")


def test_a_24_gb_mac_has_no_room_for_a_24b_model_in_8_bits() -> None:
    needed = weights_bytes(load_model("mistral-small-24b"), "q8_0")
    assert needed == pytest.approx(23.57e9 * 8.5 / 8, rel=0.01)
    small, large = load_device("apple-m4-pro-20c-24gb"), load_device("apple-m4-pro-20c")
    assert small.usable_memory_bytes is not None
    assert large.usable_memory_bytes is not None
    assert small.usable_memory_bytes < needed < large.usable_memory_bytes


def test_measurements_of_a_chip_count_for_all_its_sizes() -> None:
    model = load_model("llama-3.1-8b")
    speeds = {
        Deployment(model, load_device(key), weight_format="q4_k_m", engine="llama.cpp")
        .estimate(prompt_tokens=64, output_tokens=64, speed="typical")
        .tpot_s
        for key in ("apple-m4-pro-20c", "apple-m4-pro-20c-24gb")
    }
    assert len(speeds) == 1


@pytest.mark.parametrize("sizes", [["48 GiB", "24 GiB"], ["24 GiB"], ["24 GiB", "24 GiB", "64 GiB"]])
def test_sizes_out_of_order_or_without_the_usual_one_are_refused(sizes: list[str]) -> None:
    memory = {"bandwidth": "1 GB/s", "size": "64 GiB", "sizes": sizes}
    with pytest.raises(BadCatalogue, match=r"from the smallest to the largest and have memory\.size among them"):
        read_device("x", {"name": "X", "family": "cpu", "memory": memory})
