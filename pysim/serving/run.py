"""What a simulation of many requests answers."""

from __future__ import annotations

from dataclasses import dataclass

from pysim.serving.measure import percentiles
from pysim.serving.record import Stretch, gap_at, gaps
from pysim.serving.request import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What became of every request, and of each replica the stretches of steps that a picture draws.

    `kv_tokens`, `token_budget`, `seats`: of one replica. `records`: those that read prompts for others come first.
    """

    outcomes: tuple[Outcome, ...]
    records: tuple[tuple[Stretch, ...], ...]
    kv_tokens: int
    token_budget: int
    seats: int
    free_blocks_at_end: int

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The record of the first replica."""
        return self.records[0]

    @property
    def seconds(self) -> float:
        """From the first arrival to the last token."""
        begun_s = min(outcome.request.arrive_s for outcome in self.outcomes)
        return max(outcome.finish_s for outcome in self.outcomes) - begun_s

    @property
    def output_tokens_per_s(self) -> float:
        """Tokens of all answers by the seconds of the run."""
        return sum(outcome.request.output_tokens for outcome in self.outcomes) / self.seconds

    def percentiles(self) -> dict[str, dict[str, float]]:
        """Mean, p50, p90 and p99 of `ttft_s`, `tpot_s` and `end_to_end_s`; what no request has is left out."""
        kinds = {
            "ttft_s": [each.ttft_s for each in self.outcomes],
            "tpot_s": [each.tpot_s for each in self.outcomes if each.tpot_s is not None],
            "end_to_end_s": [each.end_to_end_s for each in self.outcomes],
        }
        return {name: percentiles(values) for name, values in kinds.items() if values}

    def gap_s(self, share: float) -> float | None:
        """The gap between two tokens that this share of all gaps do not exceed; needs the record."""
        counted = [
            pair
            for number, record in enumerate(self.records)
            for pair in gaps(record, [each for each in self.outcomes if each.replica == number])
        ]
        return gap_at(counted, share)
