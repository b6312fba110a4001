"""Are lanes of requests drawn to scale, with gaps that show?"""

from __future__ import annotations

from demos.kit.draw.request_lanes import Bar, RequestLane, request_lanes, step_bars, time_axis


def test_ticks_that_touch_are_one_bar_and_a_gap_stays() -> None:
    # 10 seconds on 1,000 units: 0.05 s are 5 units, which touch; 2 s are 200, which do not.
    lane = RequestLane(name="a", tokens_s=[1.0, 1.05, 1.1, 3.1])
    assert (
        'd="M100 1H110V9H100Z M310 1H310V9H310Z"' in request_lanes([lane], 0, 10, 10, title="t", summary="s").safe_str
    )


def test_what_is_outside_of_the_view_is_cut() -> None:
    lane = RequestLane(name="a", waits=(-5.0, 2.0), reads=[(2.0, 30.0)], tokens_s=[40.0])
    drawn = request_lanes([lane], 0, 10, 5, title="t", summary="s").safe_str
    assert 'd="M0 5H200"' in drawn
    assert 'd="M200 0H1000V10H200Z"' in drawn
    assert "writes" not in drawn
    assert "--at:0.5" in drawn


def test_names_are_text_and_bars_have_their_kind() -> None:
    assert "&lt;b&gt;" in request_lanes([RequestLane(name="<b>")], 0, 1, 1, title="t", summary="s").safe_str
    bars = [Bar(start_s=0, seconds=1, reads=False), Bar(start_s=1, seconds=4, reads=True)]
    drawn = step_bars(bars, 0, 5, 5, title="t", summary="s").safe_str
    assert 'class="bars decode" d="M0 10V7.5H200V10Z"' in drawn
    assert 'class="bars prefill" d="M200 10V0H1000V10Z"' in drawn
    assert "left:50%" in time_axis(-5, 5).safe_str
