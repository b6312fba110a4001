"""Which texts are the readers tested on? Written for this, after the tools' own forms."""

from pathlib import Path

FOLDER = Path(__file__).parent


def sample(name: str) -> str:
    """The text of a sample."""
    return (FOLDER / name).read_text(encoding="utf-8")


def names() -> list[str]:
    """The samples' file names."""
    return sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".py" and path.is_file())
