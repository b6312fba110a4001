"""The offline download: a zip of the site whose `index.html` opens with a double-click."""

from __future__ import annotations

import logging
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from hooks.paths import ROOT

MAX_ZIP_BYTES = 20_000_000
NAME = "two-speeds"
# Equal sites give equal zips: a file's time is no content.
WHEN = (2020, 1, 1, 0, 0, 0)
MODE = 0o644 << 16
# Opened from a folder, pages read the index as a script, and no host looks for a map or an error page.
HOSTED_ONLY = ("404.html", "search/search_index.json", "sitemap.xml", "sitemap.xml.gz")


class TooLargeError(Exception):
    """The zip is larger than what was promised."""


def version() -> str:
    """Return the project's version."""
    project: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return project


def build_site(site_dir: Path, *, hosted: bool) -> None:
    """Build the site strictly; one that is not hosted carries the Python packs for folders alone."""
    config = load_config(str(ROOT / "mkdocs.yml"), strict=True, site_dir=str(site_dir))
    config.extra["hosted"] = hosted
    config.plugins.on_startup(command="build", dirty=False)
    try:
        build(config)
    finally:
        config.plugins.on_shutdown()


def write_zip(site_dir: Path, target: Path) -> int:
    """Zip a built site into one folder and return the zip's size; raises TooLargeError and leaves no file then."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(".unfinished")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(site_dir.rglob("*")):
            name = path.relative_to(site_dir).as_posix()
            if path.is_file() and name not in HOSTED_ONLY:
                entry = zipfile.ZipInfo(f"{NAME}/{name}", WHEN)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, MODE
                archive.writestr(entry, path.read_bytes())
    size_bytes = unfinished.stat().st_size
    if size_bytes > MAX_ZIP_BYTES:
        unfinished.unlink()
        promised = f"more than the {MAX_ZIP_BYTES / 1e6:.0f} MB promised"
        raise TooLargeError(f"{target.name} would have {size_bytes / 1e6:.1f} MB, {promised}")
    unfinished.replace(target)
    return size_bytes


def main() -> int:
    """Build and zip the site; print where it is and how large."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    target = ROOT / "dist" / f"{NAME}-{version()}.zip"
    try:
        with tempfile.TemporaryDirectory() as folder:
            build_site(Path(folder), hosted=False)
            size_bytes = write_zip(Path(folder), target)
    except (Abort, TooLargeError) as error:
        print(f"{NAME}: {error}", file=sys.stderr)
        return 1
    print(f"{target.relative_to(ROOT)}: {size_bytes / 1e6:.1f} MB; unzip it anywhere and open {NAME}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
