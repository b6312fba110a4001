"""The lock on a folder: of two builds at the same time, the second waits for the first."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(folder: Path, progress: Callable[[str], object]) -> Iterator[None]:
    """Hold the folder's lock."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting for another build of the Python pack")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
