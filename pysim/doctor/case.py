"""Case: what a measured run did, how near that is to what its device can do, and what would help; nouns only.

All values are SI. What the text does not say and nobody can work out stays None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, get_args

from pysim.doctor.read.run import Gap, Run

if TYPE_CHECKING:
    from pysim.roofline.bound import Bound

PhaseName = Literal["prefill", "decode"]
# What the time of a request goes to, in the order in which it passes; "other" is in no phase that a tool names.
TimePart = Literal["load", "queue", "prefill", "decode", "other"]
TIME_PARTS: Final[tuple[TimePart, ...]] = get_args(TimePart)
Verdict = Literal["faster", "typical", "slower"]
# What a change makes faster: a phase, the time to the first token, the whole request, or all answers at once.
Figure = Literal["prefill", "decode", "ttft", "request", "all answers"]
AdviceKind = Literal[
    "answer", "arithmetic", "batch", "below typical", "cache", "context", "device", "flash attention", "guesses",
    "limit", "load", "micro-batch", "other device", "prefix", "queue", "shorter prompt", "warm", "weights",
]  # fmt: skip
Certainty = Literal["shown", "likely", "possible"]
OpenKind = Literal[
    "cold", "combined", "does not fit", "impossible", "load", "no decode", "no prefill", "no streaming", "offload",
    "one token", "pauses", "prompt rate", "queue", "shared", "short prompt", "unexplained", "unknown device",
    "unknown model", "unknown weights", "unstable", "window",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """A model, a device, a format or an engine, as far as a text or its reader names it.

    `words`: the text's own. `key`: pysim's name of it; None where the words are not known or fit
    several, which are then `candidates`, likeliest first. `how`: what it was recognized by, or why not.
    """

    words: str
    key: str | None
    name: str
    how: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Range of speeds that pysim predicts for such a run, in tokens per second.

    One run in ten is slower than `low_tokens_per_s` (p10), one in ten faster than `high_tokens_per_s` (p90).
    """

    low_tokens_per_s: float
    typical_tokens_per_s: float
    high_tokens_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """One phase of a case: what it did, and what pysim makes of it.

    `tokens`: of one sequence. `tokens_per_s` counts all sequences, `each_tokens_per_s` one. `at_least`: the
    speed is a lower bound, since the tool timed more than this phase. `pass_s`: of a decode pass, or of
    the whole prompt. `mbu`, `mfu`: shares of the spec sheet's bandwidth and peak that were used.
    `side`: what binds such a run. `typical` and `verdict` need model and device; `best_tokens_per_s` is the
    spec sheet's limit. `doubt`: why these figures should not be believed. `note`: why a share may be above one
    all the same.
    """

    tokens: float | None = None
    tokens_per_s: float | None = None
    each_tokens_per_s: float | None = None
    deviation_tokens_per_s: float | None = None
    at_least: bool = False
    time_s: float | None = None
    pass_s: float | None = None
    moved_bytes: float | None = None
    flop: float | None = None
    mbu: float | None = None
    mfu: float | None = None
    side: Bound | None = None
    typical: Range | None = None
    verdict: Verdict | None = None
    best_tokens_per_s: float | None = None
    doubt: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """The bytes that a decode pass reads, and how many that is in a second: the least that the memory gives.

    `bytes_per_pass`: the weights that a token needs, and the cache as far as its length is known. `source`: what the
    bytes follow from, in words. `prompt_pass_s`: of the prompt, which reads the same weights, if that was much shorter.
    `share`: of the bandwidth of the one device, where it is known. `if_writing`: the text
    has one rate only, and most people mean writing by it.
    """

    bytes_per_pass: float
    bytes_per_s: float
    pass_s: float
    source: str
    share: float | None = None
    prompt_pass_s: float | None = None
    if_writing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected(Range):
    """What writing should reach in this very set-up, with its part on the host, in tokens per second.

    `memory`: the host's, of `low_bytes_per_s` to `high_bytes_per_s`; `assumed` where the text says nothing of it.
    """

    memory: str
    low_bytes_per_s: float
    high_bytes_per_s: float
    assumed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One change, and what it would do to `figure` of this run, from `low` to `high` times as fast.

    `low` and `high` are None where pysim cannot compute it. `setting` says what was put into the computation.
    """

    kind: AdviceKind
    what: str
    figure: Figure
    low: float | None
    high: float | None
    why: str
    setting: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One thing that slows this run down, or may.

    `certainty`: "shown" by the text or its figures, "likely" by words of the text, "possible" without such.
    `reveals`: the words or figures that reveal it, in line `line` of the text. `what`: the change. `test`: how to be
    sure. `low`, `high`: how many times as fast `figure` becomes, None where pysim cannot compute it. `replaces`: kinds
    of advice that say the same.
    """

    name: str
    certainty: Certainty
    reveals: str
    what: str
    test: str
    line: int | None = None
    figure: Figure = "decode"
    low: float | None = None
    high: float | None = None
    replaces: tuple[AdviceKind, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CannotTell:
    """Something that this output cannot answer, and what to run instead."""

    kind: OpenKind
    message: str
    instead: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One request (or equal ones), put together from one run or from two that belong together.

    `assembled`: prompt and answer were timed by separate tests, so shares are those of a request with both.
    `prompt_tokens` were read again, behind `depth_tokens` in the cache. `parts_s`: what the time went to, in the
    order in which it passes; `shares` the same, of one. `slow`: the largest part, and `slow_why` in a sentence.
    `if_writing`: what is typical, if the only rate is that of writing. `stream`: what writing reads per second.
    `on_host`: how the text says that a part of the model was in the host's memory. `expected`: what
    writing should then reach.
    `command`: the line above it that started the program. `causes`: what slows it down, the surest first.
    `doubts`: what the text itself contradicts or leaves open, in words for its reader.
    """

    title: str
    runs: tuple[Run, ...]
    assembled: bool = False
    model: Recognised | None = None
    device: Recognised | None = None
    weights: Recognised | None = None
    kv: Recognised | None = None
    engine: Recognised | None = None
    n_devices: int = 1
    weights_bytes: float | None = None
    kv_bytes: float | None = None
    memory_bytes: float | None = None
    prompt_tokens: float | None = None
    output_tokens: float | None = None
    depth_tokens: float | None = None
    cached_tokens: float | None = None
    sequences: float = 1.0
    prefill: Phase | None = None
    decode: Phase | None = None
    if_writing: Range | None = None
    stream: Stream | None = None
    on_host: str | None = None
    expected: Expected | None = None
    ttft_s: float | None = None
    tpot_s: float | None = None
    total_s: float | None = None
    parts_s: Mapping[TimePart, float] = field(default_factory=dict, hash=False)
    shares: Mapping[TimePart, float] = field(default_factory=dict, hash=False)
    slow: TimePart | None = None
    slow_why: str = ""
    command: str | None = None
    causes: tuple[Cause, ...] = ()
    advice: tuple[Advice, ...] = ()
    cannot_tell: tuple[CannotTell, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def rate_tokens_per_s(self) -> float | None:
        """The one rate that a tool made of both phases, in tokens per second; None if it counts the answer alone."""
        run = self.runs[0]
        least = self.decode.tokens_per_s if self.decode is not None else None
        rate = run.combined_tokens_per_s if run.kind == "combined" else None
        return None if rate is None or (least and abs(rate / least - 1) < 0.02) else rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """All cases of one text, in its order; `gaps` are the places where it broke off or contradicts itself."""

    cases: tuple[Case, ...]
    gaps: tuple[Gap, ...] = ()
    lines: int = 0
