"""Wording: which phrases give away that a sentence was not written by the ear, and what to write instead?

Looked at are pages, papers, and the strings of Python that readers see; docstrings and comments are for contributors.
They are left alone. A phrase within back quotes is a name, not prose.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hooks.paths import ROOT

# Phrase (a regular expression, case aside) → what to write.
BETTER: Final[dict[str, str]] = {
    r"\bfurther tokens?\b": "more tokens; each token after that",
    r"\beach further\b": "each one after that",
    r"\bevery further\b": "every one after that",
    r"\ball further\b": "all the others",
    r"\bof its own accord\b": "by itself",
    r"\bof one's own\b": "your own",
    r"\ban? \w+ of (its|their|his|her) own\b": "its own …",
    r"\bdata sheets?\b|\bdatasheet[’']s\b": "spec sheet",
    r"\bsaid of\b": "say what is what: “A pass is memory-bound when …”",
    r"\bfor (its|their|the) sake\b": "say what it does: “To produce it, …”",
    r"\b(lies|stands) (in|on|at|beside|below|above) the\b": "is …",
    r"\bin place of\b": "instead of",
    r"\bbeside the weights\b": "next to the weights",
    r"\bwhoever\b": "who; someone who",
    r"\bhence\b": "so",
    r"\bthereby\b": "and so",
    r"\bthe more so\b": "more strongly",
    r"\banew\b": "again",
    r"(?-i:\btowards\b)": "toward",
    r"\bamongst\b": "among",
    r"\bwhilst\b": "while",
    r"\bcatalogues?\b": "catalog",
    r"\b(col|fav|neighb|hon|lab)our": "American spelling: color, favor, neighbor",
    r"\b(recogn|optim|organ|quant|normal|util|general|minim|maxim|real)is(e[ds]?|ing|ation)\b": "-ize",
}
PAPERS: Final = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
CODE: Final = ("demos", "pysim/doctor", "pysim/cli")
LEAST_WORDS: Final = 4  # shorter strings are names and labels
QUOTED: Final = re.compile(
    r"```.*?```|`[^`\n]*`|\]\([^)\n]*\)|https?://\S+|^---\n.*?^---\n|\*[^*\n]+\*|<!--.*?-->", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A phrase in a place, and what to write instead."""

    file: str
    line: int
    phrase: str
    better: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: “{self.phrase}”: {self.better}"


def slips(root: Path = ROOT) -> list[Slip]:
    """All slips of the project."""
    return [slip for name, line, text in _texts(root) for slip in slips_in(text, name, line)]


def slips_in(text: str, name: str, first_line: int = 1) -> Iterator[Slip]:
    """The slips of one text, whose first line has this number; what is quoted or an address is left out."""
    prose = QUOTED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for phrase, better in BETTER.items():
        for match in re.finditer(phrase, prose, re.IGNORECASE):
            line = first_line + prose.count("\n", 0, match.start())
            yield Slip(file=name, line=line, phrase=" ".join(match[0].split()), better=better)


def _texts(root: Path) -> Iterator[tuple[str, int, str]]:
    pages = sorted((root / "docs").rglob("*.md"))
    for path in [*pages, *(root / paper for paper in PAPERS)]:
        yield path.relative_to(root).as_posix(), 1, path.read_text(encoding="utf-8")
    for folder in CODE:
        for path in sorted((root / folder).rglob("*.py")):
            for line, text in _strings(path.read_text(encoding="utf-8")):
                yield path.relative_to(root).as_posix(), line, text


def _strings(source: str) -> Iterator[tuple[int, str]]:
    """The strings of a module that may be prose, but for its docstrings."""
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, documented) and node.body
                  and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
            continue
        if len(node.value.split()) >= LEAST_WORDS:
            yield node.lineno, node.value
