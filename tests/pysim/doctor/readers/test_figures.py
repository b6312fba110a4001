"""Exact figures of samples: what a reader takes from a text is what the sample's own file says."""

from __future__ import annotations

import pytest

from pysim.doctor.find import read
from tests.pysim.doctor.samples import figures, names, sample

WITH_FIGURES = [name for name in names() if name.endswith(".toml")]


def assert_has(value: object, expected: dict[str, object]) -> None:
    """Every field that is expected, those of a table within it too (`setup`, `ttft`)."""
    for field, figure in expected.items():
        own = getattr(value, field)
        if isinstance(figure, dict):
            assert_has(own, figure)
        else:
            assert own == (pytest.approx(figure) if isinstance(figure, float) else figure), field


@pytest.mark.parametrize("name", WITH_FIGURES)
def test_a_sample_is_read_with_its_exact_figures(name: str) -> None:
    runs = read(sample(name)).runs
    assert len(runs) == len(figures(name))
    for run, expected in zip(runs, figures(name), strict=True):
        assert_has(run, expected)
