"""Setup words: what ran on what, in one phrase, as far as it is known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.doctor.case import Case, Recognised


_FOLDERS: Final = re.compile(r"\S{0,200}[/\\\\]")


def setup_words(case: Case) -> str:
    """Such as "Llama 3.1 8B in Q4_K_M on 2 × NVIDIA GeForce RTX 3090"; empty where nothing is named."""
    parts = [_called(case.model)]
    if case.weights is not None and case.weights.key is not None:
        parts.append(f"in {case.weights.name}")
    if device := _called(case.device):
        parts.append(f"on {device_words(case, device)}")
    return " ".join(part for part in parts if part)


def device_words(case: Case, name: str) -> str:
    """A device's name with how many there are, if several."""
    return f"{case.n_devices:,} × {name}" if case.n_devices > 1 else name


def _called(recognised: Recognised | None) -> str:
    if recognised is None:
        return ""
    if recognised.key is None and recognised.candidates:
        return f'"{_without_folders(recognised.words)}"'
    return recognised.name if recognised.key is not None else _without_folders(recognised.name)


def _without_folders(words: str) -> str:
    """Folders say nothing of a model, and may be private."""
    return _FOLDERS.sub("", words)
