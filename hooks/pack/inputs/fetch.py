"""Fetching an outside file into the cache: whole and verified, or not at all."""

import hashlib
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from hooks.pack.errors import PackError, SourceError
from hooks.pack.inputs.pins import Pin

Progress = Callable[[str], object]

BLOCK_BYTES = 1 << 18
CONNECT_TIMEOUT_S = 8.0


class Source(Protocol):
    """A place that may have a file."""

    @property
    def shown(self) -> str:
        """The place as a message names it."""

    def deliver(self, pin: Pin, part: Path, progress: Progress) -> None:
        """Write the file to `part`, or raise SourceError."""


def obtain(pin: Pin, cache: Path, sources: Sequence[Source], progress: Progress) -> Path:
    """The pinned file in the cache, fetched from the first source that delivers it.

    A source that does not answer gives way to the next. A whole file with another hash is an error
    at once: somebody serves something else under this name. Only a verified file gets its name.
    """
    target = cache / pin.name
    if target.exists():
        if sha256_of(target) == pin.sha256:
            return target
        target.unlink()
        progress(f"{pin.name}: the copy in {cache} was damaged; fetching it again")
    part = target.with_name(target.name + ".part")
    failures: list[str] = []
    try:
        cache.mkdir(parents=True, exist_ok=True)
        for source in sources:
            try:
                source.deliver(pin, part, progress)
                check(part, pin, source.shown)
                part.replace(target)
                return target
            except SourceError as error:
                failures.append(f"{source.shown}: {error}")
                progress(f"{pin.name}: not from {failures[-1]}")
    except OSError as error:
        raise PackError(
            f"cannot store {pin.name} ({size_text(pin.size_bytes)}) in {cache}: {error.strerror or error}; "
            "make room or fix the folder's permissions, then run the same command again"
        ) from error
    finally:
        part.unlink(missing_ok=True)
    raise PackError(
        f"cannot fetch {pin.name}: {'; '.join(failures)}. "
        f"Check the network and run the same command again, or put the file into {cache} yourself"
    )


def check(path: Path, pin: Pin, origin: str) -> None:
    """Raise unless the file is the pinned one; a short file counts as a broken transfer."""
    size = path.stat().st_size
    if size < pin.size_bytes:
        raise SourceError(f"broke off after {size_text(size)} of {size_text(pin.size_bytes)}")
    digest = sha256_of(path)
    if digest != pin.sha256:
        raise PackError(
            f"{pin.name} from {origin} is not the expected file: sha256 {digest}, expected {pin.sha256}; "
            "it was thrown away. Run the same command again; if that repeats, something on the way alters it"
        )


def sha256_of(path: Path) -> str:
    """Hex digest of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def size_text(size_bytes: int) -> str:
    """A size as people read it: 106.4 MB."""
    return f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 100_000 else f"{size_bytes / 1e3:.1f} kB"


class Meter:
    """Says how far a download is, at every tenth."""

    def __init__(self, what: str, total_bytes: int, progress: Progress) -> None:
        self._what = what
        self._total_bytes = total_bytes
        self._progress = progress
        self._tenth = -1

    def at(self, done_bytes: int) -> None:
        """Report a position; silent until the next tenth is reached."""
        tenth = min(10 * done_bytes // self._total_bytes, 10)
        if tenth > self._tenth:
            self._tenth = tenth
            self._progress(f"fetching {self._what} ({size_text(self._total_bytes)}): {10 * tenth} %")


class Address:
    """A file that a web server has under its own address."""

    def __init__(self, url: str) -> None:
        self._url = url

    @property
    def shown(self) -> str:
        """The server's address."""
        return self._url

    def deliver(self, pin: Pin, part: Path, progress: Progress) -> None:
        """Download; any failure of network or server is a SourceError."""
        try:
            with urllib.request.urlopen(self._url, timeout=CONNECT_TIMEOUT_S) as answer:
                stream: BinaryIO = answer
                with part.open("wb") as file:
                    _copy(stream, file, Meter(pin.name, pin.size_bytes, progress))
        except urllib.error.HTTPError as error:
            raise SourceError(f"the server answers {error.code} {error.reason}") from error
        except urllib.error.URLError as error:
            raise SourceError(f"no connection ({error.reason})") from error
        except (TimeoutError, ConnectionError) as error:
            raise SourceError(f"the connection broke ({error})") from error


def _copy(stream: BinaryIO, file: BinaryIO, meter: Meter) -> None:
    done_bytes = 0
    while block := stream.read(BLOCK_BYTES):
        file.write(block)
        done_bytes += len(block)
        meter.at(done_bytes)


def require_room(folder: Path, needed_bytes: int, what: str) -> None:
    """Raise before a long download that could not be stored."""
    free_bytes = shutil.disk_usage(folder).free
    if free_bytes < needed_bytes:
        raise PackError(
            f"{what} needs {size_text(needed_bytes)} in {folder}, which has {size_text(free_bytes)} free; "
            "make room, then run the same command again"
        )
