"""How does a reader see the Python behind a demo? Every file of `pysim` and `demos` as a page of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, MutableMapping
from html import escape
from pathlib import Path
from typing import Any

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer, TOMLLexer

ROOT = Path(__file__).resolve().parents[1]
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


def source_files() -> Iterator[str]:
    """Yield the readable sources, as paths from the project's root."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in LEXERS and path.is_file():
                yield path.relative_to(ROOT).as_posix()


def source_address(path: str) -> str:
    """Return where in the site the page of a source file lies."""
    return f"source/{path}.html"


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
    paths = list(source_files())
    for path in paths:
        text = (ROOT / path).read_text(encoding="utf-8")
        key = f"source {path} {hashlib.sha256(text.encode()).hexdigest()}"
        memory[key] = memory.get(key) or _page(path, text)
        yield source_address(path), memory[key]
    yield "source/index.html", PAGE.format(title="Source", base="../", body=_index(paths))


def _page(path: str, text: str) -> str:
    formatter = HtmlFormatter(nowrap=True)
    lines = highlight(text, LEXERS[Path(path).suffix](stripnl=False), formatter).rstrip("\n").split("\n")
    numbered = "".join(f'<span class="line" id="L{at}">{line}\n</span>' for at, line in enumerate(lines, start=1))
    body = f'<pre class="highlight" tabindex="0" aria-label="{escape(path)}"><code>{numbered}</code></pre>'
    return PAGE.format(title=escape(path), base="../" * (path.count("/") + 1), body=body)


def _index(paths: list[str]) -> str:
    items = "".join(f'<li><a href="{escape(path)}.html">{escape(path)}</a>{_question(path)}</li>' for path in paths)
    lead = "The files that compute and draw the demos, in your browser and before that when the site was built."
    return f'<p>{lead}</p><ul class="sources">{items}</ul>'


def _question(path: str) -> str:
    """Return the first line of a module's docstring, the question that the file answers."""
    first = (ROOT / path).read_text(encoding="utf-8").partition("\n")[0]
    return f" <span>{escape(first.strip().strip(chr(34)))}</span>" if first.startswith('"""') else ""
