"""The small site: the least of a page that starts Python. The pack, the runtime's scripts for it, and nothing else."""

from pathlib import Path
from shutil import copy2

from hooks.pack import copy_into
from hooks.pack.paths import Places

SCRIPTS = ("payload.js", "start_errors.js", "open_requests.js", "worker_link.js", "python_worker.js")


def lay_out(site: Path, *, hosted: bool, places: Places) -> None:
    """Fill a folder with the page and what it loads."""
    copy_into(site, hosted=hosted, places=places)
    # Where the site has its bundle: a page finds its root from there.
    beside = site / "assets" / "runtime"
    beside.mkdir()
    for name in SCRIPTS:
        copy2(places.root / "demos" / "runtime" / "page" / name, beside)
    tags = "".join(f'<script src="assets/runtime/{name}"></script>' for name in SCRIPTS)
    head = '<!doctype html><meta charset="utf-8"><title>small</title><link rel="icon" href="data:,">'
    (site / "index.html").write_text(head + tags, encoding="utf-8")
