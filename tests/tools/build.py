"""Where is the site that the tests look at, built from the sources as they are now?

A build is kept under `build/tests/` with the fingerprint of its sources, written last, and serves until one changes.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "build" / "tests"
SOURCES = ("demos", "docs", "hooks", "pysim", "build/python", "mkdocs.yml", "pyproject.toml", "package-lock.json")
# Every character here has broken a page opened from the file system somewhere.
AWKWARD_FOLDER = "Zwei Tempi für 100 % #1"


def sources_fingerprint() -> str:
    """Names and contents of everything that the site is built from."""
    digest = hashlib.sha256()
    for source in SOURCES:
        path = ROOT / source
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and file.suffix != ".pyc":
                digest.update(str(file.relative_to(ROOT)).encode())
                digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


@contextmanager
def alone() -> Iterator[None]:
    """One build at a time, however many test runs there are."""
    HOME.mkdir(parents=True, exist_ok=True)
    with (HOME / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def module(*arguments: str | Path) -> None:
    """Run one of the project's or its tools' modules; its output belongs to the failure."""
    done = subprocess.run(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(f"python -m {arguments[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def built_site() -> Path:
    """The strict build."""
    site, stamp = HOME / "site", HOME / "site.stamp"
    with alone():
        wanted = sources_fingerprint()
        if not (stamp.is_file() and stamp.read_text() == wanted):
            stamp.unlink(missing_ok=True)
            module("mkdocs", "build", "--strict", "--site-dir", site)
            stamp.write_text(wanted)
    return site


def offline_zip() -> Path:
    """The download, as `make offline` makes it."""
    stamp = HOME / "zip.stamp"
    path = ROOT / "dist" / f"two-speeds-{project_version()}.zip"
    with alone():
        wanted = sources_fingerprint()
        if not (path.is_file() and stamp.is_file() and stamp.read_text() == wanted):
            stamp.unlink(missing_ok=True)
            module("hooks.offline")
            stamp.write_text(wanted)
    return path


def project_version() -> str:
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return version


def unzipped_site() -> Path:
    """The download as a reader unpacks it: the folder with its `index.html`."""
    path, folder, stamp = offline_zip(), HOME / AWKWARD_FOLDER, HOME / "unzipped.stamp"
    with alone():
        wanted = (HOME / "zip.stamp").read_text()
        if not (stamp.is_file() and stamp.read_text() == wanted):
            stamp.unlink(missing_ok=True)
            shutil.rmtree(folder, ignore_errors=True)
            with zipfile.ZipFile(path) as archive:
                archive.extractall(folder)
            stamp.write_text(wanted)
    return next(folder.rglob("index.html")).parent
