"""Asking back: the one fact that would settle the verdict, with the likeliest answers."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pysim.catalog.files import device_keys, model_keys
from pysim.formats.names import weight_format
from pysim.load import load_device, load_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pysim.doctor.case import Case, Recognised
    from pysim.hardware.device import Device

Asked = Literal["model", "device", "weights", "memory"]
MOST: Final = 3
# Runs in one piece use about so much of a memory's bandwidth; devices far from that are no guess.
_USUAL_SHARE: Final = 0.6
_FAR: Final = 0.45
_HOME: Final = ("nvidia-geforce", "apple", "amd-radeon", "amd-apu", "nvidia-workstation", "intel-arc", "cpu")
_SERVERS: Final = ("nvidia-datacenter", "amd-datacenter", "nvidia-geforce", "nvidia-workstation")
_FORMATS: Final = ("Q4_K_M", "Q8_0", "F16")
_SERVER_FORMATS: Final = ("F16", "FP8", "AWQ-INT4")
_CLOSE: Final = 0.75
_MEMORIES: Final = ("DDR4-3200, 2 channels", "DDR5-5600, 2 channels", "DDR4-3200, 8 channels")


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A likely answer: its name, and the value of the choice (for "memory" the words to add to the text)."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question, what it asks for, up to three guesses, and what could be pasted instead."""

    question: str
    about: Asked
    guesses: tuple[Guess, ...]
    paste: str


def ask_about(case: Case) -> Ask | None:
    """The first fact that a verdict lacks; None where there is one, or no fact would give it."""
    if any(phase is not None and phase.verdict is not None for phase in (case.prefill, case.decode)):
        return None
    if case.on_host is not None and case.model is not None and case.model.key is not None:
        return _about_memory(case)
    for about, recognised in (("model", case.model), ("weights", case.weights), ("device", case.device)):
        if recognised is None or recognised.key is None:
            return _of(about, case, recognised)  # type: ignore[arg-type]
    return None


def _about_memory(case: Case) -> Ask | None:
    if case.expected is not None and not case.expected.assumed:
        return None
    return Ask(
        question="Which main memory does the machine have?",
        about="memory",
        guesses=tuple(Guess(name=words, value=f"Main memory: {words}") for words in _MEMORIES),
        paste="its kind, speed and channels in one line",
    )


def _of(about: Asked, case: Case, recognised: Recognised | None) -> Ask:
    guesses = tuple(_guesses(about, case, recognised))[:MOST]
    question, paste = _QUESTIONS[about]
    return Ask(question=question, about=about, guesses=guesses, paste=paste)


_QUESTIONS: Final[dict[Asked, tuple[str, str]]] = {
    "model": ("Which model is it?", "its config.json, or the command that started the program"),
    "weights": ("In which format are the weights?", "the name of the file, or the lines of its loading"),
    "device": ("Which device is it?", "the lines of nvidia-smi, rocm-smi or ollama ps, or the loading of the model"),
}


def _guesses(about: Asked, case: Case, recognised: Recognised | None) -> Iterator[Guess]:
    if recognised is not None and recognised.candidates:
        yield from (Guess(name=_name(about, key), value=key) for key in recognised.candidates)
    elif about == "device":
        yield from (Guess(name=device.name, value=device.key) for device in _fast_enough(case))
    elif about == "weights":
        formats = _SERVER_FORMATS if _serves(case) else _FORMATS
        yield from (Guess(name=name, value=name.lower()) for name in formats)
    elif recognised is not None:
        close = difflib.get_close_matches(recognised.words.lower().replace(" ", "-"), model_keys(), MOST, _CLOSE)
        yield from (Guess(name=load_model(key).name, value=key) for key in close)


def _name(about: Asked, key: str) -> str:
    if about == "model":
        return load_model(key).name
    return load_device(key).name if about == "device" else weight_format(key).name


def _serves(case: Case) -> bool:
    return case.runs[0].kind in ("service", "window")


def _fast_enough(case: Case) -> list[Device]:
    """The devices of three families whose memory gives what was read, at the usual share of its bandwidth."""
    stream = case.stream
    if stream is None:
        return []

    def far(device: Device) -> float:
        share = stream.bytes_per_s / device.memory_bandwidth_bytes_per_s
        return abs(math.log(share / _USUAL_SHARE))

    best: dict[str, Device] = {}
    for key in device_keys():
        device = load_device(key)
        if device.memory_bytes is not None and device.memory_bytes * device.usable_share < (case.weights_bytes or 0.0):
            continue
        known = best.get(device.family)
        if far(device) < _FAR and (known is None or far(device) < far(known)):
            best[device.family] = device
    families = _SERVERS if _serves(case) else _HOME
    return [best[family] for family in families if family in best]
