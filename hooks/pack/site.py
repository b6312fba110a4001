"""The pack in a site's folder: its files are copied, and a page learns their names."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from hooks.assets.bundles import bundle
from hooks.pack.errors import PackError
from hooks.pack.manifest import Manifest, read
from hooks.pack.paths import Places

FOLDER = "assets/python"
ENTRY = "entry.js"


def copy_into(site_dir: str | Path, *, hosted: bool, places: Places | None = None) -> None:
    """Copy the built pack to <site>/assets/python.

    Every site gets the scripts, which load anywhere. A hosted one gets the plain packs as well, which
    a server delivers without the cost of the text encoding; its entry script tells the page so.
    """
    places = places or Places()
    manifest = read(places.out)
    if manifest is None:
        raise PackError(f"no Python pack in {places.shown(places.out)}; `python -m hooks.pack` makes it")
    target = Path(site_dir) / FOLDER
    target.mkdir(parents=True, exist_ok=True)
    wanted = {name for part in manifest.parts for name in ((part.pack, part.script) if hosted else (part.script,))}
    for path in target.iterdir():
        if path.name not in wanted:
            path.unlink()
    for name in sorted(wanted):
        source, copy = places.out / name, target / name
        if not copy.exists() or copy.stat().st_size != source.stat().st_size:
            shutil.copyfile(source, copy)
    (target / ENTRY).write_text(entry_script(manifest, worker_source(places.root), hosted=hosted), encoding="utf-8")


def worker_source(root: Path) -> str:
    """The worker's program: its parts joined. They run inside a Blob and are no scripts of the page."""
    return "\n".join(path.read_text(encoding="utf-8") for path in bundle("worker", root))


def entry_script(manifest: Manifest, worker: str, *, hosted: bool) -> str:
    """The script that tells a page what to load: it is fetched at first interest, not with the page."""
    entry: Mapping[str, object] = {
        "parts": [asdict(part) for part in manifest.parts],
        "versions": manifest.versions,
        "imports": manifest.imports,
        "packs": hosted,
        "worker": worker,
    }
    return f"TwoSpeeds.payload.entry({json.dumps(entry)});\n"
