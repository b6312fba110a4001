"""Which figures of a run can a judge compute with?

Texts hold anything: rates of 0 and of infinity, counts with twenty digits. What no measurement can have becomes
None, as if it were not there.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any, Final

from pysim.doctor.reading import Latency, Run

# No run has more tokens, bytes, seconds or tokens per second than these, by far.
_MOST: Final = 1e16
_MOST_TOKENS: Final = 1e9
_MOST_DEVICES: Final = 10_000
_LEAST: Final = 1e-12
_TOKENS: Final = ("prompt_tokens", "output_tokens", "depth_tokens", "cached_tokens", "sequences", "requests")
_FROM_ONE: Final = ("prompt_tokens", "output_tokens", "sequences")
_MAY_BE_NOTHING: Final = frozenset({"depth_tokens", "cached_tokens", "waiting", "running", "unaccounted_s", "load_s"})
_AS_IT_IS: Final = frozenset({"line", "last_line", "request_rate_per_s", "unaccounted_s"})


def sane(run: Run) -> Run:
    """The run without figures that cannot be."""
    changes: dict[str, Any] = {}
    for each in fields(Run):
        value = getattr(run, each.name)
        if each.name in _AS_IT_IS:
            continue
        if isinstance(value, Latency):
            changes[each.name] = _latency(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            most = _MOST_TOKENS if each.name in _TOKENS else _MOST
            least = 1.0 if each.name in _FROM_ONE else _LEAST
            if not _possible(value, most, least, may_be_nothing=each.name in _MAY_BE_NOTHING):
                changes[each.name] = None
    rest = run.unaccounted_s
    if rest is not None and not math.isfinite(rest):
        changes["unaccounted_s"] = None
    setup = {
        each.name: None
        for each in fields(run.setup)
        if isinstance(value := getattr(run.setup, each.name), int | float)
        and not isinstance(value, bool)
        and not _possible(
            abs(value),
            _MOST_DEVICES if each.name == "n_devices" else _MOST,
            may_be_nothing=each.name in ("layers_on_device", "host_share"),
        )
    }
    return replace(run, setup=replace(run.setup, **setup), **changes)


def _latency(found: Latency) -> Latency | None:
    values = {each.name: getattr(found, each.name) for each in fields(Latency)}
    kept = {
        name: value
        for name, value in values.items()
        if value is not None and _possible(value, _MOST, may_be_nothing=False)
    }
    return Latency(**kept) if kept else None


def _possible(value: float, most: float, least: float = _LEAST, *, may_be_nothing: bool) -> bool:
    return (may_be_nothing and value == 0) or (math.isfinite(value) and least <= value <= most)
