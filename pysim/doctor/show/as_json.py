"""JSON of a diagnosis: what it looks like to a program.

`{"format": 2, "answer": …, "lines": …, "gaps": [{"line", "message"}], "cases": […], "error": null}`. A case has the
fields of `pysim.doctor.case.Case` under their names, and so on down to the fields of `pysim.doctor.read.run.Run` and
`Setup`, which hold what the text said; the figure of an advice is in words. `prompt_tokens` are always those that were
read, `cached_tokens` those before them that were not read again. All values are SI, null is what is not known. A
refusal has the same form, with `error` and without cases. `pysim doctor --schema` prints the JSON Schema. Fields may be
added; one that is renamed, or means something else, makes another format.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from pysim.doctor.answer.answer import answer_of
from pysim.doctor.case import Diagnosis
from pysim.doctor.judge.request_timing import read_tokens
from pysim.doctor.words import FIGURE_WORDS

if TYPE_CHECKING:
    from pysim.doctor.case import Case

FORMAT: Final = 2


def as_json(diagnosis: Diagnosis, error: str | None = None) -> dict[str, object]:
    """The diagnosis as plain dictionaries, lists, texts and numbers; `error`: why there is none."""
    return {
        "format": FORMAT,
        "answer": asdict(answer_of(diagnosis)),
        "lines": diagnosis.lines,
        "gaps": [asdict(gap) for gap in diagnosis.gaps],
        "cases": [_case(case) for case in diagnosis.cases],
        "error": error,
    }


def refusal(error: str) -> dict[str, object]:
    """The same form for what could not be read or was asked wrongly."""
    return as_json(Diagnosis(cases=()), error)


def _case(case: Case) -> dict[str, object]:
    plain = asdict(case)
    for change in (*plain["advice"], *plain["causes"]):
        change["figure"] = FIGURE_WORDS[change["figure"]]
    for run, said in zip(plain["runs"], case.runs, strict=True):
        run["prompt_tokens"] = read_tokens(said)
    return plain
