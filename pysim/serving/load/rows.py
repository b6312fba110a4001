"""A row of a trace, whatever its file looks like, and the requests that rows make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from pysim.errors import BadValue, quoted
from pysim.serving.request import Request

MOST_TOKENS: Final = 10_000_000
MOST_ROWS: Final = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A request of a trace; `arrive_s` on the trace's own clock."""

    arrive_s: float
    prompt_tokens: int
    output_tokens: int
    session: str | None = None
    beginning: tuple[int, ...] = ()
    piece_tokens: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A row that is no request, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The requests of a file, by arrival from 0 on, and how many rows were left out for which reason."""

    requests: tuple[Request, ...]
    left_out: dict[str, int]

    def stretched(self, factor: float, count: int | None = None) -> tuple[Request, ...]:
        """The first `count` requests, all times `factor` times as long; a factor below 1 is a higher rate."""
        return tuple(replace(request, arrive_s=request.arrive_s * factor) for request in self.requests[:count])


def trace_of(rows: Iterable[Row | Skipped], name: str) -> Trace:
    """Requests in order of arrival; raises BadValue where there are none or too many."""
    kept: list[Row] = []
    left_out: Counter[str] = Counter()
    for row in rows:
        if isinstance(row, Skipped):
            left_out[row.reason] += 1
        else:
            kept.append(row)
        if len(kept) > MOST_ROWS:
            raise BadValue(f"{name} has more than {MOST_ROWS:,} requests")
    if not kept:
        raise BadValue(f"{name} has no requests")
    kept.sort(key=lambda row: row.arrive_s)
    start_s = kept[0].arrive_s
    sessions: dict[str, int] = {}
    requests = tuple(
        Request(
            number=number, arrive_s=row.arrive_s - start_s, prompt_tokens=row.prompt_tokens,
            output_tokens=row.output_tokens, beginning=row.beginning, piece_tokens=row.piece_tokens,
            session=None if row.session is None else sessions.setdefault(row.session, len(sessions)),
        )
        for number, row in enumerate(kept)
    )  # fmt: skip
    return Trace(requests=requests, left_out=dict(left_out))


def tokens_of(value: object, name: str, where: str) -> int:
    """A number of tokens, or BadValue naming the place."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_TOKENS:
        raise BadValue(f"{where}: {name} {quoted(str(value), 30)} is not a whole number from 1 to {MOST_TOKENS:,}")
    return value
