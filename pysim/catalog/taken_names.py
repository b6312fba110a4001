"""Taken names: does an entry have the name of another one? Asked as it is loaded, without parsing all others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pysim.catalog.files import Folder, refuse_taken
from pysim.catalog.labels import labels


def check_names(folder: Folder, key: str, table: Mapping[str, object]) -> None:
    """Refuse an entry whose `name`, or anything it is `also` called, is the key or the name of another one.

    Two entries may share what they are `also` called: "M3 Max" is the name of several chips, and a question that
    uses it is answered with all of them. Raises BadCatalogue with both files.
    """
    others = [label for label in labels(folder) if label.key != key]
    owners = {name.casefold(): label.key for label in others for name in (label.key, label.name)}
    called = [("name", str(table["name"])), *(("also", name) for name in cast("list[str]", table.get("also", [])))]
    for field, name in called:
        refuse_taken(folder, key, field, name, owners.get(name.casefold(), key))
