"""Dates of the catalogue: no entry says that its source was read on a day that has not come yet.

Asked here and not as an entry is loaded: a reader whose clock is wrong must still get an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta

import pytest

from pysim.catalog.files import Folder, catalogue_keys, read_table

FOLDERS: tuple[Folder, ...] = ("models", "devices", "architectures", "engines", "memory_rules")


def dates_after(latest: date, table: Mapping[str, object], where: str) -> Iterator[str]:
    """Yield one line for every `checked` after a day: the file, the table, the date and what is allowed."""
    places = {"": table, **{f" [{name}]": part for name, part in table.items() if isinstance(part, dict)}}
    for place, part in places.items():
        checked = part.get("checked")
        if isinstance(checked, date) and checked > latest:
            yield f"{where}{place}: checked = {checked} is yet to come; it is the day the source was read"


@pytest.mark.parametrize(("folder", "key"), [(folder, key) for folder in FOLDERS for key in catalogue_keys(folder)])
def test_no_source_was_read_on_a_day_to_come(folder: Folder, key: str) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date()  # which it already is east of here
    assert list(dates_after(tomorrow, read_table(folder, key), f"{folder}/{key}.toml")) == []


def test_a_day_to_come_is_named_with_its_file_and_table() -> None:
    table = {"name": "X", "memory": {"checked": date(2099, 1, 1)}, "peak": {"checked": date(2026, 12, 1)}}
    assert list(dates_after(date(2026, 12, 2), table, "devices/x.toml")) == [
        "devices/x.toml [memory]: checked = 2099-01-01 is yet to come; it is the day the source was read"
    ]
