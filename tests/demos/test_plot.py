"""Do plots and lanes put everything where its value is, and leave out what has no room?"""

from __future__ import annotations

import pytest

from demos.kit.draw.lanes import Lane, Part, fits, lanes
from demos.kit.draw.plot import Axis, Mark, Rule, Zone, plot
from tests.demos.reading import Read, read

X = Axis(low=1, high=100, label="x", ticks=[], log=True)
Y = Axis(low=0, high=10, label="y", ticks=[])


def classes(drawn: Read, start: str) -> list[tuple[str, str]]:
    found = [(a.get("class") or "", a.get("style") or "") for _, a in drawn.elements]
    return [(name, style) for name, style in found if name.split(" ")[0] == start]


def test_a_point_stands_where_its_values_are() -> None:
    # 10 is half the way from 1 to 100 by ratios; 2.5 is a quarter of 10.
    drawn = read(plot(X, Y, [], summary="s", marks=[Mark(x=10, y=2.5, kind="now", label="here")]).safe_str)
    assert classes(drawn, "plot-mark") == [("plot-mark now after", "left:50%;bottom:25%")]


def test_a_label_that_would_leave_the_picture_goes_to_the_other_side() -> None:
    marks = [Mark(x=90, y=1, kind="", label="a"), Mark(x=2, y=9.9, kind="", label="b"),
             Mark(x=99, y=5, kind="", label="c", centred=True)]  # fmt: skip
    drawn = read(plot(X, Y, [], summary="s", marks=marks).safe_str)
    assert [name.split()[1:] for name, _ in classes(drawn, "plot-mark")] == [["before"], ["after", "below"], ["before"]]


def test_rules_near_each_other_have_their_labels_on_different_lines() -> None:
    rules = [Rule(x=12, label="second"), Rule(x=10, label="first"), Rule(x=90, label="far")]
    styles = [style for _, style in classes(read(plot(X, Y, [], summary="s", rules=rules).safe_str), "plot-rule")]
    assert [("--row" in style) for style in styles] == [False, True, False]


def test_a_rule_beyond_the_axis_is_not_drawn_and_a_zone_ends_at_it() -> None:
    drawn = read(plot(X, Y, [], summary="s", rules=[Rule(x=1000, label="r")], zones=[Zone(low=10, high=1000)]).safe_str)
    assert classes(drawn, "plot-rule") == []
    assert classes(drawn, "plot-zone") == [("plot-zone ", "left:50%;width:50%")]


def lane(time_s: float) -> Lane:
    return Lane(title="t", note="n", parts=[Part(kind="math", time_s=time_s)], waits="waits 75%")


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
