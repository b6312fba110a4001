"""Do the rules of usable memory say what programs printed, and are wrong ones refused?"""

import pytest

from pysim import BadCatalogue, device_keys, load_device
from pysim.catalog.files import catalogue_keys
from pysim.hardware.catalog_entry import read_device
from pysim.hardware.memory_rule import memory_rule, rule_of
from pysim.units import GIB

RULES = catalogue_keys("memory_rules")


@pytest.mark.parametrize("key", RULES)
def test_a_rule_gives_what_was_read_on_its_system(key: str) -> None:
    rule = memory_rule(key)
    own = [reading for reading in rule.readings if reading.system == rule.system]
    assert own
    for reading in own:
        size = load_device(reading.device).memory
        # The cards of one rule differ: 0.944 to 0.988 of an Arc card's memory were read.
        assert size * rule.share_of(size) == pytest.approx(reading.usable_bytes, rel=0.04), reading.device


@pytest.mark.parametrize("key", device_keys())
def test_every_device_says_how_its_usable_memory_is_known(key: str) -> None:
    device = load_device(key)
    assert device.usable_kind in ("read", "rule", "nominal")
    assert bool(device.usable_source) is (device.usable_kind != "nominal")
    if device.memory_bytes is not None:
        assert device.usable_memory_bytes is not None
        assert 0.6 * device.memory_bytes <= device.usable_memory_bytes <= device.memory_bytes


def test_usable_memory_is_what_logs_print() -> None:
    for key, gib in (("rtx-4090", 23.52), ("l40s", 44.42), ("h100-sxm", 79.11), ("dgx-spark", 121.69)):
        device = load_device(key)
        assert device.usable_memory_bytes == pytest.approx(gib * GIB)
        assert device.usable_kind == "read"
    assert load_device("rtx-4080").usable_memory_bytes == pytest.approx(16 * 0.98 * GIB)


def test_a_macs_share_for_its_gpu_is_two_thirds_up_to_36_gb_and_three_quarters_above() -> None:
    for name, gib in (("apple-m4-10c-16gb", 16 * 2 / 3), ("apple-m3-pro-18c", 24), ("apple-m4-pro-20c-48gb", 36)):
        assert load_device(name).usable_memory_bytes == pytest.approx(gib * GIB, rel=1e-5)


def test_a_rule_that_is_not_there_is_named() -> None:
    assert rule_of("cpu", None) is None
    with pytest.raises(BadCatalogue, match=r"memory\.rule: there is no rule nvidia-hbn; there are amd-apu"):
        rule_of("nvidia-datacenter", "nvidia-hbn")


def test_more_usable_memory_than_there_is_is_refused() -> None:
    sourced = {"source": "a log", "checked": None}
    table = {
        "name": "X",
        "family": "cpu",
        "memory": {"bandwidth": "1 GB/s", "size": "24 GiB", **sourced},
        "usable_memory": {"usable": "25 GiB", "system": "Linux", **sourced},
    }
    with pytest.raises(BadCatalogue, match=r"devices/x\.toml: usable_memory\.usable must be at most memory\.size"):
        read_device("x", table)
