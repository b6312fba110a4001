"""Shared parts of the setup: its folders, its messages, its lock, and how it ends when something is missing."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from hooks.paths import ROOT

CACHE = ROOT / ".cache"
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
FULL_DISK_BYTES = 30_000_000


def fail(line: str) -> NoReturn:
    """End with one line for the reader and exit status 1."""
    sys.exit(f"two-speeds: {line}")


def say(line: str) -> None:
    """Print a line for the reader at once."""
    print(f"two-speeds: {line}", flush=True)


def need_space(wanted_bytes: int, purpose: str) -> None:
    """End before anything is written if the disk can't hold it."""
    free_bytes = shutil.disk_usage(ROOT).free
    if free_bytes < wanted_bytes:
        fail(
            f"{purpose} needs about {wanted_bytes / 1e6:.0f} MB, {ROOT} has {free_bytes / 1e6:.0f} MB free: "
            "make room, then run the same command again."
        )


def run(command: Sequence[str | Path], *, otherwise: str, env: Mapping[str, str] | None = None) -> None:
    """Run a command whose output the reader sees; `otherwise` says what its failure means."""
    try:
        subprocess.run([str(part) for part in command], cwd=ROOT, check=True, env=env)
    except KeyboardInterrupt:
        fail("interrupted; run the same command again to continue.")
    except (OSError, subprocess.CalledProcessError) as error:
        if shutil.disk_usage(ROOT).free < FULL_DISK_BYTES:
            fail(f"the disk of {ROOT} is full: make room, then run the same command again.")
        fail(f"{otherwise} ({error.strerror if isinstance(error, OSError) else f'exit status {error.returncode}'})")


def fingerprint(*paths: Path) -> str:
    """One digest of the files' contents, to tell a later run that nothing has changed."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


@contextmanager
def locked() -> Iterator[None]:
    """Keep two makes in one folder from preparing at the same time."""
    CACHE.mkdir(exist_ok=True)
    with (CACHE / "setup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another make in this folder")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
