"""Paths of the Python pack: where its inputs come from and its results go."""

from dataclasses import dataclass
from pathlib import Path

from hooks.paths import ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The folders of one build; tests build elsewhere."""

    root: Path = ROOT
    pyodide: Path = ROOT / "node_modules" / "pyodide"
    cache: Path = ROOT / ".cache" / "pack"
    out: Path = ROOT / "build" / "python"

    def shown(self, path: Path) -> str:
        """A path as a message names it: from the project's folder where it lies inside."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)
