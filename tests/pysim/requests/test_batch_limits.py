"""Which limit of batching comes first, for short and for long contexts, on a small and on a large memory?"""

import pytest

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.requests.batch_limits import batch_limits

LLAMA = load_model("llama-3.1-8b")
READ_BYTES = 2 * (8_030_261_248 - 128_256 * 4096)
KV_BYTES = 131_072


@pytest.mark.parametrize(
    ("device", "context", "first"),
    [
        ("rtx-4090", 100, "ridge"),  # ridge 190, caches as heavy as weights 1,145, memory 740
        ("rtx-4090", 500, "memory"),  # ridge 543, 229, memory 148
        ("h100-sxm", 100, "ridge"),  # ridge 396, 1,145, 5,329
        ("h100-sxm", 300, "cache"),  # ridge 1,244, 382, 1,776
        ("h100-sxm", 1000, "cache"),  # no ridge, 115, 532
        ("rtx-4090", 100_000, "memory"),  # one cache of 13.1 GB is more than 9.7 GB of room
    ],
)
def test_short_contexts_end_at_the_ridge_long_ones_by_their_caches_or_by_memory(
    device: str, context: int, first: str
) -> None:
    assert batch_limits(Deployment(LLAMA, load_device(device)), context).first == first


def test_caches_weigh_as_much_as_the_weights_that_are_read() -> None:
    limits = batch_limits(Deployment(LLAMA, load_device("h100-sxm")), 1000)
    assert limits.equal == pytest.approx(READ_BYTES / (1000 * KV_BYTES), rel=1e-12)
    assert limits.ridge is None


def test_weights_that_do_not_fit_hold_no_conversation() -> None:
    assert batch_limits(Deployment(load_model("llama-3.1-70b"), load_device("rtx-4090")), 100).held == 0
