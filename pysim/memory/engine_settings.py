"""Engine settings: what a user may tell an engine about memory; what is left out is the engine's default."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim import checks

if TYPE_CHECKING:
    from pysim.engines.memory_rules import CacheRule

_MOST: Final = 10**7


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """Options of an engine's command line; None is its default.

    `slots`: conversations that the server keeps room for (-np). `unified`: they share one cache (-kvu); with `slots`
    alone each has its own. `whole_windows`: layers with a window keep the whole context (--swa-full).
    `quantized_windows`: their rows have the cache's format, as in builds of llama.cpp before 2026-04. `pass_tokens`:
    the most tokens of one pass (-ub, --max-num-batched-tokens). Raises BadValue.
    """

    slots: int | None = None
    unified: bool | None = None
    whole_windows: bool = False
    quantized_windows: bool = False
    pass_tokens: int | None = None

    def __post_init__(self) -> None:
        for name in ("slots", "pass_tokens"):
            if getattr(self, name) is not None:
                checks.count(getattr(self, name), name, most=_MOST)

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
