"""Lanes: work and waiting to scale, labels where they have room."""

from __future__ import annotations

import pytest

from demos.kit.draw.lanes import Lane, LanePart, fits, lanes
from tests.demos.reading import classes, read


def lane(time_s: float) -> Lane:
    return Lane(title="t", note="n", parts=[LanePart(kind="math", time_s=time_s)], waits="waits 75%")


def test_a_lane_waits_from_its_own_end_to_that_of_the_pass() -> None:
    # 1 s of work in a pass of 4 s, drawn 8 s wide: 12.5% of work and 37.5% of waiting.
    drawn = read(lanes([lane(1)], 8, end_s=4, end_label="over").safe_str)
    assert [style for name, style in classes(drawn, "wait")] == ["width:37.5%"]
    assert [style for name, style in classes(drawn, "lane-end")] == ["left:50%"]
    assert classes(drawn, "lane-time")[1] == ("lane-time end middle", "left:50%")


def test_a_job_that_never_waits_has_no_stretch_of_waiting() -> None:
    assert classes(read(lanes([lane(4)], 8, end_s=4).safe_str), "wait") == []


@pytest.mark.parametrize(("work_s", "where"), [(1.0, "lane-label"), (3.8, "lane-beside")])
def test_what_is_said_of_the_waiting_stands_in_it_or_beside_it(work_s: float, where: str) -> None:
    drawn = read(lanes([lane(work_s)], 8, end_s=4).safe_str)
    assert len(classes(drawn, where)) == 1
    assert "waits 75%" in drawn.text


def test_a_label_fits_where_the_narrowest_track_has_room_for_its_letters() -> None:
    # 10 letters of 0.52 em and 1 em of border are 6.2 em, of 19: 0.326
    assert fits("0123456789", 0.33)
    assert not fits("0123456789", 0.32)
