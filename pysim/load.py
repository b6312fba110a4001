"""Load a model or a device of the catalogue by its key."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pysim.catalog.files import Folder, catalogue_keys, read_table
from pysim.errors import UnknownName

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model


def load_model(key: str) -> Model:
    """The model of a key; UnknownName offers the nearest keys."""
    return _model(_known("models", key))


def load_device(key: str) -> Device:
    """The device of a key; UnknownName offers the nearest keys."""
    return _device(_known("devices", key))


def _known(folder: Folder, key: str) -> str:
    keys = catalogue_keys(folder)
    if key not in keys:
        raise UnknownName(folder.removesuffix("s"), key, keys)
    return key


@lru_cache(maxsize=512)
def _model(key: str) -> Model:
    from pysim.models.catalog_entry import read_model
    from pysim.models.entry_fields import check_model_entry

    table = read_table("models", key)
    check_model_entry(key, table)
    return read_model(key, table)


@lru_cache(maxsize=512)
def _device(key: str) -> Device:
    from pysim.hardware.catalog_entry import read_device
    from pysim.hardware.entry_fields import check_device_entry

    table = read_table("devices", key)
    check_device_entry(key, table)
    return read_device(key, table)
