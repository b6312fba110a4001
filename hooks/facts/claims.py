"""Claims that age: what programs do by default, each with the day it was looked up and its source."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from demos.kit.errors import nearest
from demos.kit.facts.expression import Asked, NumberError
from pysim.errors import quoted

FILE: Final = Path(__file__).with_name("claims.toml")
ASKED: Final = re.compile(r"claim\(\"([^\"]*)\"\)")
FRESH: Final = timedelta(days=365)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim: the words that a page prints, what they are about, when they were looked up and where."""

    key: str
    text: str
    what: str
    looked_up: date
    source: str


@cache
def claims() -> dict[str, Claim]:
    """Every claim by its key."""
    return {key: Claim(key=key, **given) for key, given in tomllib.loads(FILE.read_text(encoding="utf-8")).items()}


def aged(today: date) -> list[Claim]:
    """The claims that were looked up more than a year before `today`."""
    return [claim for claim in claims().values() if today - claim.looked_up > FRESH]


def claimed(expression: str) -> Asked | None:
    """What `claim("…")` prints, with its date and source, or None for anything else; NumberError for an unknown key."""
    match = ASKED.fullmatch(expression.strip())
    if match is None:
        return None
    claim = claims().get(match[1])
    if claim is None:
        raise NumberError(f"there is no claim {quoted(match[1])}{nearest(match[1], claims())}")
    looked_up = f"Looked up on {claim.looked_up:%B} {claim.looked_up.day}, {claim.looked_up.year}"
    return Asked(text=claim.text, story=(claim.what, looked_up, f"Source: {claim.source}"))
