"""A request as a replica holds it."""

from __future__ import annotations

from pysim.serving.request import Request


class Held:
    """A request in a replica. `left`: tokens still to be fed before its next token comes out.

    `computed`: rows in the cache. `generated`: tokens of its answer, up to date while it does not write. `blocks`:
    those it holds, the ones it shares among them. `sent_rows`: rows that came from another replica.
    """

    __slots__ = (
        "admitted_s", "blocks", "cached", "computed", "evicted_s", "evictions", "first_s", "generated", "kept_blocks",
        "left", "names", "pauses", "ready_s", "recomputed", "request", "sent_rows", "sent_s", "shared", "since",
    )  # fmt: skip

    def __init__(self, request: Request, ready_s: float | None = None) -> None:
        self.request = request
        self.ready_s = request.arrive_s if ready_s is None else ready_s
        self.left = request.prompt_tokens
        self.computed = self.generated = self.blocks = self.kept_blocks = self.sent_rows = 0
        self.since = self.evictions = self.recomputed = self.cached = 0
        # Of its pieces, how many are registered under their names and counted as used by it.
        self.names, self.shared = request.beginning, 0
        self.admitted_s: float | None = None
        self.first_s: float | None = None
        self.sent_s: float | None = None
        self.evicted_s: float | None = None
        self.pauses: list[tuple[float, float]] = []
