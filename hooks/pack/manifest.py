"""The manifest of the pack: its parts, their files, sizes and checksums."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

FILE_NAME = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part as the output folder has it, twice: for servers and for pages opened from a folder.

    `inputs` identifies what it was made from; the file names carry a hash of the content, so a
    browser's cache never mixes two builds.
    """

    name: str
    inputs: str
    pack: str
    script: str
    raw_bytes: int
    raw_crc32: int
    pack_bytes: int
    script_bytes: int

    def stands_in(self, folder: Path) -> bool:
        """Whether both files are there, in full size."""
        sizes = ((self.pack, self.pack_bytes), (self.script, self.script_bytes))
        return all((folder / name).is_file() and (folder / name).stat().st_size == size for name, size in sizes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """All parts, and the versions of what is inside."""

    parts: tuple[Part, ...]
    versions: Mapping[str, str]
    imports: tuple[str, ...]

    @property
    def pack_bytes(self) -> int:
        """What a reader's browser fetches at most, compressed."""
        return sum(part.pack_bytes for part in self.parts)

    def part(self, name: str) -> Part:
        """A part by its name."""
        return next(part for part in self.parts if part.name == name)

    def write(self, folder: Path) -> None:
        """Store as JSON, whole or not at all."""
        draft = folder / f"{FILE_NAME}.part"
        draft.write_text(json.dumps(asdict(self), indent=1) + "\n")
        draft.replace(folder / FILE_NAME)


def read(folder: Path) -> Manifest | None:
    """The manifest of an earlier build; None if there is none or it is of an older make."""
    try:
        stored = json.loads((folder / FILE_NAME).read_text())
        return Manifest(
            parts=tuple(Part(**part) for part in stored["parts"]),
            versions=stored["versions"],
            imports=tuple(stored["imports"]),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None
