"""MkDocs' hooks: each event of a build is handed on to `hooks.build`, which does the work.

MkDocs loads this file once and keeps it, so under live reload the modules behind it are imported
afresh for every build: an edit to `pysim`, `demos` or `hooks` shows without a restart.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hooks.build import Build

ROOT = str(Path(__file__).resolve().parents[1])
OURS = ("pysim", "demos", "hooks")
_live = False
_memory: dict[str, Any] = {}
_build: Build


def on_startup(*, command: str, dirty: bool) -> None:
    """Note whether the site is being served. Compiled files in watched folders would start builds."""
    global _live
    _live = command == "serve"
    sys.dont_write_bytecode = _live or sys.dont_write_bytecode


def on_config(config: Any) -> Any:
    """Begin a build; while serving, with our modules imported afresh."""
    global _build
    if ROOT not in sys.path:
        sys.path.insert(0, ROOT)
    if _live:
        for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
            del sys.modules[name]
    _build = importlib.import_module("hooks.build").Build(config, memory=_memory, live=_live)
    return config


def on_files(files: Any, *, config: Any) -> Any:
    """Add the files that are not Markdown."""
    return _build.on_files(files)


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Fill in the marks of a page."""
    return _build.on_page_markdown(markdown, page)


def on_page_content(html: str, *, page: Any, config: Any, files: Any) -> str:
    """Check the HTML of a page."""
    return _build.on_page_content(html, page)


def on_env(env: Any, *, config: Any, files: Any) -> Any:
    """Check all pages together."""
    _build.on_env(files)
    return env


def on_page_context(context: Any, *, page: Any, config: Any, nav: Any) -> Any:
    """Tell the templates what a page needs."""
    return _build.on_page_context(context, page)


def on_post_build(*, config: Any) -> None:
    """Put the Python pack next to the pages."""
    _build.on_post_build()
