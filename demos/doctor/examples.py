"""Example outputs that a reader may try before pasting their own: one TOML file per example in outputs/.

The texts are short and made up, in the forms that tools print; a new one is a new file.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

OUTPUTS = Path(__file__).with_name("outputs")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """One example: its key, its place and label in the list, and the text."""

    key: str
    place: int
    label: str
    text: str


def load_outputs(folder: Path = OUTPUTS) -> tuple[ToolOutput, ...]:
    """Return every example in the order of the places that the files ask for."""
    examples = [_read(path) for path in sorted(folder.glob("*.toml"))]
    return tuple(sorted(examples, key=lambda example: example.place))


def _read(path: Path) -> ToolOutput:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    return ToolOutput(key=path.stem, place=int(table["place"]), label=str(table["label"]), text=str(table["text"]))


EXAMPLES = load_outputs()
