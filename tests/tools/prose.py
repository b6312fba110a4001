"""Prose: where does the project speak to its readers, in Markdown, in strings of code, in values of the catalog?

Left out are names in back quotes, code blocks and addresses, which are quoted, and what other people or tools wrote.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PAPERS: Final = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
CODE: Final = ("demos", "examples", "hooks", "pysim")
DATA: Final = ("demos", "hooks/facts", "pysim/catalog")
LEAST_WORDS: Final = 2  # one word is a name
TITLES_OF_OTHERS: Final = {"source", "sources", "title"}
TOOLS_OUTPUT: Final = ("demos/doctor/outputs/", "demos/kit/tokenize/", "demos/latency/traces/")
QUOTED: Final = re.compile(
    r"```.*?```|`[^`\n]*`|\]\([^)\n]*\)|https?://\S+|^---\n.*?^---\n|\*[^*\n]+\*|<!--.*?-->", re.DOTALL | re.MULTILINE
)
JAVASCRIPT: Final = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text that readers see, with the file and the line where it begins."""

    file: str
    line: int
    text: str


def passages(root: Path) -> Iterator[Passage]:
    """All that the project says to readers."""
    for path in [*(root / paper for paper in PAPERS), *_files(root, ("docs",), "md")]:
        yield from _passages(root, path, [(1, unquoted(path.read_text(encoding="utf-8")))])
    for path in _files(root, CODE, "py"):
        yield from _passages(root, path, python_strings(path.read_text(encoding="utf-8")))
    for path in _files(root, CODE, "js"):
        yield from _passages(root, path, javascript_strings(path.read_text(encoding="utf-8")))
    for path in _files(root, DATA, "toml"):
        yield from _passages(root, path, toml_strings(path.read_text(encoding="utf-8")))


def unquoted(markdown: str) -> str:
    """The text with all that it quotes blanked, its lines kept."""
    return QUOTED.sub(lambda quoted: re.sub(r"[^\n]", " ", quoted[0]), markdown)


def python_strings(source: str) -> Iterator[tuple[int, str]]:
    """The strings of a module with their lines, docstrings too; what an f-string computes becomes a dash."""
    tree = ast.parse(source)
    pieces = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield (
                node.lineno,
                "".join(
                    part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "–"
                    for part in node.values
                ),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces:
            yield node.lineno, node.value


def javascript_strings(source: str) -> Iterator[tuple[int, str]]:
    """The strings of a script with their lines; comments are for contributors."""
    for found in JAVASCRIPT.finditer(source):
        if found[0][0] != "/":
            yield source.count("\n", 0, found.start()) + 1, re.sub(r"\$\{[^}]*\}", "–", found[0][1:-1])


def toml_strings(source: str) -> Iterator[tuple[int, str]]:
    """The texts of a TOML file with their lines, but for titles that others chose."""
    lines = source.split("\n")
    for text in _texts(tomllib.loads(source)):
        begin = text.strip().split("\n")[0][:40]
        yield next((number for number, line in enumerate(lines, 1) if begin in line), 1), text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in TITLES_OF_OTHERS:
                yield from _texts(item)


def _files(root: Path, folders: tuple[str, ...], ending: str) -> list[Path]:
    files = [path for folder in folders for path in sorted((root / folder).rglob(f"*.{ending}"))]
    return [path for path in files if not path.relative_to(root).as_posix().startswith(TOOLS_OUTPUT)]


def _passages(root: Path, path: Path, texts: Any) -> Iterator[Passage]:
    for line, text in texts:
        if len(text.split()) >= LEAST_WORDS:
            yield Passage(file=path.relative_to(root).as_posix(), line=line, text=unquoted(text))
