"""Are predictions of runs that were not fitted as close as promised?"""

from statistics import median

import pytest

from pysim.fit.__main__ import counts
from pysim.fit.accuracy import Outcome, noise_floor, outcomes, quantile
from pysim.fit.fresh import fresh
from pysim.fit.known_values import Fixture, fixtures
from pysim.fit.points import FIRST_COLLECTION, Point, points


def chosen(phase: str, *, is_moe: bool, batched: bool = False) -> list[float]:
    return [
        abs(each.miss)
        for each in outcomes()
        if each.point.phase == phase and each.is_moe == is_moe and (each.point.batch > 1) == batched
    ]


@pytest.mark.parametrize(
    ("phase", "is_moe", "most"),
    [("decode", False, 0.09), ("decode", True, 0.09), ("prefill", False, 0.18), ("prefill", True, 0.19)],
)
def test_the_median_error_at_batch_one_keeps_its_bound(phase: str, is_moe: bool, most: float) -> None:
    assert median(chosen(phase, is_moe=is_moe)) <= most


def test_nine_of_ten_decode_speeds_of_dense_models_are_within_a_third() -> None:
    assert quantile(chosen("decode", is_moe=False), 0.9) <= 0.33


def test_the_median_error_of_batched_decode_keeps_its_bound() -> None:
    batched = [abs(each.miss) for each in outcomes() if each.point.phase == "decode" and each.point.batch > 1]
    assert median(batched) <= 0.25


def test_bands_hold_about_four_of_five_runs_of_new_sources() -> None:
    """A run of a reader's is of a new source: a band is as wide as those need, not as those that the fit knows."""
    inside = [each.in_band for each in fresh().outcomes]
    assert 0.7 <= sum(inside) / len(inside) <= 0.92


def test_bands_hold_nearly_all_runs_of_known_sources_and_not_all() -> None:
    """Groups that are kept out share their sources, and with them habits and builds, with groups that are fitted."""
    inside = [each.in_band for each in outcomes()]
    assert 0.8 <= sum(inside) / len(inside) <= 0.95


def test_no_group_is_both_fitted_and_reported() -> None:
    kept_out = {each.group for each in points() if each.reported}
    fitted = {each.group for each, count in zip(points(), counts(points()), strict=True) if count}
    assert kept_out.isdisjoint(fitted)
    first = {each.group for each in points() if each.source.startswith(FIRST_COLLECTION)}
    assert 0.1 < len(kept_out) / len(first) < 0.3


def test_a_decode_depth_of_zero_means_an_empty_cache() -> None:
    # llama-bench's tg128: 128 tokens from an empty cache, so 128 passes over 1 to 128 tokens.
    (point,) = (each for each in points() if each.row == "m0480" and each.phase == "decode")
    assert (point.prompt_tokens, point.output_tokens, point.whole) == (1, 129, False)


def test_a_speed_that_counts_prefill_is_compared_with_the_whole_time() -> None:
    # 16 sequences of 128 answer tokens at 1504.72 tokens/s: 1.361 s for prompt and answer.
    (point,) = (
        each for each in points()
        if each.source == "S10" and each.batch == 16 and each.prompt_tokens == 1 and each.output_tokens == 128
    )  # fmt: skip
    assert point.whole
    assert point.measured_s == pytest.approx(16 * 128 / 1504.72)


def test_the_noise_between_sources_is_more_in_prefill_than_in_decode() -> None:
    decode, prefill = noise_floor("decode"), noise_floor("prefill")
    assert 1.0 < decode[0] < prefill[0] < 2.0
    assert min(decode[1], prefill[1]) >= 10


@pytest.mark.parametrize("fixture", fixtures(), ids=lambda each: each.question)
def test_known_values_come_out(fixture: Fixture) -> None:
    assert fixture.right, f"{fixture.question}: {fixture.given}, not {fixture.expected}"


def test_points_carry_the_runs_of_their_rows() -> None:
    found = points()
    assert len(found) > 1700
    assert all(isinstance(each, Point) and each.measured_s > 0 and each.url.startswith("https://") for each in found)
    assert all(isinstance(each, Outcome) and each.predicted_s > 0 for each in outcomes())
