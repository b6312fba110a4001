"""A pytest plugin for the extended copy: leaves out what earlier runs have tested, the entries that were there before.

Kept are tests of a new entry, and tests without parameters in files that look at a whole folder of entries: a list of
entries by hand would fail there.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import pytest

LOOKS_AT_FOLDERS = re.compile(r"_keys\(|labels\(|names_in\(|demo_ids\(|all_readers|samples import names")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that a new file can break."""
    new = os.environ["NEW_ENTRIES"].split()
    kept = [item for item in items if _concerned(item, new)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def _concerned(item: pytest.Item, new: list[str]) -> bool:
    parameters = getattr(item, "callspec", None)
    if parameters is None:
        return _looks_at_folders(item.path)
    return any(name in item.name for name in new)


@cache
def _looks_at_folders(path: Path) -> bool:
    return LOOKS_AT_FOLDERS.search(path.read_text(encoding="utf-8")) is not None
