"""Diagnose a text: read all that it measured, judge every case, and advise on each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim.checks import shown
from pysim.doctor.advise.advice import advice_for
from pysim.doctor.case import Diagnosis
from pysim.doctor.evidence import Evidence, command_in, words_of, words_of_each
from pysim.doctor.expect.expected import expected_of
from pysim.doctor.find import read
from pysim.doctor.judge.judging import judge_group
from pysim.doctor.judge.pairing import grouped
from pysim.doctor.judge.plausible import sane
from pysim.doctor.judge.setups import choices
from pysim.doctor.read.run import Gap
from pysim.doctor.show.terminal import as_lines
from pysim.doctor.why import causes_of
from pysim.errors import BadValue

if TYPE_CHECKING:
    from pysim.doctor.case import Case
    from pysim.doctor.evidence import Words
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.setups import Choices
    from pysim.doctor.read.run import Reading

# A log of a day holds thousands; nobody reads on beyond these, and each takes some milliseconds.
MOST_CASES: Final = 40
MOST_RUNS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Diagnosis):
    """A diagnosis that prints as `pysim doctor` does."""

    def __str__(self) -> str:
        """The lines of the command line's answer."""
        return "\n".join(as_lines(self))


def diagnose(
    raw: str,
    *,
    model: str | None = None,
    device: str | None = None,
    weights: str | None = None,
    kv: str | None = None,
    engine: str | None = None,
    config: str | None = None,
    n_devices: int | None = None,
    bandwidth: str | None = None,
    flops: str | None = None,
    memory: str | None = None,
) -> Report:
    """Read a text and judge all that it measured; one in which nothing is recognized has no cases.

    `model`, `device`: keys of the catalog, `config` the text of a config.json instead of a model's key, `weights`,
    `kv`, `engine`: names as `estimate` takes them. `bandwidth`, `flops`, `memory`: figures of a device that the catalog
    lacks, such as "346 GB/s", "12 TFLOPS" and "24 GiB". What is given here counts for all cases, before what the text
    says. Raises UnknownName, BadValue or BadConfig.
    """
    for name, given in (("raw", raw), ("config", config)):
        if not isinstance(given, str) and (given is not None or name == "raw"):
            hint = ": decode it first" if isinstance(given, bytes) else ""
            raise BadValue(f"{name} must be a text, not {shown(given)}{hint}")
    chosen = choices(
        model=model,
        device=device,
        weights=weights,
        kv=kv,
        engine=engine,
        config=config,
        n_devices=n_devices,
        bandwidth=bandwidth,
        flops=flops,
        memory=memory,
    )
    judged = judge(read(raw), chosen, raw)
    return Report(cases=judged.cases, gaps=judged.gaps, lines=judged.lines)


def judge(reading: Reading, chosen: Choices, raw: str = "") -> Diagnosis:
    """Every case of a reading, judged, with the causes that the text `raw` reveals, and with advice."""
    groups = grouped([sane(run) for run in reading.runs[:MOST_RUNS]])
    gaps = list(reading.gaps)
    left = groups[MOST_CASES:]
    beyond = reading.runs[MOST_RUNS:]
    if left or beyond:
        line = min([group.line for group in left] + [run.line for run in beyond])
        count = sum(len(group.runs) for group in left) + len(beyond)
        gaps.append(Gap(line=line, message=f"{count:,} more runs from here on are not examined"))
    regions = words_of_each([(group.line, max(run.last_line for run in group.runs)) for group in groups], words_of(raw))
    cases = tuple(
        _case(group, chosen, words) for group, words in zip(groups[:MOST_CASES], regions[:MOST_CASES], strict=True)
    )
    return Diagnosis(cases=cases, gaps=tuple(gaps), lines=reading.lines)


def _case(group: Group, chosen: Choices, words: Words) -> Case:
    judgement = judge_group(group, chosen)
    evidence = Evidence(judgement=judgement, words=words)
    return replace(
        judgement.case,
        expected=expected_of(evidence),
        command=command_in(words),
        causes=causes_of(evidence),
        advice=advice_for(judgement),
    )
