"""The bytecode cache: each source file compiled once by the Python that will run it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from hooks.pack.errors import PackError
from hooks.pack.inputs.pins import PYODIDE_VERSION
from hooks.pack.paths import Places
from hooks.pack.pyodide.job import job_folder

HOW = "lines without columns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A source file to compile; `shown` is its name in tracebacks."""

    shown: str
    source: bytes
    optimize: int

    @property
    def key(self) -> str:
        """Under which the bytecode is kept."""
        named = f"{PYODIDE_VERSION}\n{HOW}\n{self.shown}\n{self.optimize}\n".encode()
        return hashlib.sha256(named + self.source).hexdigest()


class Bytecode:
    """The cache of compiled files."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._folder = places.cache / "bytecode"

    def kept(self, unit: Unit) -> bytes | None:
        """The bytecode if it has been made before."""
        path = self._folder / unit.key
        return path.read_bytes() if path.exists() else None

    def make(self, units: Mapping[str, Unit]) -> dict[str, bytes]:
        """The bytecode of every unit, by the given names; compiles what is missing in one go."""
        missing = {unit.key: unit for unit in units.values() if self.kept(unit) is None}
        for optimize in sorted({unit.optimize for unit in missing.values()}):
            self._compile({key: unit for key, unit in missing.items() if unit.optimize == optimize}, optimize)
        return {name: (self._folder / unit.key).read_bytes() for name, unit in units.items()}

    def _compile(self, units: Mapping[str, Unit], optimize: int) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with job_folder(self._places) as work:
            for key, unit in units.items():
                work.put(f"source/{key}", unit.source)
            files = [{"source": f"source/{key}", "shown": u.shown, "out": f"out/{key}"} for key, u in units.items()]
            problems = work.run({"files": files, "optimize": optimize})["problems"]
            if problems:
                raise PackError("; ".join(problems))
            for key in units:
                (work.folder / "out" / key).replace(self._folder / key)
