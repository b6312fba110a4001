"""Judgment: a case on its way to a diagnosis, with all that it follows from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysim.engines.load import find_engine

if TYPE_CHECKING:
    from pysim.doctor.case import Case, Phase, PhaseName
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.prediction import PossibleRun
    from pysim.doctor.judge.setups import Known
    from pysim.doctor.judge.timing import Timing
    from pysim.doctor.read.run import Run
    from pysim.engines.engine import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The findings of a case so far (`case`), and what they follow from.

    `group`: its runs. `timing`: their times. `known`: what was recognized, and the runs that are possible with it.
    `on_host`: how the text says that a part of the model stayed in the host's memory; None where it does not.
    """

    case: Case
    group: Group
    timing: Timing
    known: Known
    on_host: str | None

    @property
    def run(self) -> Run:
        """A run for all that those of the case have alike."""
        return self.group.first

    @property
    def possible(self) -> tuple[PossibleRun, ...]:
        """Every set-up that the runs may have had; none where something is not known at all."""
        return self.known.possible

    @property
    def engine(self) -> Engine | None:
        """The engine that ran the model, as its file describes it; None where several may have."""
        return find_engine(self.possible[0].on.engine) if self.possible else None

    @property
    def does_not_fit(self) -> bool:
        """Is it an open question where weights and cache lay, since the devices cannot hold them?"""
        return self.on_host is None and not self.timing.shared and self.known.fits is False

    @property
    def on_device(self) -> bool:
        """Is a set-up known with which all of the model is in the devices' memory, as far as the text tells?"""
        return bool(self.possible) and self.on_host is None and not self.does_not_fit

    def phase(self, name: PhaseName) -> Phase | None:
        """One phase of the case by its name."""
        return self.case.prefill if name == "prefill" else self.case.decode

    def phases(self) -> Iterator[tuple[PhaseName, Phase]]:
        """The phases of which something is known, by name, the prompt's first."""
        if self.case.prefill is not None:
            yield "prefill", self.case.prefill
        if self.case.decode is not None:
            yield "decode", self.case.decode
