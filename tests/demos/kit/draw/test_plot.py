"""Plots: everything is placed where its value is, and left out where there is no room."""

from __future__ import annotations

from demos.kit.draw.plot import Axis, Mark, Rule, Zone, plot
from tests.demos.reading import classes, read

X = Axis(low=1, high=100, label="x", ticks=[], log=True)
Y = Axis(low=0, high=10, label="y", ticks=[])


def test_a_point_stands_where_its_values_are() -> None:
    # 10 is half the way from 1 to 100 by ratios; 2.5 is a quarter of 10.
    drawn = read(plot(X, Y, [], summary="s", marks=[Mark(x=10, y=2.5, kind="now", label="here")]).safe_str)
    assert classes(drawn, "plot-mark") == [("plot-mark now after", "left:50%;bottom:25%")]


def test_a_label_that_would_leave_the_picture_goes_to_the_other_side() -> None:
    marks = [Mark(x=90, y=1, kind="", label="a"), Mark(x=2, y=9.9, kind="", label="b"),
             Mark(x=99, y=5, kind="", label="c", centered=True)]  # fmt: skip
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
