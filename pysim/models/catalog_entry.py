"""How does a catalog file become a model?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pysim.errors import BadCatalogue, BadConfig
from pysim.models.config import read_config
from pysim.models.model import Model, Published


def read_model(key: str, table: Mapping[str, object]) -> Model:
    """The model of one file: [config] as its publisher's config.json has it, [published] counts apart."""
    config = _table(key, table, "config")
    published = _table(key, table, "published")
    facts = {name: value for name, value in config.items() if name not in ("source", "checked", "nulls")}
    # TOML has no null: `nulls` lists the fields that the config.json gives as null.
    facts |= dict.fromkeys(cast("list[str]", config.get("nulls", [])))
    counts = {name: published.get(name) for name in ("total_params", "active_params")}
    for name, value in counts.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise BadCatalogue(f"models/{key}.toml: published.{name} must be a whole number, not {value!r}")
    title = table.get("name")
    if not isinstance(title, str):
        raise BadCatalogue(f"models/{key}.toml: name is missing")
    try:
        return read_config(
            facts,
            key=key,
            name=title,
            source=str(config["source"]),
            published=Published(note=str(published.get("note", "")), **counts),  # type: ignore[arg-type]
            where=f"models/{key}.toml [config]",
        )
    except BadConfig as error:
        raise BadCatalogue(str(error)) from error


def _table(key: str, table: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = table.get(name)
    if not isinstance(found, dict):
        raise BadCatalogue(f"models/{key}.toml: the table [{name}] is missing")
    return found
