"""Checks of an engine's catalog file against what lies outside of it: other engines, weight formats, measurements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, cast

from pysim.catalog.fields import meant
from pysim.catalog.files import catalogue_keys, read_head
from pysim.catalog.taken_names import check_names
from pysim.checks import shown
from pysim.engines.constants import constants
from pysim.errors import BadCatalogue, BadValue, quoted

_SIZE: Final = re.compile(r"(?:\d+x)?\d+(?:\.\d+)?[bm]", re.ASCII)


def check_engine_among_others(key: str, table: Mapping[str, object]) -> None:
    """Refuse a name or rank that another engine has, and names of measurements, formats and sizes that nobody knows.

    `table`: the file, its fields already of the right kinds. Raises BadCatalogue with file, field and what is allowed.
    """
    check_names("engines", key, table)
    for table_name, problem in (*_of_head(key, table), *_of_registry(table)):
        raise BadCatalogue(f"engines/{key}.toml{table_name}: {problem}")


def _of_head(key: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    ranks = {read_head("engines", other).get("rank"): other for other in catalogue_keys("engines") if other != key}
    rank = table.get("rank")
    if rank is not None and rank in ranks:
        free = next(number for number in range(1, len(ranks) + 2) if number not in ranks)
        yield "", f"rank {rank} is taken by engines/{ranks[rank]}.toml; each engine needs its own, and {free} is free"
    measured = table.get("measured_as")
    if measured is not None and measured not in (names := measured_names()):
        allowed = meant(measured, names) or f"; there are {', '.join(names)}"
        yield "", f"measured_as {quoted(measured)} is not an engine in pysim/fit/constants.json{allowed}"


def _of_registry(table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    from pysim.formats.names import weight_format

    registry = cast("Mapping[str, object]", table.get("registry", {}))
    for stored in cast("list[str]", registry.get("usual_formats", [])):
        try:
            weight_format(stored)
        except BadValue as error:
            yield " [registry]", f"usual_formats: {error}"
    for name, size in cast("Mapping[str, str]", registry.get("default_sizes", {})).items():
        if not _SIZE.fullmatch(size):
            sizes = 'a size such as "8b", "3.8b", "135m" or "8x7b"'
            yield " [registry]", f"default_sizes of {quoted(name)} must be {sizes}, not {shown(size)}"


def measured_names() -> tuple[str, ...]:
    """The names under which the fitted constants have engines."""
    return tuple(cast("list[str]", constants()["engines"]))
