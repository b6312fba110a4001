"""The parts of a model in several GGUF files: are they all there, and what do they say together?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.errors import BadConfig, quoted

if TYPE_CHECKING:
    from pysim.gguf.header import Header, Tensor

MOST_PARTS: Final = 1_000


def joined(headers: Mapping[str, Header]) -> Header:
    """One header of all files of a model, by the names of the files; BadConfig says which part is missing.

    The first part has the metadata, each has its own tensors (gguf-split of llama.cpp: split.no, split.count).
    """
    if len(headers) == 1:
        ((name, only),) = headers.items()
        count = only.count("split.count") or 0
        if count > 1:
            raise BadConfig(f"{name}: {_missing(count, [only.count('split.no') or 0])}")
        return only
    numbers = _numbered(headers)
    tensors: dict[str, Tensor] = {}
    for number in sorted(numbers):
        for tensor in numbers[number].tensors:
            if tensor.name in tensors:
                raise BadConfig(f"two parts have the tensor {quoted(tensor.name)}, so they are not from one model")
            tensors[tensor.name] = tensor
    notes = tuple(dict.fromkeys(note for number in sorted(numbers) for note in numbers[number].notes))
    return replace(numbers[0], tensors=tuple(tensors.values()), notes=notes)


def _numbered(headers: Mapping[str, Header]) -> dict[int, Header]:
    """All parts by their numbers, counted from 0."""
    numbers: dict[int, Header] = {}
    count = max(header.count("split.count") or 0 for header in headers.values())
    for name, header in headers.items():
        number, own = header.count("split.no"), header.count("split.count") or 0
        if number is None or own < 2:
            raise BadConfig(f"{name}: it is not one of several parts (it has no split.count); give one model's files")
        if number in numbers or own != count or not number < count:
            raise BadConfig(f"{name}: it is part {number + 1} of {own}, which does not match the other files")
        numbers[number] = header
    if count > MOST_PARTS:
        raise BadConfig(f"it claims {count:,} parts; at most {MOST_PARTS:,} are accepted")
    if len(numbers) < count:
        raise BadConfig(f"{next(iter(headers))}: {_missing(count, list(numbers))}")
    return numbers


def _missing(count: int, there: list[int]) -> str:
    lost = [number + 1 for number in range(min(count, MOST_PARTS)) if number not in there]
    listed = ", ".join(str(number) for number in lost[:6]) + (" …" if len(lost) > 6 else "")
    have = ", ".join(str(number + 1) for number in sorted(there))
    parts = "part" if len(lost) == 1 else "parts"
    return f"it is part {have} of {count}; {parts} {listed} must be with it: each part lists its own tensors"
