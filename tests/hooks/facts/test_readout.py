"""Does a page's number come from the demo that shows it?"""

from __future__ import annotations

import pytest

from hooks.facts.readout import readout
from pysim import PysimError


def test_a_readout_is_the_one_that_the_demo_shows_after_its_run() -> None:
    fact = readout("two-phases", "passes", example="sky", output_tokens=8)
    assert fact.value == 8
    # Llama 3.1 8B in 16 bits: 131,072 bytes of cache for each token.
    cache = readout("kv-memory", "kv_cache_bytes", context_tokens=1000)
    assert (cache.value, cache.unit) == (131_072_000, "B")


def test_what_a_demo_has_not_is_told() -> None:
    with pytest.raises(PysimError, match='two-phases has no readout "pass_number"'):
        readout("two-phases", "pass_number")
    with pytest.raises(PysimError, match="tw-phases"):
        readout("tw-phases", "passes")
    with pytest.raises(PysimError, match="output_tokens"):
        readout("two-phases", "passes", output_tokens="many")
