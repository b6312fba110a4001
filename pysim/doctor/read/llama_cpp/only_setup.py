"""What does a log say that times nothing, but tells how a model was loaded: its layers, its context, its device?"""

from __future__ import annotations

from typing import Final

from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.ollama.setup import setup as ollama_setup
from pysim.doctor.read.run import Run, Setup
from pysim.doctor.read.text import Text

TOOL: Final = "a log without times"
_WORDS: Final = ("layers to GPU", "msg=offload", "PROCESSOR")
_DOUBT: Final = "nothing in the text is timed: only the setup is examined"


def loaded(text: Text) -> list[Run]:
    """One run without any time, where the text says how much of a model is on the device."""
    places = text.places(*_WORDS)
    if not places:
        return []
    of_ollama = ollama_setup(text)
    known = of_ollama if of_ollama != Setup() and of_ollama.layers is None else Setups(text).at(len(text.lines))
    if known.layers is None and known.host_share is None:
        return []
    first, last = text.lines[places[0]].number, text.lines[places[-1]].number
    return [
        Run(
            tool=TOOL, kind="request", line=first, last_line=last, engine="llama.cpp", setup=known, doubts=(_DOUBT,)
        )
    ]  # fmt: skip
