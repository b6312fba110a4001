"""Fitted constants: the file in which `python -m pysim.fit` writes what it found, read once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

CONSTANTS: Final = Path(__file__).parents[1] / "fit" / "constants.json"


@lru_cache(maxsize=1)
def constants() -> Mapping[str, object]:
    """The file of fitted constants."""
    read: dict[str, object] = json.loads(CONSTANTS.read_text(encoding="utf-8"))
    return read
