"""Scripts, styles and fonts that the site ships besides its pages, and their addresses in it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from hooks.assets.bundles import DEMOS, bundle
from hooks.assets.fonts import cut_css, cut_fonts
from hooks.assets.minify import minified, small_style
from hooks.paths import ROOT

MODULES = ROOT / "node_modules"
MORPHDOM = "assets/vendor/morphdom.js"
DEMO_SCRIPT, DEMO_STYLE = "assets/runtime/demos.js", "assets/runtime/demos.css"
PICTURE_SCRIPT = "assets/runtime/pictures.js"
SHIM_MARK = "/* iframe-worker */"


class MissingError(Exception):
    """A file that an earlier step should have fetched is missing."""


def module_file(path: str) -> Path:
    """Return a file of `node_modules`; raises MissingError with the command that fetches it."""
    file = MODULES / path
    if not file.is_file():
        raise MissingError(f"node_modules/{path} is missing: run `make site`, which fetches it")
    return file


def vendored() -> Iterator[tuple[str, str | Path]]:
    """Yield the site address of each vendored file with its text, or its path where it goes in unchanged."""
    shim = module_file("iframe-worker/shim/index.js").read_text(encoding="utf-8")
    ours = (ROOT / "hooks" / "assets" / "workers.js").read_text(encoding="utf-8")
    yield "assets/vendor/iframe-worker.js", ours.replace(SHIM_MARK, shim)
    yield MORPHDOM, module_file("morphdom/dist/morphdom-umd.min.js")
    katex = module_file("katex/dist/katex.min.css")
    yield "assets/vendor/katex/katex.css", cut_css(katex.read_text(encoding="utf-8"))


def formula_fonts(wanted: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the site address of each font of KaTeX, cut down to some characters, with its content."""
    for name, content in cut_fonts(module_file("katex/dist/katex.min.css").parent / "fonts", wanted):
        yield f"assets/vendor/katex/fonts/{name}", content


def runtime_files() -> Iterator[tuple[str, str | Path]]:
    """Yield the site address of each of our scripts and style sheets with its text or path.

    Those that only a page with demos loads are joined: one file takes half the bytes of thirty, and one request.
    """
    for path in bundle("everywhere"):
        yield f"assets/runtime/{path.name}", small_style(path.read_text(encoding="utf-8"))
    yield DEMO_STYLE, small_style(joined(demo_styles()))
    yield DEMO_SCRIPT, minified(joined(bundle("page")))
    yield PICTURE_SCRIPT, picture_script()


def joined(paths: Iterable[Path]) -> str:
    """Return the text of several files, each under its name."""
    return "".join(f"/* {path.relative_to(DEMOS)} */\n{path.read_text(encoding='utf-8')}\n" for path in paths)


def picture_script() -> str:
    """Return what draws pictures, with the styles they need in it: from a folder no script can read a style sheet."""
    language = next(path for path in bundle("everywhere") if path.name == "language.css")
    styles = "".join(path.read_text(encoding="utf-8") for path in [language, *demo_styles()])
    return f"TwoSpeeds.pictureStyle = {json.dumps(styles)};\n{joined(bundle('pictures'))}"


def demo_styles() -> list[Path]:
    """Return the style sheets that only a page with demos loads: the shared ones, then each demo's own."""
    return [*bundle("demos"), *sorted(DEMOS.glob("*/style.css"))]
