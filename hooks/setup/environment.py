"""The environment `.venv`, which holds exactly the packages of a hashed lock.

A stamp is written after the step it vouches for, so an interrupted step never counts as done. Packages are
fetched first and installed after: a lost network leaves the environment as it was.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from hooks.paths import ROOT
from hooks.setup.common import CACHE, VENV, VENV_PYTHON, fail, fingerprint, need_space, run, say

MADE = VENV / "made"
INSTALLING = VENV / "installing"
WHEELS = CACHE / "wheels"
# Each lock with what it holds besides: the test lock contains the site's, at the same versions.
INCLUDES = {"site": ("site",), "test": ("test", "site"), "node": ("node",)}
DISK_BYTES = {"site": 300_000_000, "test": 700_000_000, "node": 350_000_000}


def lock_path(name: str) -> Path:
    """Return the lock of a set of packages."""
    return ROOT / "requirements" / f"{name}.txt"


def stamp_path(name: str) -> Path:
    """Return the file that says which lock the environment was brought to."""
    return VENV / f"ready-{name}"


def has(name: str) -> bool:
    """Whether the environment holds what the lock says now."""
    stamp = stamp_path(name)
    return usable() and stamp.is_file() and stamp.read_text() == fingerprint(lock_path(name))


def usable() -> bool:
    """Whether `.venv` was made to its end, by a Python that is still there, and left in one piece."""
    if not MADE.is_file() or INSTALLING.exists():
        return False
    try:
        answer = subprocess.run([VENV_PYTHON, "-c", ""], capture_output=True, check=False)
    except OSError:
        return False
    return answer.returncode == 0


def ensure(name: str) -> None:
    """Bring the environment to the lock `requirements/<name>.txt`."""
    if has(name):
        return
    need_space(DISK_BYTES[name], f"installing requirements/{name}.txt")
    if not usable():
        make_environment()
    pip: list[str | Path] = [VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    hashed: list[str | Path] = ["--require-hashes", "--only-binary=:all:", "-r", lock_path(name)]
    say(f"fetching the packages of requirements/{name}.txt (once)")
    run(
        [*pip, "download", "--progress-bar=on", "-d", WHEELS, *hashed],
        otherwise=f"a package of requirements/{name}.txt could not be fetched: pip's lines above name the file and the "
        "address; check the network and run the same command again, what is complete is not fetched twice",
    )
    INSTALLING.touch()
    run(
        [*pip, "install", "--quiet", "--no-index", "--find-links", WHEELS, *hashed],
        otherwise=f"installing requirements/{name}.txt failed: pip's lines above say why; run the same command again",
    )
    for held in INCLUDES[name]:
        stamp_path(held).write_text(fingerprint(lock_path(held)))
    INSTALLING.unlink()
    shutil.rmtree(WHEELS)


def make_environment() -> None:
    """A new `.venv`; what an interrupted run may have left goes."""
    if not can_make_environments():
        install_debian_venv()
    shutil.rmtree(VENV, ignore_errors=True)
    say("making .venv")
    run([sys.executable, "-m", "venv", VENV], otherwise=f"{sys.executable} -m venv failed: its lines above say why")
    MADE.touch()


def can_make_environments() -> bool:
    """Debian and Ubuntu keep `ensurepip`, which `venv` needs, in a separate package."""
    try:
        from ensurepip import version
    except ImportError:
        return False
    return bool(version())


def install_debian_venv() -> None:
    """The package that brings `ensurepip`, as root; else one line that says how."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        fail(f"this python3 has no venv: install it (Debian, Ubuntu: sudo apt install {version}), then run make again.")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    failed = f"apt-get could not install {version}: its lines above say why"
    run(["apt-get", "update", "-q"], env=quiet, otherwise=failed)
    run(["apt-get", "install", "-y", "-q", version], env=quiet, otherwise=failed)
