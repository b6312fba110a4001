from __future__ import annotations

from pysim.formats.common import COMMON_CACHES, COMMON_WEIGHTS, READY_MADE_CACHES, READY_MADE_WEIGHTS
from pysim.formats.names import kv_format, weight_format


def test_the_bits_of_a_common_format_are_its_true_ones_without_scales() -> None:
    for common in COMMON_WEIGHTS:
        assert int(weight_format(common.key).bits_per_weight) == common.bits
    for common in COMMON_CACHES:
        assert int(kv_format(common.key).bits_per_element) == common.bits


def test_ready_made_formats_come_widest_first() -> None:
    # The first one that fits is the mildest change, which `ways_to_fit` relies on.
    weights = [weight_format(name).bits_per_weight for name in READY_MADE_WEIGHTS]
    caches = [kv_format(name).bits_per_element for name in READY_MADE_CACHES]
    assert weights == sorted(weights, reverse=True)
    assert caches == sorted(caches, reverse=True)
