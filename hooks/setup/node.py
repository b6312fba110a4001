"""Node for the build steps, and its packages.

The system's Node and npm if they are recent enough, else the one that PyPI carries, inside `.venv`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

from hooks.paths import ROOT
from hooks.setup import environment
from hooks.setup.common import VENV, fingerprint, need_space, run, say

OLDEST_NODE = 18
MODULES = ROOT / "node_modules"
STAMP = MODULES / ".two-speeds-ready"
LOCK = ROOT / "package-lock.json"
ABOUT_BYTES = 66_000_000


def major_version(node: str) -> int:
    """The first number of `node --version`; 0 if it doesn't run."""
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return 0
    major = re.match(r"v(\d+)\.", answer)
    return int(major[1]) if major else 0


def search_path() -> str:
    """The PATH under which everything runs that uses Node: as the Makefile has it, `.venv` before the system."""
    return f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def ensure() -> None:
    """Find or fetch Node, then bring `node_modules` to the lock."""
    ensure_node()
    want = fingerprint(LOCK)
    if STAMP.is_file() and STAMP.read_text() == want:
        return
    need_space(3 * ABOUT_BYTES, "installing package-lock.json")
    say("fetching the packages of package-lock.json (once)")
    done = threading.Event()
    watcher = threading.Thread(target=show_growth, args=(done,), daemon=True)
    watcher.start()
    try:
        run(
            ["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--no-progress"],
            env={**os.environ, "PATH": search_path()},
            otherwise="a package of package-lock.json could not be fetched: npm's lines above name the file and the "
            "address; check the network and run the same command again",
        )
    finally:
        done.set()
        watcher.join()
    STAMP.write_text(want)


def ensure_node() -> None:
    """Take the system's Node if it is recent enough, else install the one that PyPI carries."""
    path = search_path()
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    if node and npm and major_version(node) >= OLDEST_NODE:
        return
    say(f"no Node {OLDEST_NODE} or newer with npm on this machine: taking the one that PyPI carries")
    environment.ensure("node")


def show_growth(done: threading.Event) -> None:
    """Npm tells no sizes, so show what has arrived on disk of about as much as it will be."""
    told = 0
    while not done.wait(1.0):
        size_bytes = sum(file_bytes(Path(folder) / name) for folder, _, names in os.walk(MODULES) for name in names)
        if size_bytes > told:
            told = size_bytes
            share = min(99, round(100 * size_bytes / ABOUT_BYTES))
            say(f"npm: {size_bytes / 1e6:.0f} MB of about {ABOUT_BYTES / 1e6:.0f} MB, {share} %")


def file_bytes(path: Path) -> int:
    """Its size, or nothing if npm has moved it away meanwhile."""
    try:
        return path.lstat().st_size
    except OSError:
        return 0
