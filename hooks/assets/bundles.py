"""Bundles of the runtime: which of its files are joined, and in which order."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hooks.paths import ROOT

DEMOS = ROOT / "demos"


class BundleError(Exception):
    """A file of the runtime is in no bundle, or a bundle names a file that does not exist."""


def bundle(name: str, root: Path = ROOT) -> list[Path]:
    """Return the files of one bundle in their order; raises BundleError naming a file that is left out or missing."""
    runtime = root / "demos" / "runtime"
    listed: dict[str, list[str]] = tomllib.loads((runtime / "order.toml").read_text(encoding="utf-8"))
    named = [path for paths in listed.values() for path in paths]
    present = [path.relative_to(runtime).as_posix() for path in runtime.rglob("*") if path.suffix in (".js", ".css")]
    for path in sorted({*present, *named}):
        if named.count(path) != 1 or path not in present:
            reason = "does not exist" if path not in present else f"is listed {named.count(path)} times, must be once"
            raise BundleError(f"demos/runtime/order.toml: {path} {reason}")
    return [runtime / path for path in listed[name]]
