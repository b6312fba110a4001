"""Which prompts can a reader pick, and how is each answered? One TOML file per example in texts/.

The answers are written texts: a demo simulates the time of a model's answer, it does not think.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

TEXTS = Path(__file__).with_name("texts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    title: str  # as the list of examples shows it
    prompt: str
    answer: str


def load_examples(folder: Path = TEXTS) -> dict[str, Example]:
    """Every example under its file's name, in the order that the files ask for with `place`."""
    tables = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.toml")}
    places: dict[str, int] = {name: table.pop("place") for name, table in tables.items()}
    return {
        name: Example(**{field: text.strip() for field, text in tables[name].items()})
        for name in sorted(tables, key=lambda name: (places[name], name))
    }


EXAMPLES = load_examples()

# What is "answered" to a prompt that has no written answer, and after the end of one that has.
STOCK_ANSWER = (TEXTS / "stock.txt").read_text(encoding="utf-8").strip()
