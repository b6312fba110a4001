"""Traces of a real model that this project measured, every token with its time."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One measured generation. `times_s` are the moments, from the start, at which each token was there."""

    what: str
    model: str
    weights: str
    device: str
    engine: str
    prompt: str
    prompt_tokens: int
    pieces: Sequence[str]
    times_s: Sequence[float]


@cache
def traces() -> dict[str, Trace]:
    """Return every measured run under its name."""
    runs: dict[str, Trace] = {}
    for path in sorted(HERE.glob("*.json")):
        table = json.loads(path.read_text(encoding="utf-8"))
        common = {key: table[key] for key in ("what", "model", "weights", "device", "engine")}
        for name, run in table["runs"].items():
            own = {key: run[key] for key in ("prompt", "prompt_tokens", "pieces", "times_s")}
            runs[name] = Trace(**common, **own)
    return runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Published mean speeds of one setting, and the row of the table of measured points they stand in."""

    row: str
    device: str
    model: str
    weights: str
    engine: str
    prompt_tokens: int
    output_tokens: int
    prefill_tokens_per_s: float
    decode_tokens_per_s: float
    source: str


@cache
def averages() -> dict[str, Averages]:
    """Return the published settings that demos replay, under their names."""
    tables = tomllib.loads((HERE / "averages.toml").read_text(encoding="utf-8"))
    return {name: Averages(**table) for name, table in tables.items()}
