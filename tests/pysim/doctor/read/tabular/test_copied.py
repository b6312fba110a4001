"""Are tables read that were copied from a page, whatever is between their cells?"""

import pytest

from pysim.doctor.find import read

HEAD = ("model", "size", "params", "backend", "ngl", "test", "t/s")
ROWS = (
    ("llama 8B Q4_K - Medium", "4.58 GiB", "8.03 B", "CUDA", "99", "pp512", "9000.00 ± 10.00"),
    ("llama 8B Q4_K - Medium", "4.58 GiB", "8.03 B", "CUDA", "99", "tg128", "120.00 ± 0.10"),
)
SWEEP = ("PP", "TG", "N_KV", "T_PP s", "S_PP t/s", "T_TG s", "S_TG t/s")
SWEPT = (
    ("512", "128", "0", "1.000", "512.00", "2.560", "50.00"),
    ("512", "128", "512", "1.000", "512.00", "2.560", "50.00"),
)


def bars(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (head, ("---",) * len(head), *rows)]
    return "\n".join(lines) + "\n"


def tabs(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    return "".join("\t".join(row) + "\n" for row in (head, *rows))


def blanks(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    widths = [max(len(row[at]) for row in (head, *rows)) + 2 for at in range(len(head))]
    return "".join("".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) + "\n" for row in (head, *rows))


def one_on_a_line(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    return "\n\n".join("\n".join(row) for row in (head, *rows)) + "\n"


def below_tabs(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    return "\t".join(head) + "\n\n" + one_on_a_line(rows[0], rows[1:])


def html(head: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    body = "".join("<tr>\n" + "\n".join(f'<td align="right">{cell}</td>' for cell in row) + "</tr>\n" for row in rows)
    return "<table><thead><tr>" + "".join(f"<th>{name}</th>" for name in head) + f"</tr></thead>\n{body}</table>\n"


FORMS = [tabs, blanks, one_on_a_line, below_tabs, html]


def figures(text: str) -> list[tuple[float | None, float | None, float | None]]:
    return [(run.prefill_tokens_per_s, run.decode_tokens_per_s, run.depth_tokens) for run in read(text).runs]


@pytest.mark.parametrize("form", FORMS)
def test_a_copied_table_says_what_it_says_with_bars(form) -> None:  # type: ignore[no-untyped-def]
    assert figures(bars(HEAD, ROWS)) == [(9000, None, 0), (None, 120, 0)]
    assert figures(form(HEAD, ROWS)) == figures(bars(HEAD, ROWS))
    assert figures(form(SWEEP, SWEPT)) == [(512, 50, 0), (512, 50, 512)]
    assert figures("My results:\n\n" + form(HEAD, ROWS) + "\nany ideas?\n") == figures(bars(HEAD, ROWS))


def test_the_lines_of_an_html_table_keep_their_numbers() -> None:
    first, second = read("a\nb\n" + html(HEAD, ROWS) + "c\n").runs
    assert (first.line, second.line) == (4, 12)


def test_rows_with_single_blanks_are_rows_without_a_heading() -> None:
    text = "".join(" ".join(row) + "\n" for row in ROWS)
    reading = read(text)
    assert figures(text) == figures(bars(HEAD, ROWS))
    assert reading.runs[0].setup.parameters == pytest.approx(8.03e9)
    assert [gap.line for gap in reading.gaps] == [1, 2]


def test_many_cells_that_never_end_take_no_time_of_their_own() -> None:
    # A million characters of each kind of broken table; the time is that of the slowest test, not asserted.
    for broken in ("<tr><td>" * 120_000, "a\tb\n" * 250_000, "model\n" * 170_000, "x  t/s  y\n" * 100_000):
        assert read(broken).runs == ()
