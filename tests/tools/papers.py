"""Which files are the project's own, and what do its papers mention?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from hooks.paths import ROOT

PAPERS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
FENCE = re.compile(r"^( *)```[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
BACKTICKED = re.compile(r"`([^`\n]+)`")
LINKED = re.compile(r"\]\(([^)#\s]+)")
PATH_LIKE = re.compile(r"\.?[\w.-]+(/[\w.<>*{},-]+)*/?")
COMMAND = re.compile(r"make( |$)|(pysim|python3?|pip|git) \S")


def ignored_names() -> set[str]:
    """The folder and file names that `.gitignore` keeps out."""
    lines = (ROOT / ".gitignore").read_text().splitlines()
    return {line.strip("/") for line in lines if line and not line.startswith("#")} | {".git"}


def own_files() -> Iterator[Path]:
    """Every file of the project that is not made by a command."""
    names = ignored_names()
    for folder, subfolders, files in os.walk(ROOT):
        subfolders[:] = sorted(name for name in subfolders if name not in names and not name.endswith(".egg-info"))
        yield from (Path(folder) / name for name in sorted(files) if name not in names)


def text_of(path: Path) -> str | None:
    """The text of a file, or nothing for a picture and the like."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def mentioned(paper: str) -> Iterator[tuple[str, str]]:
    """What a paper names, as ("path" | "command", text): in backticks, links and indented or fenced code."""
    text = (ROOT / paper).read_text(encoding="utf-8")
    for fence in FENCE.finditer(text):
        for line in fence[2].splitlines():
            words = line.strip().removeprefix("$ ").split("#")[0].strip()
            if COMMAND.match(words):
                yield "command", words
    prose = FENCE.sub("", text)
    for code in BACKTICKED.findall(prose):
        if COMMAND.match(code):
            yield "command", code
        elif looks_like_path(code):
            yield "path", code
    for link in LINKED.findall(prose):
        if "://" not in link:
            yield "path", link


def looks_like_path(code: str) -> bool:
    """`docs/lessons/kv-cache.md` and `pysim/` are paths; `draft_tokens`, `n/a` and `GET /x` are not."""
    if not PATH_LIKE.fullmatch(code):
        return False
    first = code.split("/")[0]
    return "/" in code and (code.endswith("/") or (ROOT / first).exists() or "." in code.rsplit("/", 1)[1])


def exists(path: str) -> bool:
    """Whether the project has it or makes it; `<name>` and `*` stand for one name that is there."""
    if path.split("/")[0] in ignored_names():
        return True
    pattern = re.sub(r"<[^>]*>", "*", path.rstrip("/"))
    return any(True for _ in ROOT.glob(pattern))


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
