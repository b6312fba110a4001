"""What a long run is doing, on standard error: one line that changes on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Final

EVERY_S: Final = 10.0


class Progress:
    """Call it with what is being done; as a context, it clears its line at the end."""

    def __init__(self) -> None:
        self._on_terminal = sys.stderr.isatty()
        self._told_s = time.monotonic()

    def __call__(self, doing: str) -> None:
        """Tell what is being done."""
        now_s = time.monotonic()
        if self._on_terminal:
            print(f"\r\x1b[K{doing}", end="", file=sys.stderr, flush=True)
        elif now_s - self._told_s >= EVERY_S:
            self._told_s = now_s
            print(doing, file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._on_terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
