"""Why a run is slow: the causes that its text and its figures reveal, the surest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from pysim.doctor import causes
from pysim.modules import modules_in

if TYPE_CHECKING:
    from pysim.doctor.case import Cause, Certainty
    from pysim.doctor.evidence import Evidence

_ORDER: Final[tuple[Certainty, ...]] = ("shown", "likely", "possible")


@cache
def all_causes() -> Mapping[str, Callable[[Evidence], Cause | None]]:
    """The causes by the names of their files; the folder is the list."""
    return {name: module.cause for name, module in modules_in(causes).items()}


def causes_of(evidence: Evidence) -> tuple[Cause, ...]:
    """Every cause that is shown, likely or possible; of equally sure ones that with the largest gain first."""
    judged = (cause(evidence) for cause in all_causes().values())
    found = [cause for cause in judged if cause is not None]
    return tuple(sorted(found, key=lambda cause: (_ORDER.index(cause.certainty), -(cause.low or 1.0))))
