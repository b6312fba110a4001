"""The simulation behind the demo `long-prompt`: answers that are being written, and a long prompt that arrives late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from demos.kit.declare.controls import Value
from demos.kit.serving.server import Refused, Server, sentence, server
from demos.long_prompt.controls import APART, FIRST, PIECES
from pysim.errors import PysimError
from pysim.serving.cluster.link import LINKS
from pysim.serving.policies.prefill_first import PrefillFirst
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.record import Stretch, token_times_s, worst_gap_s
from pysim.serving.request import Outcome, Request
from pysim.serving.run import Run
from pysim.serving.serve import Split

# The others: a short prompt each, and an answer that goes on while the newcomer is read.
PROMPT_TOKENS, LEAST_ANSWER, BEFORE_TOKENS, AFTER_TOKENS, LATE_ANSWER = 200, 120, 40, 20, 60
LINK = "infiniband"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of the server: start and length (s), and whether a prompt is read in it."""

    start_s: float
    seconds: float
    reads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The run around the arrival of the long prompt; times are the run's, in seconds.

    `alone_s`: a token's time before it came. `tokens_s`: of the newcomer and the drawn others.
    """

    run: Run | Refused
    served: Server | None
    policy: str
    prompt_tokens: int
    budget: int
    streams: int
    late: Outcome
    others: tuple[Outcome, ...]
    alone_s: float
    begin_s: float
    end_s: float
    bars: tuple[Step, ...]
    reads: tuple[tuple[float, float], ...]
    fed: tuple[tuple[float, int], ...]
    tokens_s: tuple[tuple[float, ...], ...]
    worst_gap_s: float

    @property
    def others_tpot_s(self) -> float:
        """Mean time per token of the others, over their whole answers."""
        return fmean(each.tpot_s or 0.0 for each in self.others)

    @property
    def tpot_p99_s(self) -> float:
        """p99 of all times per token, the newcomer's among them."""
        if isinstance(self.run, Refused):
            raise ValueError("nothing runs")
        return self.run.percentiles()["tpot_s"]["p99"]


def scene(**values: Value) -> Scene:
    """Serve the answers, find out when they have written some, and serve them again with the newcomer."""
    streams, prompt, budget = (int(values[name]) for name in ("streams", "late_prompt_tokens", "token_budget"))
    policy = str(values["policy"])
    served = server(values)
    if isinstance(served, Refused):
        return _refused(served, policy, prompt, budget, streams)
    try:
        before = _serve(served, _load(streams, 0.0, None, LEAST_ANSWER), policy, budget, prompt)
        arrive_s = before.outcomes[-1].first_s + (BEFORE_TOKENS - 0.5) * (before.outcomes[-1].tpot_s or 0.0)
        alone_s = before.outcomes[-1].tpot_s or 0.0
        run = _with_newcomer(served, streams, arrive_s, prompt, policy, budget)
    except PysimError as error:
        return _refused(Refused(sentence(error)), policy, prompt, budget, streams)
    late, others = run.outcomes[-1], run.outcomes[:-1]
    # Where a second machine reads, its record is the first one.
    reading, writing = run.records[0], run.records[-1]
    begin_s, end_s = arrive_s - 8 * alone_s, late.first_s + AFTER_TOKENS * alone_s
    if late.sent_s is not None:
        end_s += late.sent_s - late.first_s
    steps = _steps(writing, begin_s, end_s)
    reads, fed = _read_by(reading, late.request.number)
    drawn = (late, *others)
    return Scene(
        run=run, served=served, policy=policy, prompt_tokens=prompt, budget=budget, streams=streams, late=late,
        others=others, alone_s=alone_s, begin_s=begin_s, end_s=end_s, bars=steps, reads=reads, fed=fed,
        tokens_s=tuple(tuple(token_times_s(writing, each)) for each in drawn[:7]),
        worst_gap_s=max(worst_gap_s(writing, each, since_s=arrive_s) or 0.0 for each in others),
    )  # fmt: skip


def _with_newcomer(served: Server, streams: int, arrive_s: float, prompt: int, policy: str, budget: int) -> Run:
    """Answers long enough that all go on until the newcomer writes too."""
    answer = 2 * LEAST_ANSWER
    while True:
        run = _serve(served, _load(streams, arrive_s, prompt, answer), policy, budget, prompt)
        if min(each.finish_s for each in run.outcomes[:-1]) > run.outcomes[-1].first_s or answer > 20_000:
            return run
        answer *= 2


def _load(streams: int, arrive_s: float, prompt: int | None, answer: int) -> list[Request]:
    load = [Request(number=n, arrive_s=0.0, prompt_tokens=PROMPT_TOKENS, output_tokens=answer) for n in range(streams)]
    if prompt is not None:
        load.append(Request(number=streams, arrive_s=arrive_s, prompt_tokens=prompt, output_tokens=LATE_ANSWER))
    return load


def _serve(served: Server, load: Sequence[Request], policy: str, budget: int, prompt: int) -> Run:
    whole = max(budget, prompt + len(load), PROMPT_TOKENS * len(load))
    return served.on.serve(
        load,
        policy=PrefillFirst() if policy == FIRST else VllmV1(),
        token_budget=budget if policy in (PIECES, FIRST) else whole,
        seats=len(load),
        kv_tokens=served.kv_tokens,
        split=Split(link=LINKS[LINK]) if policy == APART else None,
    )


def _steps(record: Sequence[Stretch], begin_s: float, end_s: float) -> tuple[Step, ...]:
    """Single steps in view; in a stretch they count as equally long."""
    steps: list[Step] = []
    for stretch in record:
        if stretch.end_s <= begin_s or stretch.start_s >= end_s:
            continue
        each_s = stretch.seconds / stretch.steps
        first = max(0, int((begin_s - stretch.start_s) / each_s))
        last = min(stretch.steps, int((end_s - stretch.start_s) / each_s) + 1)
        # A prompt's last token that came over a wire is one token, hardly longer than the others'.
        reads = stretch.fed_tokens > 1
        steps += [Step(start_s=stretch.start_s + n * each_s, seconds=each_s, reads=reads) for n in range(first, last)]
    return tuple(steps)


def _read_by(
    record: Sequence[Stretch], number: int
) -> tuple[tuple[tuple[float, float], ...], tuple[tuple[float, int], ...]]:
    fed = [(each, tokens) for each in record for other, tokens in each.feed if other == number and tokens > 1]
    return (
        tuple((each.start_s, each.end_s) for each, _ in fed),
        tuple((each.end_s, tokens) for each, tokens in fed),
    )


def _refused(why: Refused, policy: str, prompt: int, budget: int, streams: int) -> Scene:
    nobody = Outcome(
        request=Request(number=0, arrive_s=0.0, prompt_tokens=prompt, output_tokens=1), admitted_s=0.0, first_s=0.0,
        finish_s=0.0, evictions=0, recomputed_tokens=0,
    )  # fmt: skip
    return Scene(
        run=why, served=None, policy=policy, prompt_tokens=prompt, budget=budget, streams=streams, late=nobody,
        others=(), alone_s=0.0, begin_s=0.0, end_s=0.0, bars=(), reads=(), fed=(), tokens_s=(), worst_gap_s=0.0,
    )  # fmt: skip
