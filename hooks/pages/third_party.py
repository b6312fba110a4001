"""Third-party software that the site ships: versions and licenses, read from the packages themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from hooks import pack
from hooks.assets.vendor import MODULES

MARK = "<!-- table of shipped software -->"
FOLDER = "licences"
LICENCE_FILE = re.compile(r"(?:LICEN[CS]E|COPYING|NOTICE)(?:[._-].*)?", re.IGNORECASE)
NAMED_IN_TEXT = {"MIT License": "MIT", "Pictogrammers Free License": "Apache-2.0 (Pictogrammers)"}
# Parts of the theme's script that carry no notice of their own in it; their licences by their own manifests.
UNMARKED = {"focus-visible": "W3C-20150513", "rxjs": "Apache-2.0", "tslib": "0BSD"}
AS_IN_THEME = "as in the theme"
THEME = "mkdocs-material"


@dataclass(frozen=True, slots=True, kw_only=True)
class Software:
    """One shipped work: `licence` is an SPDX expression, `text` the license as its package gives it, if it does."""

    name: str
    version: str
    licence: str
    use: str
    url: str = ""
    text: str = ""

    @property
    def address(self) -> str:
        """Where in the site the license's text lies."""
        return f"{FOLDER}/{re.sub(r'[^a-z0-9]+', '-', self.name.lower()).strip('-')}.txt"


def site_software() -> list[Software]:
    """Return all that the site ships, the pages' part and then the Python pack's."""
    return [*page_software(), *pack_software()]


def pack_software() -> list[Software]:
    """Return what the Python pack tells of its contents; nothing where it has not been made."""
    try:
        told = pack.third_party()
    except pack.PackError:
        return []
    use = "Python in the browser"
    return [
        Software(name=work.name, version=work.version, licence=work.licence, use=use, url=work.url, text=work.text)
        for work in told
    ]


def page_software() -> list[Software]:
    """Return what the pages themselves ship."""
    return [
        python_package(THEME, "the look of the site and its search"),
        *theme_parts(),
        theme_icons(),
        node_package("katex", "formulas: their style sheet and fonts"),
        node_package("iframe-worker", "search when the site is opened from a folder"),
        node_package("morphdom", "changing a demo's picture in place"),
        python_package("simple-html", "the pictures of the demos, drawn in Python"),
    ]


def python_package(name: str, use: str) -> Software:
    """Return an installed Python distribution as its metadata describes it."""
    package = distribution(name)
    text = _texts(package)
    named = [*(package.metadata.get_all("License-Expression") or []), *(package.metadata.get_all("License") or [])]
    licence = named[0] if named else named_in(text)
    if not licence:
        raise ValueError(f"the metadata of {name} {package.version} names no license")
    url = _home(package)
    return Software(name=name, version=package.version, licence=licence, use=use, url=url, text=text)


def _home(package: Distribution) -> str:
    """Return the address of a distribution's home page, "" if its metadata have none."""
    pages = dict(entry.split(", ", 1) for entry in package.metadata.get_all("Project-URL") or [])
    named = {label.lower(): url for label, url in pages.items()}
    listed: str = (package.metadata.get_all("Home-page") or [""])[0]
    return str(named.get("homepage") or named.get("source") or listed)


def named_in(text: str) -> str:
    """Return the name of the license whose text begins with its title, or "" for an unknown one."""
    return next((spdx for title, spdx in NAMED_IN_TEXT.items() if title in text[:200]), "")


def _texts(package: Distribution) -> str:
    files = [file for file in package.files or [] if LICENCE_FILE.fullmatch(file.name) and ".dist-info" in str(file)]
    return "\n\n".join(file.read_text(encoding="utf-8").strip() for file in files) + "\n"


def node_package(name: str, use: str) -> Software:
    """Return a package of `node_modules` as its manifest describes it."""
    folder = MODULES / name
    manifest = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()) if LICENCE_FILE.fullmatch(path.name)]
    return Software(
        name=name,
        version=manifest["version"],
        licence=manifest["license"],
        use=use,
        url=manifest.get("homepage", ""),
        text="\n\n".join(texts),
    )


def theme_parts() -> Iterator[Software]:
    """Yield what the theme's two scripts contain of others, as their source maps and notices tell."""
    theme = distribution(THEME)
    assets = Path(str(theme.locate_file("material/templates/assets/javascripts")))
    for script in sorted(assets.rglob("*.min.js")):
        map_file = script.with_name(script.name + ".map")
        if "lunr" in script.parent.parts or not map_file.is_file():
            continue
        sources = " ".join(json.loads(map_file.read_text(encoding="utf-8"))["sources"])
        notices = re.findall(r"/\*[*!].*?\*/", script.read_text(encoding="utf-8"), re.DOTALL)
        use = "part of the search" if "/lunr/" in sources else "part of the theme’s script"
        for name in sorted(set(re.findall(r"node_modules/((?:@[^/ ]+/)?[^/ ]+)/", sources))):
            yield _theme_part(name, notices, use)


def theme_icons() -> Software:
    """Return the icon set whose pictures the pages use."""
    path = Path(str(distribution(THEME).locate_file("material/templates/.icons/material/LICENSE")))
    text = path.read_text(encoding="utf-8")
    name = "Material Design Icons"
    return Software(name=name, version=AS_IN_THEME, licence=named_in(text), use="the icons", text=text)


def _theme_part(name: str, notices: list[str], use: str) -> Software:
    notice = next((text for text in notices if re.search(rf"\b{re.escape(name)}\b", text)), "")
    version = re.search(r"\bv?(\d+\.\d+\.\d+)\b", notice)
    licence = "MIT" if re.search(r"\bMIT\b", notice) else UNMARKED.get(name)
    if licence is None:
        raise ValueError(f"the theme ships {name}, whose license is not known: add it to {__name__}.UNMARKED")
    return Software(name=name, version=version[1] if version else AS_IN_THEME, licence=licence, use=use, text=notice)


def table(shipped: list[Software]) -> str:
    """Return the Markdown table of the page."""
    rows = ["| Software | Version | License | What it does here |", "|---|---|---|---|"]
    for software in shipped:
        licence = f'<a href="{software.address}">{software.licence}</a>' if software.text else software.licence
        name = f"[{software.name}]({software.url})" if software.url else software.name
        rows.append(f"| {name} | {software.version} | {licence} | {software.use} |")
    return "\n".join(rows)
