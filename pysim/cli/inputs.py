"""Inputs of the command line: which models and devices it names, and in which form the answer is wanted."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pysim.cli.output import Column, print_json, print_table
from pysim.errors import BadValue, quoted
from pysim.load import load_device, load_model

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model


def subjects(
    asked: argparse.Namespace, *, devices: bool = True, several: bool = False
) -> tuple[list[Model], list[Device]]:
    """The models and devices that a command line names, by position or by option."""
    names = [asked.names] if isinstance(asked.names, str) else list(asked.names or [])
    given_models: list[Model] = []
    if asked.config is not None:
        given_models.append(load_model(Path(asked.config)))
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
        raise BadValue(f"{quoted(names[0])} is one name too many")
    return given_models, given_devices


def listed(keys: str | None) -> list[str]:
    """The keys of a list with commas."""
    return [key for part in (keys or "").split(",") if (key := part.strip())]


def answer(
    asked: argparse.Namespace,
    rows: list[dict[str, object]] | Mapping[str, object],
    columns: Sequence[Column],
    *,
    upright: bool = False,
) -> None:
    """Print rows as JSON or as a table, whichever was asked for."""
    if asked.json:
        print_json(rows)
    else:
        print_table([rows] if isinstance(rows, Mapping) else rows, columns, upright=upright)
