"""Where is the site that the tests look at, built from the sources as they are now?

A build is kept under `build/tests/` by the fingerprint of its sources, so that it serves until one of them changes.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from hooks.paths import ROOT

HOME = ROOT / "build" / "tests"
SOURCES = ("demos", "docs", "hooks", "pysim", "build/python", "mkdocs.yml", "pyproject.toml", "package-lock.json")
KEPT_BUILDS = 4
# Every character here has broken a page opened from the file system somewhere.
AWKWARD_FOLDER = "Zwei Tempi für 100 % #1"


@cache
def packed() -> None:
    """Bring the Python of the pages up to date, which the site is built from, once for each run of the tests."""
    module("hooks.pack")


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


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """A folder made from the sources as they are now, once; a test run that looks at an older one keeps it."""
    packed()
    folder = HOME / sources_fingerprint()[:12] / name
    with alone():
        if not folder.is_dir():
            forget_old()
            unfinished = folder.with_name(f"{name}.unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(parents=True)
            make(unfinished)
            unfinished.replace(folder)
    return folder


def forget_old() -> None:
    builds = sorted(filter(Path.is_dir, HOME.iterdir()), key=lambda path: path.stat().st_mtime)
    for old in builds[:-KEPT_BUILDS]:
        shutil.rmtree(old)


def built_site() -> Path:
    """The strict build."""
    return kept("site", lambda folder: module("mkdocs", "build", "--strict", "--site-dir", folder))


def unzipped_site() -> Path:
    """The download of `make offline` as a reader unpacks it: the folder with its `index.html`."""
    download = offline_zip()
    folder = kept(AWKWARD_FOLDER, lambda folder: unzip(download, folder))
    return next(folder.rglob("index.html")).parent


def unzip(download: Path, folder: Path) -> None:
    with zipfile.ZipFile(download) as archive:
        archive.extractall(folder)


def offline_zip() -> Path:
    """The zip that `make offline` writes of the sources as they are now."""
    return kept("download", make_download) / download_name()


def make_download(folder: Path) -> None:
    module("hooks.offline")
    shutil.copy2(ROOT / "dist" / download_name(), folder)


def download_name() -> str:
    return f"two-speeds-{project_version()}.zip"


def project_version() -> str:
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return version
