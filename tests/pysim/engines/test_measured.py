"""Does every measured row keep its source?"""

import csv

from pysim.fit.measured import SOURCES, measured_rows


def test_every_row_names_a_source_with_title_address_and_date() -> None:
    for row in measured_rows().values():
        assert row["source_title"]
        assert row["source_url"].startswith("https://")
        assert row["source"].split(".")[0] == row["source_id"]


def test_every_source_is_that_of_a_row() -> None:
    with SOURCES.open(encoding="utf-8", newline="") as file:
        listed = [row["source"] for row in csv.DictReader(file)]
    assert sorted(listed) == sorted({row["source"] for row in measured_rows().values()})
