"""Inputs of the command line: which models and devices it names, and in which form the answer is wanted."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pysim.cli.notes import joined
from pysim.cli.output import Column, print_json, print_table
from pysim.errors import BadValue, UnknownName, quoted
from pysim.load import load_device, load_model

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model

_Row = TypeVar("_Row")


def subjects(
    asked: argparse.Namespace, *, devices: bool = True, several: bool = False
) -> tuple[list[Model], list[Device]]:
    """The models and devices that a command line names, by position or by option; `devices`: must there be one?"""
    names = [asked.names] if isinstance(asked.names, str) else list(asked.names or [])
    given_models: list[Model] = []
    if asked.config is not None:
        given_models.append(load_model(Path(asked.config)))
    keys = asked.model
    if keys is None and asked.config is None and names:
        keys = names.pop(0)
    given_models += [load_model(key) for key in (listed(keys) if several else [keys] if keys else [])]
    if len(given_models) > 1 and not several:
        raise BadValue("--config and --model name two models; give one")
    if not given_models:
        raise BadValue("which model? Give its key (`pysim models` lists them) or --config path/to/config.json")
    given_devices: list[Device] = []
    if devices or names or asked.device is not None:
        keys = asked.device if asked.device is not None or not names else names.pop(0)
        if keys is None:
            raise BadValue("which device? Give its key (`pysim devices` lists them)")
        given_devices = [load_device(key) for key in (listed(keys, "device") if several else [keys])]
    if names:
        raise BadValue(f"{quoted(names[0])} is one name too many")
    return given_models, given_devices


def listed(keys: str | None, what: str = "") -> list[str]:
    """The keys of a list with commas; BadValue where `what` is asked for and the list has none."""
    keys_given = [key for part in (keys or "").split(",") if (key := part.strip())]
    if what and not keys_given:
        raise BadValue(f"which {what}? {quoted(keys or '')} names none")
    return keys_given


def with_words(kind: str, words: Sequence[str], rows: Sequence[tuple[_Row, Sequence[str]]]) -> list[_Row]:
    """The rows whose names have all the words, in any case; UnknownName offers the nearest where none has.

    `rows`: each with its names, the key first.
    """
    found = [row for row, names in rows if all(word.lower() in " ".join(names).lower() for word in words)]
    if found or not words:
        return found
    every = [name for _, names in rows for name in names]
    raise UnknownName(kind, " ".join(words), every, before="nothing matches: ")


def answer(
    asked: argparse.Namespace,
    rows: list[dict[str, object]] | Mapping[str, object],
    columns: Sequence[Column],
    *,
    upright: bool = False,
) -> None:
    """Print rows as JSON or as a table, whichever was asked for; the `notes` of rows come below a table."""
    if asked.json:
        print_json(rows)
        return
    listed_rows = [dict(rows)] if isinstance(rows, Mapping) else rows
    print_table(listed_rows, columns, upright=upright)
    for note in joined(listed_rows):
        print(f" note: {note}")
