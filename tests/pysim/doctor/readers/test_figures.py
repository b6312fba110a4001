"""Exact figures of samples: what a reader takes from a text is what the sample's own file says."""

from __future__ import annotations

import pytest

from pysim.doctor.find import read
from tests.pysim.doctor.samples import figures, names, sample

WITH_FIGURES = [name for name in names() if name.endswith(".toml")]


@pytest.mark.parametrize("name", WITH_FIGURES)
def test_a_sample_is_read_with_its_exact_figures(name: str) -> None:
    runs = read(sample(name)).runs
    assert len(runs) == len(figures(name))
    for run, expected in zip(runs, figures(name), strict=True):
        assert {field: getattr(run, field) for field in expected} == pytest.approx(expected)
