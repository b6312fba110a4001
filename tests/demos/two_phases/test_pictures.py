"""The pictures of `two-phases`: cache rows in cells, and passes joined to fit."""

from demos.two_phases.kv_rows import MOST_CELLS, CacheRows, kv_rows
from demos.two_phases.pass_picture import thinned
from tests.demos.reading import read


def test_the_cache_is_drawn_in_at_most_its_cells() -> None:
    # 20,001 rows in cells of ceil(20001 / 120) = 167 rows: ceil(20001 / 167) = 120 cells.
    drawn = read(kv_rows(CacheRows(total=20_001, prompt=20_000, kept=20_000)).safe_str)
    cells = [attributes["class"] for tag, attributes in drawn.elements if tag == "b"]
    assert len(cells) == 120 <= MOST_CELLS
    assert cells.count("p") == 120


def test_many_passes_are_joined_without_changing_their_span() -> None:
    spans = [("prefill", 0.0, 1.0), *[("decode", 1.0 + k, 2.0 + k) for k in range(500)]]
    joined = thinned(spans)
    assert len(joined) <= 121
    assert joined[0] == ("prefill", 0.0, 1.0)
    assert (joined[1][1], joined[-1][2]) == (1.0, 501.0)
