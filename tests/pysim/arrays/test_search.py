"""Is the last that holds found, wherever it lies?"""

from pysim.arrays.search import most_that_fit


def test_the_most_that_fits_is_found_at_every_border() -> None:
    for border in (1, 2, 3, 99, 100):
        assert most_that_fit(border.__ge__, 100) == border
    assert most_that_fit(lambda count: False, 100) == 0
