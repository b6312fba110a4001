"""Sizes of memory: which of those that a machine is sold with does a key, a name or a caller ask for?"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, cast

from pysim import units
from pysim.catalog.files import catalogue_keys, read_table
from pysim.errors import BadValue, quoted
from pysim.hardware.catalog_entry import sizes_of
from pysim.hardware.device import size_suffix
from pysim.units import GIB

_SIZED: Final = re.compile(
    r"(.{1,200}?)[ ,(_-]{0,4}(?<![\d.])(\d{1,4}) ?Gi?B(\))?(?: (?:unified )?(?:memory|ram))?", re.I
)


@lru_cache(maxsize=512)
def sizes_sold(key: str) -> tuple[float | None, tuple[float, ...]]:
    """The size in a device's file, and all that the machine is sold with where they are several; in bytes."""
    return sizes_of(cast("dict[str, object]", read_table("devices", key).get("memory", {})))


def named_size(name: str, keys_of: Callable[[str], tuple[str, ...]]) -> tuple[str, float] | None:
    """The key and the size in bytes that the end of a key or a name says; None where it ends in no size.

    `keys_of` finds the keys that a name may mean. Raises BadValue where no machine of that name has that size, or
    several have.
    """
    match = _SIZED.fullmatch(name)
    # A name may end in its size ("V100 PCIe 32GB"); one in parentheses is left out where names are compared.
    if match is None or (match[3] is None and keys_of(name)):
        return None
    written, size = match[1], int(match[2]) * GIB
    keys = (written,) if written in catalogue_keys("devices") else keys_of(written)
    fitting = [key for key in keys if _is_sold(key, size)]
    if len(fitting) > 1:
        choice = " or ".join(f'"{_with_size(key, size)}"' for key in fitting)
        raise BadValue(f"{quoted(name)} is the name of more than one device: {choice}?")
    if not fitting and len(keys) == 1:
        raise _not_sold(keys[0], f"{match[2]} GiB")
    return (fitting[0], size) if fitting else None


def asked_size(key: str, memory: str) -> float:
    """The size of a device's memory that a text such as "24 GiB" asks for, in bytes; "24 GB" is how it is sold.

    Raises BadValue for no quantity, or a size that the device is not sold with.
    """
    given = units.parse(memory, "B")
    sold = round(given / 1e9) * GIB
    for size in (given, sold) if memory.rstrip().upper().endswith("GB") else (given,):
        if _is_sold(key, size):
            return float(size)
    raise _not_sold(key, memory)


def _is_sold(key: str, size: float) -> bool:
    """Is a device sold with this size? Where nothing is known of it, as of a processor, with any."""
    usual, sizes = sizes_sold(key)
    return size > 0 and (usual is None or size in (sizes or (usual,)))


def _not_sold(key: str, memory: str) -> BadValue:
    usual, sizes = sizes_sold(key)
    allowed = " or ".join(f"{size / GIB:g} GiB" for size in sizes or (usual or 0.0,))
    return BadValue(f'device "{key}" is sold with {allowed} of memory, not {quoted(memory)}')


def _with_size(key: str, size: float) -> str:
    return key if sizes_sold(key)[0] == size else key + size_suffix(size)
