"""Which files of others does the site ship, and where do they lie in it? All come from `node_modules`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from hooks.fonts import cut_css, cut_fonts
from hooks.sources import ROOT

MODULES = ROOT / "node_modules"
RUNTIME = ROOT / "demos" / "runtime"
EVERYWHERE = ("language.css", "prose.css", "site.css")  # as mkdocs.yml names them
MORPHDOM = "assets/vendor/morphdom.js"
DEMO_SCRIPT, DEMO_STYLE = "assets/runtime/demos.js", "assets/runtime/demos.css"
PICTURE_SCRIPT = "assets/runtime/pictures.js"
SHIM_MARK = "/* iframe-worker */"


class MissingError(Exception):
    """A file that an earlier step should have fetched is not there."""


def module_file(path: str) -> Path:
    """Return a file of `node_modules`; raises MissingError with the command that fetches it."""
    found = MODULES / path
    if not found.is_file():
        raise MissingError(f"node_modules/{path} is missing: run `make site`, which fetches it")
    return found


def vendored() -> Iterator[tuple[str, str | Path]]:
    """Yield the site address of each vendored file with its text, or its path where it goes in unchanged."""
    shim = module_file("iframe-worker/shim/index.js").read_text(encoding="utf-8")
    ours = (ROOT / "hooks" / "workers.js").read_text(encoding="utf-8")
    yield "assets/vendor/iframe-worker.js", ours.replace(SHIM_MARK, shim)
    yield MORPHDOM, module_file("morphdom/dist/morphdom-umd.min.js")
    katex = module_file("katex/dist/katex.min.css")
    yield "assets/vendor/katex/katex.css", cut_css(katex.read_text(encoding="utf-8"))


def formula_fonts(wanted: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the site address of each font of KaTeX, cut down to some characters, with its content."""
    for name, content in cut_fonts(module_file("katex/dist/katex.min.css").parent / "fonts", wanted):
        yield f"assets/vendor/katex/fonts/{name}", content


def runtime_files() -> Iterator[tuple[str, str | Path]]:
    """Yield the site address of each of our own scripts and style sheets with its text or path.

    Those that only a page with demos loads are joined: one file takes half the bytes of thirty, and one request.
    """
    for name in EVERYWHERE:
        yield f"assets/runtime/{name}", RUNTIME / name
    yield DEMO_STYLE, joined(demo_styles())
    yield DEMO_SCRIPT, joined(page_scripts())
    yield PICTURE_SCRIPT, picture_script()


def joined(names: Iterable[str]) -> str:
    """Return the text of several files of `demos/runtime`, each under its name."""
    return "".join(f"/* {name} */\n{(RUNTIME / name).read_text(encoding='utf-8')}\n" for name in names)


def picture_script() -> str:
    """Return what draws pictures, with the styles they need in it: from a folder no script can read a style sheet."""
    styles = "".join((RUNTIME / name).read_text(encoding="utf-8") for name in ["language.css", *demo_styles()])
    scripts = joined(f"pictures/{path.name}" for path in sorted((RUNTIME / "pictures").glob("*.js")))
    return f"TwoSpeeds.pictureStyle = {json.dumps(styles)};\n{scripts}"


def demo_styles() -> list[str]:
    """Return the style sheets that only a page with demos loads."""
    return [name for name in runtime_styles() if name not in EVERYWHERE]


def runtime_styles() -> list[str]:
    """Return the names of the style sheets in `demos/runtime`."""
    return sorted(path.name for path in RUNTIME.glob("*.css"))


def page_scripts() -> list[str]:
    """Return the scripts that a page with demos loads, in order; a worker's own are not among them."""
    return sorted(path.name for path in RUNTIME.glob("*.js") if not path.name.startswith("worker"))
