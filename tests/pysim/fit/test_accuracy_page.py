"""Does the accuracy page say what the comparison found, in markup that readers and their tools can use?"""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hooks.pages.accuracy import MARK, PIECES, filled, render_piece
from pysim.fit.accuracy import by_kind, outcomes, summarize

PAGE = Path(__file__).resolve().parents[3] / "docs" / "accuracy.md"
VOID = {"br", "hr", "img", "meta", "link", "input"}


class Reader(HTMLParser):
    """Checks that elements close in order, and collects links and table cells."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[dict[str, str | None]] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "a":
            self.links.append(dict(attrs))
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open:
            self.cells[-1] += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_uses_every_piece() -> None:
    used = {name for name, _ in MARK.findall(PAGE.read_text(encoding="utf-8"))}
    assert used == set(PIECES)


def test_no_mark_is_left_on_the_page() -> None:
    assert "<!-- accuracy" not in filled(PAGE.read_text(encoding="utf-8"))


def test_a_page_without_marks_stays_as_it_is() -> None:
    assert filled("# A page\n\n<!-- another mark -->\n") == "# A page\n\n<!-- another mark -->\n"


def test_an_unknown_piece_names_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"accuracy:summ.*summary"):
        filled("<!-- accuracy:summ -->")


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_well_formed(name: str) -> None:
    read(render_piece(name))


def test_the_summary_shows_the_computed_errors() -> None:
    cells = read(render_piece("summary")).cells
    for line in summarize(outcomes(), by_kind):
        assert f"{line.median_error:.1%}" in cells


@pytest.mark.parametrize("phase", ["decode", "prefill"])
def test_each_plotted_point_leads_to_its_source_by_mouse_and_by_keyboard(phase: str) -> None:
    plotted = [each.point.url for each in outcomes() if each.point.phase == phase]
    links = read(render_piece("scatter", phase)).links
    # In the picture links are no stops for the keyboard; the table beside it has the same ones that are.
    assert sorted(str(each["href"]) for each in links if each.get("tabindex") == "-1") == sorted(plotted)
    assert sorted(str(each["href"]) for each in links if "tabindex" not in each) == sorted(plotted)


@pytest.mark.parametrize("phase", ["decode", "prefill"])
def test_nothing_lies_outside_the_picture(phase: str) -> None:
    html = render_piece("scatter", phase)
    places = [float(each) for each in re.findall(r'[xy][12]?="(-?[0-9.]+)%"', html)]
    assert places
    assert all(0 <= each <= 100 for each in places)
