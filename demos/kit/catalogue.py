"""Which models and devices does a demo offer? Choices whose labels come from pysim's catalogue."""

from __future__ import annotations

from collections.abc import Sequence

import pysim
from demos.kit.controls import Choice, Option


def models(start: str, keys: Sequence[str], *, name: str = "model", label: str = "Model") -> Choice:
    """Return the choice among catalogue models."""
    options = tuple(Option(value=key, label=pysim.load_model(key).name) for key in keys)
    return Choice(name=name, label=label, start=start, options=options)


def devices(start: str, keys: Sequence[str], *, name: str = "device", label: str = "Device") -> Choice:
    """Return the choice among catalogue devices."""
    options = tuple(Option(value=key, label=pysim.load_device(key).name) for key in keys)
    return Choice(name=name, label=label, start=start, options=options)
