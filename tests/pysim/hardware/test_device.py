"""Does every device of the catalogue keep the rules that all devices keep?"""

import pickle
from dataclasses import replace

import pytest

from pysim import BadValue, MissingFact, device_keys, load_device

EVERY_DEVICE = pytest.mark.parametrize("key", device_keys())


@EVERY_DEVICE
def test_a_device_has_speeds_that_exist_in_this_decade(key: str) -> None:
    device = load_device(key)
    assert 1e11 <= device.peak("fp16") <= 3e15
    assert 1e10 <= device.memory_bandwidth_bytes_per_s <= 1e13
    assert device.memory_bytes is None or 2**32 <= device.memory_bytes <= 2**40


@EVERY_DEVICE
def test_the_ridge_lies_in_bounds(key: str) -> None:
    device = load_device(key)
    ridge = device.peak("fp16") / device.memory_bandwidth_bytes_per_s
    assert 1 <= ridge <= 1000  # FLOP per byte


@EVERY_DEVICE
def test_peaks_are_dense_and_in_order(key: str) -> None:
    peak = load_device(key).peak_flop_per_s
    order = [peak[each] for each in ("fp32", "fp16", "fp8", "fp4") if each in peak]
    assert order == sorted(order)
    if {"fp16", "fp8"} <= peak.keys():
        ratio = peak["fp8"] / peak["fp16"]
        # Twice as fast, or as fast where a chip's matrix units take FP8 at the rate of 16 bits (Gaudi 3: 1,835 TFLOPS
        # of both). Four times would be a figure "with sparsity", and one between mixes up rows of the data sheet.
        assert ratio == pytest.approx(1, rel=0.01) or 1.9 <= ratio <= 2.1
    if {"fp16", "fp16_fp16acc"} <= peak.keys():
        assert peak["fp16_fp16acc"] == pytest.approx(2 * peak["fp16"], rel=0.01)


@EVERY_DEVICE
def test_a_device_says_where_its_facts_are_from(key: str) -> None:
    device = load_device(key)
    assert device.key == key
    assert device.name.strip()
    assert device.sources
    assert device.peak_kind in ("datasheet", "derived", "instructions", "measured")
    assert all(link.bytes_per_s > 0 and link.source for link in device.links)


@EVERY_DEVICE
def test_a_device_is_a_value(key: str) -> None:
    device = load_device(key)
    assert load_device(key) is device
    assert pickle.loads(pickle.dumps(device)) == device
    assert hash(pickle.loads(pickle.dumps(device))) == hash(device)


def test_data_sheets_are_read_right() -> None:
    h100 = load_device("h100-sxm")
    assert h100.peak_flop_per_s["fp16"] == 989e12  # 1979 with sparsity
    assert h100.memory_bandwidth_bytes_per_s == 3.35e12
    assert h100.memory_bytes == 80 * 2**30  # sold as 80 GB
    assert next(link.bytes_per_s for link in h100.links if link.name == "nvlink") == 450e9  # 900 both ways
    rtx_4090 = load_device("rtx-4090")
    assert rtx_4090.peak_flop_per_s["fp16"] == 165.2e12
    assert rtx_4090.peak_flop_per_s["fp16_fp16acc"] == 330.4e12


def test_instruction_derived_peaks_are_cores_times_flop_per_cycle_times_clock() -> None:
    assert load_device("ryzen-7950x").peak("fp16") == pytest.approx(16 * 32 * 4.5e9, rel=0.01)
    assert load_device("raspberry-pi-5").peak("fp16") == pytest.approx(4 * 32 * 2.4e9, rel=0.01)
    assert load_device("epyc-9654").peak("fp16") == pytest.approx(96 * 32 * 2.4e9, rel=0.01)


def test_the_traced_machine_is_as_measured() -> None:
    device = load_device("cloud-cpu-2c")
    assert device.memory_bandwidth_bytes_per_s == 31e9
    assert device.peak("fp16") == 191e9
    assert device.peak_kind == "measured"
    assert device.memory_bytes is None


def test_a_missing_precision_runs_at_the_next_wider_one() -> None:
    m3 = load_device("apple-m3-max-40c")
    assert m3.peak("fp4") == m3.peak("int8") == m3.peak("fp16") == 14.32e12


def test_a_fact_that_nobody_published_is_named() -> None:
    silent = replace(load_device("rtx-4090"), peak_flop_per_s={}, peak_kind=None, memory_bytes=None, key="silent")
    with pytest.raises(MissingFact, match='no peak FLOP/s is known for device "silent"'):
        silent.peak("fp16")
    with pytest.raises(MissingFact, match='memory size of device "silent"'):
        _ = silent.memory


@pytest.mark.parametrize(
    "change",
    [
        {"memory_bandwidth_bytes_per_s": 0.0},
        {"memory_bandwidth_bytes_per_s": float("nan")},
        {"memory_bytes": -1.0},
        {"memory_bytes": "24 GB"},
        {"usable_share": 1.01},
        {"usable_share": 0.0},
        {"usable_kind": "guessed"},
        {"peak_flop_per_s": {"fp16": 0.0}},
        {"peak_flop_per_s": {"fp12": 1e12}},
        {"peak_flop_per_s": {"fp16": True}},
    ],
)
def test_impossible_devices_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadValue):
        replace(load_device("rtx-4090"), **change)  # type: ignore[arg-type]


def test_usable_memory_is_a_share_of_the_nominal_size() -> None:
    card = replace(load_device("rtx-4090"), usable_share=0.98)
    assert card.usable_memory_bytes == pytest.approx(23.52 * 2**30)
    assert replace(card, memory_bytes=48 * 2.0**30).usable_memory_bytes == pytest.approx(47.04 * 2**30)
    assert replace(card, memory_bytes=None).usable_memory_bytes is None


def test_an_unknown_precision_is_refused() -> None:
    with pytest.raises(BadValue, match="allowed: fp32, fp16"):
        load_device("rtx-4090").peak("fp12")
