"""ServeGen's clients: who sends how many requests when, in which pattern, and how long their texts are.

A folder has two files for each client, as github.com/alibaba/ServeGen reads them (servegen/clientpool.py).
`chunk-N-trace.csv` has lines of windows: time (s), requests/s, CV of the gaps, pattern, two arguments; a window without
a pattern is empty. `chunk-N-dataset.json` has `input_tokens` and `output_tokens` of windows as {tokens: share}.
Gaps are drawn as gamma by rate and CV, whatever the pattern: a Weibull with the same two differs little.
"""

from __future__ import annotations

import ast
import csv
import json
import math
import random
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final

from pysim.errors import BadValue, quoted
from pysim.serving.load.rows import MOST_ROWS, MOST_TOKENS, Row, Trace, trace_of

MOST_BYTES: Final = 50_000_000
MOST_CLIENTS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A client from `begin_s` to `end_s`: requests per second, and the spread of the gaps by their mean."""

    begin_s: float
    end_s: float
    rate_per_s: float
    cv: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Lengths, and which share of the texts is at most so long."""

    tokens: tuple[int, ...]
    up_to: tuple[float, ...]

    def draw(self, chance: random.Random) -> int:
        """One length of at least a token."""
        place = bisect_right(self.up_to, chance.random() * self.up_to[-1])
        return max(1, self.tokens[min(place, len(self.tokens) - 1)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """What a client sends: windows of its rate, and from which second on its prompts and answers are how long."""

    number: int
    windows: tuple[Window, ...]
    lengths: tuple[tuple[float, Shares, Shares], ...]


def read_clients(folder: Path) -> tuple[Client, ...]:
    """All clients of a folder; raises BadValue naming the file and what is wrong, OSError where it can't be read."""
    paths = sorted(folder.glob("chunk-*-trace.csv"))
    if not paths:
        raise BadValue(f"{folder.name} has no chunk-N-trace.csv")
    if len(paths) > MOST_CLIENTS:
        raise BadValue(f"{folder.name} has more than {MOST_CLIENTS:,} clients")
    return tuple(_client(number, path) for number, path in enumerate(paths))


def requests_of(
    clients: tuple[Client, ...], *, begin_s: float, seconds: float, rate_per_s: float | None = None, seed: int = 0
) -> Trace:
    """What all clients send in a span of time, at their own rates, or all scaled to a mean rate; BadValue for none."""
    end_s = begin_s + seconds
    expected = sum(
        window.rate_per_s * max(0.0, min(end_s, window.end_s) - max(begin_s, window.begin_s))
        for client in clients
        for window in client.windows
    )
    if not expected:
        raise BadValue(f"no client sends anything from {begin_s:g} to {end_s:g} s")
    scale = 1.0 if rate_per_s is None else rate_per_s * seconds / expected
    if expected * scale > MOST_ROWS:
        raise BadValue(f"the clients send about {expected * scale:,.0f} requests; {MOST_ROWS:,} is the most")
    rows = (row for client in clients for row in _rows(client, begin_s, end_s, scale, seed))
    return trace_of(rows, "the clients' traffic")


def _rows(client: Client, begin_s: float, end_s: float, scale: float, seed: int) -> Iterator[Row]:
    gaps, texts = random.Random(f"gaps {seed} {client.number}"), random.Random(f"lengths {seed} {client.number}")
    starts = [start_s for start_s, _, _ in client.lengths]
    for window in client.windows:
        now_s, until_s = max(begin_s, window.begin_s), min(end_s, window.end_s)
        rate, shape = window.rate_per_s * scale, 1 / max(window.cv, 1e-3) ** 2
        if until_s <= now_s or rate <= 0:
            continue
        # The first request comes anywhere in the first gap.
        now_s += gaps.random() * gaps.gammavariate(shape, 1 / (shape * rate))
        while now_s < until_s:
            _, prompt, answer = client.lengths[max(0, bisect_right(starts, now_s) - 1)]
            yield Row(
                arrive_s=now_s, prompt_tokens=prompt.draw(texts), output_tokens=answer.draw(texts),
                session=str(client.number),
            )  # fmt: skip
            now_s += gaps.gammavariate(shape, 1 / (shape * rate))


def _client(number: int, path: Path) -> Client:
    dataset = path.with_name(path.name.replace("-trace.csv", "-dataset.json"))
    if not dataset.exists():
        raise BadValue(f"{path.name} has no {dataset.name} next to it")
    for each in (path, dataset):
        if each.stat().st_size > MOST_BYTES:
            raise BadValue(f"{each.name} is larger than {MOST_BYTES:,} bytes")
    return Client(number=number, windows=tuple(_windows(path)), lengths=tuple(_lengths(dataset)))


def _windows(path: Path) -> Iterator[Window]:
    with path.open(encoding="utf-8", newline="") as file:
        lines = [line for line in csv.reader(file) if line]
    begins = [_number(line, 0, path, number) for number, line in enumerate(lines, 1)]
    # The last window is as long as the one before it.
    last_s = begins[-1] - begins[-2] if len(begins) > 1 else 600.0
    ends = [*begins[1:], begins[-1] + last_s] if begins else []
    for number, (line, begin_s, end_s) in enumerate(zip(lines, begins, ends, strict=True), 1):
        if end_s <= begin_s:
            raise BadValue(f"{path.name}, line {number}: its time is not before that of the next line")
        if len(line) > 3 and line[3].strip():
            rate, cv = (_number(line, place, path, number) for place in (1, 2))
            yield Window(begin_s=begin_s, end_s=end_s, rate_per_s=rate, cv=cv)


def _number(line: list[str], place: int, path: Path, number: int) -> float:
    text = line[place] if place < len(line) else ""
    try:
        value = float(text)
    except ValueError:
        raise BadValue(f"{path.name}, line {number}: {quoted(text, 30)} is not a number") from None
    if not math.isfinite(value) or value < 0:
        raise BadValue(f"{path.name}, line {number}: {quoted(text, 30)} is not a number from 0 up")
    return value


def _lengths(path: Path) -> Iterator[tuple[float, Shares, Shares]]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        windows = sorted((float(start), fields) for start, fields in given.items())
    except (ValueError, AttributeError, RecursionError) as error:
        raise BadValue(f"{path.name} is no JSON object of windows: {error}") from error
    found = 0
    for start_s, fields in windows:
        prompt, answer = (_shares(fields, name, path) for name in ("input_tokens", "output_tokens"))
        if prompt is not None and answer is not None:
            found += 1
            yield start_s, prompt, answer
    if not found:
        raise BadValue(f"{path.name} says nothing of input_tokens and output_tokens")


def _shares(fields: object, name: str, path: Path) -> Shares | None:
    value = fields.get(name) if isinstance(fields, dict) else None
    if isinstance(value, str):
        # Written as Python prints a dictionary.
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
            raise BadValue(f"{path.name}: {name} {quoted(value, 30)} is not {{tokens: share}}") from error
    if not isinstance(value, dict) or not value:
        return None
    return _ranked(value, name, path)


def _ranked(value: Mapping[object, object], name: str, path: Path) -> Shares:
    try:
        pairs = sorted((int(str(tokens)), float(str(share))) for tokens, share in value.items())
    except ValueError as error:
        raise BadValue(f"{path.name}: {name} is not {{tokens: share}}: {error}") from error
    if any(not 0 <= tokens <= MOST_TOKENS or not 0 <= share <= 1 for tokens, share in pairs):
        raise BadValue(f"{path.name}: {name} has a length or a share outside of what is possible")
    up_to = tuple(accumulate(share for _, share in pairs))
    if not up_to[-1]:
        raise BadValue(f"{path.name}: the shares of {name} are all 0")
    return Shares(tokens=tuple(tokens for tokens, _ in pairs), up_to=up_to)
