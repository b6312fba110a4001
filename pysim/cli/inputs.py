"""Which models and devices does a command line name, and in which form does it want the answer?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pysim.cli.output import Column, print_json, print_table
from pysim.errors import BadConfig, BadValue
from pysim.load import load_device, load_model

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model

_LARGEST_CONFIG_BYTES: Final = 10_000_000


def subjects(
    asked: argparse.Namespace, *, devices: bool = True, several: bool = False
) -> tuple[list[Model], list[Device]]:
    """The models and devices that a command line names, by position or by option."""
    names = [asked.names] if isinstance(asked.names, str) else list(asked.names or [])
    given_models: list[Model] = []
    if asked.config is not None:
        given_models.append(_read_config(asked.config))
    keys = asked.model
    if keys is None and asked.config is None and names:
        keys = names.pop(0)
    given_models += [load_model(key) for key in (listed(keys) if several else [keys] if keys else [])]
    if not given_models:
        raise BadValue("which model? Give its key (`pysim models` lists them) or --config path/to/config.json")
    given_devices: list[Device] = []
    if devices:
        keys = asked.device if asked.device is not None or not names else names.pop(0)
        if keys is None:
            raise BadValue("which device? Give its key (`pysim devices` lists them)")
        given_devices = [load_device(key) for key in (listed(keys) if several else [keys])]
    if names:
        raise BadValue(f'"{names[0]}" is one name too many')
    return given_models, given_devices


def _read_config(path: str) -> Model:
    from pysim.models.config import read_config

    where = Path(path)
    try:
        if where.stat().st_size > _LARGEST_CONFIG_BYTES:
            raise BadConfig(f"{path}: larger than {_LARGEST_CONFIG_BYTES:,} bytes, which no config.json is")
        config = json.loads(where.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadConfig(f"{path} is not JSON: {error}") from error
    key = where.absolute().parent.name if where.name == "config.json" else where.stem.removesuffix(".config")
    return read_config(config, key=key, where=path)


def listed(keys: str | None) -> list[str]:
    return [each for each in (part.strip() for part in (keys or "").split(",")) if each]


def answer(
    asked: argparse.Namespace,
    rows: list[dict[str, object]] | Mapping[str, object],
    columns: Sequence[Column],
    *,
    upright: bool = False,
) -> None:
    if asked.json:
        print_json(rows)
    else:
        print_table([rows] if isinstance(rows, Mapping) else rows, columns, upright=upright)
