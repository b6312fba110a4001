"""Are fresh sources strangers to the fit, compared whole, and listed where they cannot be?"""

from __future__ import annotations

from pysim.fit.fresh import fresh, fresh_rows, unknown_to_the_fit
from pysim.fit.measured import measured_rows


def test_no_fresh_source_was_fitted_by_name_or_address() -> None:
    for column in ("source_id", "source_url"):
        fitted = {row[column] for row in measured_rows().values()}
        assert fitted.isdisjoint(row[column] for row in fresh_rows().values())


def test_every_fresh_row_names_its_source() -> None:
    for row in fresh_rows().values():
        assert row["source_url"].startswith("https://"), row["row_id"]
        assert row["source_title"], row["row_id"]


def test_every_fresh_row_is_compared_or_left_out_with_a_reason() -> None:
    compared = {outcome.point.row for outcome in fresh().outcomes}
    left = dict(fresh().left_out)
    assert compared | set(left) == set(fresh_rows())
    assert all(left.values())
    assert len(compared) > 100


def test_what_the_fit_did_not_know_of_a_run_is_said() -> None:
    outcome = fresh().outcomes[0]
    assert unknown_to_the_fit(outcome.point, "no such family", "no such engine")[0] == (
        "no run of no such engine on no such family"
    )
