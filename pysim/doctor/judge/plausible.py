"""Plausible figures: those of a run that a judge can compute with.

Texts hold anything: rates of 0 and of infinity, counts with twenty digits. What no measurement can have becomes
None, as if it were missing.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any, Final

from pysim.doctor.read.run import Latency, Run, Setup

# No run has more tokens, bytes, seconds or tokens per second than these, by far.
_MOST: Final = 1e16
_MOST_TOKENS: Final = 1e9
_MOST_DEVICES: Final = 10_000
_LEAST: Final = 1e-12
_TOKENS: Final = ("prompt_tokens", "output_tokens", "depth_tokens", "cached_tokens", "sequences", "requests")
_FROM_ONE: Final = ("prompt_tokens", "output_tokens", "sequences")
_MAY_BE_NOTHING: Final = frozenset({"depth_tokens", "cached_tokens", "waiting", "running", "unaccounted_s", "load_s"})
_AS_IT_IS: Final = frozenset({"line", "last_line", "request_rate_per_s", "unaccounted_s"})


# Asked for once: a log holds thousands of runs.
_RUN_FIELDS: Final = tuple(field.name for field in fields(Run) if field.name not in _AS_IT_IS)
_SETUP_FIELDS: Final = tuple(field.name for field in fields(Setup))


def sane(run: Run) -> Run:
    """The run without figures that cannot be."""
    changes: dict[str, Any] = {}
    for name in _RUN_FIELDS:
        value = getattr(run, name)
        if isinstance(value, Latency):
            kept = _latency(value)
            if kept != value:
                changes[name] = kept
        elif isinstance(value, int | float) and not isinstance(value, bool):
            most = _MOST_TOKENS if name in _TOKENS else _MOST
            least = 1.0 if name in _FROM_ONE else _LEAST
            if not _possible(value, most, least, may_be_nothing=name in _MAY_BE_NOTHING):
                changes[name] = None
    rest = run.unaccounted_s
    if rest is not None and not math.isfinite(rest):
        changes["unaccounted_s"] = None
    setup = {
        name: None
        for name in _SETUP_FIELDS
        if isinstance(value := getattr(run.setup, name), int | float)
        and not isinstance(value, bool)
        and not _possible(
            abs(value),
            _MOST_DEVICES if name == "n_devices" else _MOST,
            may_be_nothing=name in ("layers_on_device", "host_share"),
        )
    }
    if setup:
        changes["setup"] = replace(run.setup, **setup)
    return replace(run, **changes) if changes else run


def _latency(latency: Latency) -> Latency | None:
    values = {field.name: getattr(latency, field.name) for field in fields(Latency)}
    kept = {
        name: value
        for name, value in values.items()
        if value is not None and _possible(value, _MOST, may_be_nothing=False)
    }
    return Latency(**kept) if kept else None


def _possible(value: float, most: float, least: float = _LEAST, *, may_be_nothing: bool) -> bool:
    return (may_be_nothing and value == 0) or (math.isfinite(value) and least <= value <= most)
