"""Does the accuracy page replay real requests, and are its errors those that are promised?"""

from __future__ import annotations

from hooks.pages.accuracy import filled
from hooks.pages.accuracy_serving import load_tests, replayed


def test_one_factor_explains_requests_that_it_was_not_found_on() -> None:
    runs = replayed()
    assert len(runs) == 2
    for _, untouched, after, factor in runs:
        assert after.requests == untouched.requests == 200
        assert after.end_to_end is not None and after.ttft is not None and after.tpot is not None  # noqa: PT018
        assert after.end_to_end <= 0.02
        assert after.ttft <= 0.03
        assert after.tpot <= 0.05
        assert 0.5 < factor < 1.5


def test_most_published_load_tests_are_within_the_stated_bands() -> None:
    scored = load_tests()
    assert len(scored) > 60
    assert 0.7 < sum(each.in_band for each in scored) / len(scored) < 0.95


def test_the_page_prints_both_tables() -> None:
    drawn = filled("<!-- accuracy:replays -->\n\n<!-- accuracy:loadtests -->")
    assert "RTX PRO 6000" in drawn
    assert "within all bands" in drawn
