"""JSON of a diagnosis: what it looks like to a program.

`{"format": 1, "lines": …, "gaps": [{"line", "message"}], "cases": […]}`. A case has the fields of
`pysim.doctor.case.Case` under their names, and so on down to the fields of `pysim.doctor.read.run.Run` and
`Setup`, which hold what the text said; the figure of an advice is in words. All values are SI, null is what is not
known. Fields may be added; one that is renamed, or means something else, makes another format.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from pysim.doctor.words import FIGURE_WORDS

if TYPE_CHECKING:
    from pysim.doctor.case import Diagnosis

FORMAT: Final = 1


def as_json(diagnosis: Diagnosis) -> dict[str, object]:
    """The diagnosis as plain dictionaries, lists, texts and numbers."""
    plain = asdict(diagnosis)
    for case in plain["cases"]:
        for advice in case["advice"]:
            advice["figure"] = FIGURE_WORDS[advice["figure"]]
    return {"format": FORMAT, **plain}
