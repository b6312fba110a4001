"""The project's root folder, from which every other path is named."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
