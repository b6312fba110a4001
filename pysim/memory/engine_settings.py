"""Engine settings: what a user may tell an engine about memory; what is left out is the engine's default."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim import checks
from pysim.errors import BadValue

if TYPE_CHECKING:
    from pysim.engines.memory_rules import CacheRule

_MOST: Final = 10**7
_VERSION: Final = re.compile(r"v?[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """Options of an engine's command line; None is its default.

    `slots`: conversations that the server keeps room for (-np). `unified`: they share one cache (-kvu); with `slots`
    alone each has its own. `whole_windows`: layers with a window keep the whole context (--swa-full).
    `quantized_windows`: their rows have the cache's format, as in builds of llama.cpp before 2026-04. `pass_tokens`:
    the most tokens of one pass (-ub, --max-num-batched-tokens). `most_sequences`: the most that are answered at a time
    (--max-num-seqs). `share`: of a device's memory (--gpu-memory-utilization, --mem-fraction-static). `eager`: no
    graphs are recorded (--enforce-eager). `version`: of the engine, such as "0.19"; None is the newest known.
    Raises BadValue.
    """

    slots: int | None = None
    unified: bool | None = None
    whole_windows: bool = False
    quantized_windows: bool = False
    pass_tokens: int | None = None
    most_sequences: int | None = None
    share: float | None = None
    eager: bool = False
    version: str | None = None

    def __post_init__(self) -> None:
        for name in ("slots", "pass_tokens", "most_sequences"):
            if getattr(self, name) is not None:
                checks.count(getattr(self, name), name, most=_MOST)
        if self.share is not None and checks.amount(self.share, "share", above=True) > 1:
            raise BadValue(f"share must be from 0 to 1, not {checks.shown(self.share)}")
        if self.version is not None and not _VERSION.fullmatch(self.version):
            raise BadValue(f'version must be numbers with dots, such as "0.19", not {checks.shown(self.version)}')

    def before(self, version: str) -> bool:
        """Is the engine older than that version?"""
        return self.version is not None and _numbers(self.version) < _numbers(version)

    def applied(self, rule: CacheRule) -> CacheRule:
        """The engine's cache rule under these settings."""
        if self.slots is not None or self.unified is not None:
            slots = rule.slots if self.slots is None else self.slots
            rule = replace(rule, slots=slots, shared_up_to=_MOST if self.unified else 0)
        if self.quantized_windows:
            rule = replace(rule, window_format=None)
        if self.pass_tokens is not None and rule.window_pass_tokens:
            rule = replace(rule, window_pass_tokens=self.pass_tokens)
        return replace(rule, whole_windows=True) if self.whole_windows else rule


DEFAULTS: Final = EngineSettings()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.removeprefix("v").split("."))
