"""Source pages: every file of `pysim` and `demos`, so a reader sees the Python behind a demo."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, TOMLLexer

from hooks.paths import ROOT

FOLDERS = ("pysim", "demos")
LEXERS = {".py": PythonLexer, ".toml": TOMLLexer}

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title} · Two Speeds</title>
<link rel="icon" href="{base}assets/favicon.svg">
<link rel="stylesheet" href="{base}assets/runtime/language.css">
<link rel="stylesheet" href="{base}assets/source.css">
<script src="{base}assets/scheme.js"></script>
</head>
<body>
<header>
<nav aria-label="Site"><a href="{base}index.html">Two Speeds</a> · <a href="{base}source/index.html">Source</a></nav>
<h1>{title}</h1></header>
<main>
{body}
</main>
</body>
</html>
"""


def files_of(suffix: str) -> list[str]:
    """Return our sources with this ending, as paths from the project's root."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob(f"*{suffix}"))]
    return [path.relative_to(ROOT).as_posix() for path in paths if "__pycache__" not in path.parts]


def source_address(path: str) -> str:
    """Return where in the site a source file can be read; data files of a folder share a page."""
    parent, _, name = path.rpartition("/")
    return f"source/{path}.html" if name.endswith(".py") else f"source/{parent}.html#{name}"


def fingerprint() -> str:
    """Return a digest of all sources and their data: equal digests give equal demos."""
    digest = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def source_pages(memory: MutableMapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the address and HTML of every source page and of their index; `memory` keeps what is unchanged."""
    modules, data = files_of(".py"), files_of(".toml")
    for path in modules:
        text = (ROOT / path).read_text(encoding="utf-8")
        yield source_address(path), _kept(memory, path, text, partial(_module, path, text))
    for folder in sorted({path.rpartition("/")[0] for path in data}):
        files = {path: (ROOT / path).read_text(encoding="utf-8") for path in data if path.rpartition("/")[0] == folder}
        yield f"source/{folder}.html", _kept(memory, folder, repr(files), partial(_folder, folder, files))
    yield "source/index.html", _page("Source", _index(modules, data), depth=1)


def _kept(memory: MutableMapping[str, Any], name: str, content: str, make: Callable[[], str]) -> str:
    key = f"source {name} {hashlib.sha256(content.encode()).hexdigest()}"
    page: str = memory.get(key) or make()
    memory[key] = page
    return page


def _page(title: str, body: str, depth: int | None = None) -> str:
    levels = title.count("/") + 1 if depth is None else depth
    return PAGE.format(title=escape(title), body=body, base="../" * levels)


def _code(path: str, text: str, prefix: str = "") -> str:
    """Return highlighted text whose lines can be linked to."""
    lexer = LEXERS[Path(path).suffix](stripnl=False)
    lines = highlight(text, lexer, HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")
    numbered = "".join(
        f'<span class="line" id="{prefix}L{at}">{line}\n</span>' for at, line in enumerate(lines, start=1)
    )
    return (
        f'<pre class="highlight" tabindex="0" role="region" aria-label="{escape(path)}"><code>{numbered}</code></pre>'
    )


def _module(path: str, text: str) -> str:
    return _page(path, _code(path, text))


def _folder(folder: str, files: Mapping[str, str]) -> str:
    parts = []
    for path, text in files.items():
        name = path.rpartition("/")[2]
        parts.append(f'<h2 id="{escape(name)}">{escape(name)}</h2>{_code(path, text, prefix=f"{name}-")}')
    return _page(folder, "".join(parts))


def _index(modules: list[str], data: list[str]) -> str:
    lead = "The files that compute and draw the demos, when the site is built and in your browser."
    items = "".join(f"<li>{_link(path)}{_first_line(path)}</li>" for path in modules)
    facts = "".join(f"<li>{_link(path)}</li>" for path in data)
    return f'<p>{lead}</p><ul class="sources">{items}</ul><h2>Facts and texts</h2><ul class="sources">{facts}</ul>'


def _link(path: str) -> str:
    return f'<a href="../{escape(source_address(path))}">{escape(path)}</a>'


def _first_line(path: str) -> str:
    """Return the first line of a module's docstring, which says what the file holds."""
    first = (ROOT / path).read_text(encoding="utf-8").partition("\n")[0]
    return f" <span>{escape(first.strip().strip(chr(34)))}</span>" if first.startswith('"""') else ""
