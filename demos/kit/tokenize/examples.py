"""Example prompts that a reader can pick, and their answers: one TOML file per example in texts/.

The answers are written texts: a demo simulates the time of a model's answer, it does not think.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from demos.kit.errors import KitError, nearest
from demos.kit.tokenize.tokenizer import pieces

TEXTS = Path(__file__).with_name("texts")

_FIELDS = {"place": int, "title": str, "prompt": str, "answer": str}


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A prompt to pick; a demo that needs a longer answer goes on with `STOCK_ANSWER`."""

    title: str
    prompt: str
    answer: str


def load_examples(folder: Path = TEXTS) -> dict[str, Example]:
    """Every example under its file's name, in the order of the places that the files ask for.

    Raises `KitError` for a field that is missing, unknown or of the wrong type, naming the file.
    """
    placed: dict[str, tuple[int, Example]] = {}
    for path in sorted(folder.glob("*.toml")):
        table = _checked(tomllib.loads(path.read_text(encoding="utf-8")), path.name)
        texts = {name: str(table[name]).strip() for name in ("title", "prompt", "answer")}
        placed[path.stem] = int(str(table["place"])), Example(**texts)
    return {name: placed[name][1] for name in sorted(placed, key=lambda name: (placed[name][0], name))}


def _checked(table: dict[str, object], file: str) -> dict[str, object]:
    for name in table:
        if name not in _FIELDS:
            raise KitError(f'{file}: no example has a field "{name}"{nearest(name, _FIELDS)}')
    for name, kind in _FIELDS.items():
        if not isinstance(table.get(name), kind):
            raise KitError(f'{file}: an example needs "{name}", a {"whole number" if kind is int else "text"}')
    return table


EXAMPLES = load_examples()

# What is answered to a prompt without a written answer, and after the end of an answer too short.
STOCK_ANSWER = (TEXTS / "stock.txt").read_text(encoding="utf-8").strip()


def answer_pieces(text: str, wanted: int) -> list[str]:
    """Return `wanted` tokens of an answer; where it ends too soon the stock text goes on, again and again."""
    tokens = list(_pieces(text)[:wanted]) if text else []
    while len(tokens) < wanted:
        tokens += _pieces(STOCK_ANSWER)[: wanted - len(tokens)]
    return tokens


@cache
def _pieces(text: str) -> tuple[str, ...]:
    return tuple(pieces(text))
