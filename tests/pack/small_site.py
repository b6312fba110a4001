"""What is the least of a page that starts Python? The pack, the runtime's scripts for it, and nothing else."""

from pathlib import Path
from shutil import copytree

from hooks.pack import copy_into
from hooks.pack.paths import Places

SCRIPTS = ("payload.js", "start_errors.js", "open_requests.js", "worker_link.js", "python_worker.js")


def lay_out(site: Path, *, hosted: bool, places: Places) -> None:
    """Fill a folder with the page and what it loads."""
    copy_into(site, hosted=hosted, places=places)
    copytree(places.root / "demos" / "runtime", site / "assets" / "runtime")
    tags = "".join(f'<script src="assets/runtime/page/{name}"></script>' for name in SCRIPTS)
    head = '<!doctype html><meta charset="utf-8"><title>small</title><link rel="icon" href="data:,">'
    (site / "index.html").write_text(head + tags, encoding="utf-8")
