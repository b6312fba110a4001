"""Samples of tools' outputs, on which all readers are tested: written for this, after the tools' own forms.

A sample is a text. One as `<tool>.toml` has its exact figures beside it, which a test compares:

    text = '''
    tool: 512 prompt tokens in 0.256 s
    '''

    [[run]]
    prompt_tokens = 512
    prefill_s = 0.256
"""

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent


def sample(name: str) -> str:
    """Return the text of a sample."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return str(tomllib.loads(text)["text"]) if name.endswith(".toml") else text


def figures(name: str) -> list[dict[str, object]]:
    """Return the figures of each run in a sample that is a TOML file."""
    runs: list[dict[str, object]] = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))["run"]
    return runs


def names() -> list[str]:
    """Return the samples' file names."""
    return sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".py" and path.is_file())
