"""Are mean, middle and scatter what the standard library says?"""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.doctor.read.statistics import deviation, mean, middle

FIGURES = st.lists(st.floats(1e-3, 1e6), min_size=2, max_size=20)


@given(FIGURES)
def test_all_three_agree_with_the_standard_library(figures: list[float]) -> None:
    assert mean(figures) == pytest.approx(statistics.fmean(figures))
    assert middle(figures) == pytest.approx(statistics.median(figures))
    assert deviation(figures) == pytest.approx(statistics.stdev(figures), abs=1e-6)


def test_a_single_figure_has_no_scatter() -> None:
    assert deviation([4.0]) is None
    assert (mean([4.0]), middle([4.0])) == (4.0, 4.0)
