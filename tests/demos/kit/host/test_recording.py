"""Recordings: which moments of a run are kept."""

import pytest

from demos.kit.host.recording import moments


def test_recorded_moments_hold_every_stop_and_at_most_15_a_second_between() -> None:
    # Two stops, 1 s of play between them: 15 moments between, in the middles of 15 stretches.
    times_s = moments([0.0, 2.0], rate=2.0)
    assert times_s[0] == 0.0
    assert times_s[1] == pytest.approx(2.0 / 30)  # half of a fifteenth of the second
    assert times_s[-1] == 2.0
    assert len(times_s) == 17
