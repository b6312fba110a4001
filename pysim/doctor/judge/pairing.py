"""Pairing: the runs of a text that belong together as one case.

llama-bench times reading and writing in separate rows: rows of one set-up and depth make a request.
A running server's lines of one set-up make one case: a single window of a few seconds says little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pysim.doctor.judge.windows import mean_window
from pysim.doctor.read.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The runs of one case: the one that tells of the prompt, the one that tells of the answer; often the same."""

    prompt: Run | None
    answer: Run | None
    runs: tuple[Run, ...]

    @property
    def first(self) -> Run:
        """A run for all that both have alike."""
        return self.prompt or self.answer or self.runs[0]

    @property
    def assembled(self) -> bool:
        """Were prompt and answer timed by separate tests?"""
        return self.prompt is not None and self.answer is not None and self.prompt is not self.answer

    @property
    def line(self) -> int:
        """Where the case begins in the text."""
        return min(run.line for run in self.runs)


def grouped(runs: Sequence[Run]) -> list[Group]:
    """All runs as cases, in the text's order."""
    groups: list[Group] = []
    tests: dict[object, list[Run]] = {}
    windows: dict[object, list[Run]] = {}
    for run in runs:
        if run.kind in ("prompt", "generation"):
            tests.setdefault((run.tool, run.setup, run.depth_tokens or 0, run.sequences or 1), []).append(run)
        elif run.kind == "window":
            windows.setdefault((run.tool, run.setup), []).append(run)
        else:
            groups.append(Group(prompt=run, answer=run, runs=(run,)))
    for tested in tests.values():
        groups += _paired(tested)
    for averaged in windows.values():
        mean = mean_window(averaged)
        groups.append(Group(prompt=mean, answer=mean, runs=tuple(averaged)))
    return sorted(groups, key=lambda group: group.line)


def _paired(runs: list[Run]) -> list[Group]:
    """Each prompt test with a generation test; the shorter of the two lists ends with its last one again and again."""
    prompts = [run for run in runs if run.kind == "prompt"]
    answers = [run for run in runs if run.kind == "generation"]
    if not prompts:
        return [Group(prompt=None, answer=run, runs=(run,)) for run in answers]
    if not answers:
        return [Group(prompt=run, answer=None, runs=(run,)) for run in prompts]
    pairs = [
        (prompts[min(at, len(prompts) - 1)], answers[min(at, len(answers) - 1)])
        for at in range(max(len(prompts), len(answers)))
    ]
    return [Group(prompt=prompt, answer=answer, runs=(prompt, answer)) for prompt, answer in pairs]
