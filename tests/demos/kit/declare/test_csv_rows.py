"""CSV rows: nothing that a spreadsheet would run."""

from demos.kit.declare.csv_rows import csv_text


def test_a_spreadsheet_takes_no_text_for_a_formula() -> None:
    assert csv_text([["=1+1", -1.5, "a,b"]]) == '\'=1+1,-1.5,"a,b"\r\n'
