"""Inputs of the Python pack on this machine: outside files, each verified by its sha256."""

import zipfile
from dataclasses import dataclass
from pathlib import Path

from hooks.pack.errors import PackError
from hooks.pack.inputs import pins
from hooks.pack.inputs.fetch import Address, Progress, obtain, sha256_of
from hooks.pack.inputs.pins import Pin
from hooks.pack.inputs.wheel_member import WheelMember
from hooks.pack.paths import Places


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The outside files, each verified by its sha256."""

    pyodide: Path
    numpy_wheel: Path


def gather(places: Places, progress: Progress) -> Inputs:
    """Verify what is there, fetch what is missing."""
    for pin in pins.PYODIDE_FILES:
        verify_pyodide(places, pin)
    sources = (
        Address(pins.NUMPY_ADDRESS),
        WheelMember(pins.OUTER_REQUIREMENT, pins.OUTER_PYTHON, pins.OUTER_WHEEL, pins.OUTER_MEMBER),
    )
    return Inputs(pyodide=places.pyodide, numpy_wheel=obtain(pins.NUMPY_WHEEL, places.cache, sources, progress))


def verify_pyodide(places: Places, pin: Pin) -> None:
    """Raise unless the npm package's file is the pinned one."""
    path = places.pyodide / pin.name
    again = "`npm ci` brings the right one"
    if not path.exists():
        raise PackError(f"{places.shown(path)} is missing (Pyodide {pins.PYODIDE_VERSION}); {again}")
    digest = sha256_of(path)
    if digest != pin.sha256:
        raise PackError(
            f"{places.shown(path)} is not that of Pyodide {pins.PYODIDE_VERSION}: "
            f"sha256 {digest}, expected {pin.sha256}; {again}"
        )


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a zip file or wheel that has been verified."""
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
