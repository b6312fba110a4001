"""Forms in which people paste measurements, with invented figures, to spoil in tests."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FIELD_FORMS: Final = tuple(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("=====\n"))
