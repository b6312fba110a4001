"""Blocks of arrays: a million settings computed without a million-long array for every step between.

Arrays are cut into blocks that stay in the processor's cache, and the answers are joined again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from pysim.arrays.numeric import is_plain

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric

BLOCK: Final = 16_384
LONGEST_WORD: Final = "U8"
Answer = TypeVar("Answer")


def in_blocks(
    compute: Callable[..., Answer], arguments: Sequence[Numeric | None], single: frozenset[str] = frozenset()
) -> Answer:
    """`compute(*arguments)`, of which some are arrays, block by block.

    Its answer is a dataclass of plain values, arrays, and mappings and tuples of them. All of them
    come out in the arguments' common shape, but for None and the fields named in `single`.
    """
    import numpy as np

    plain = [argument is None or is_plain(argument) for argument in arguments]
    arrays: list[Any] = [argument for argument, alone in zip(arguments, plain, strict=True) if not alone]
    shape = np.broadcast_shapes(*(np.shape(array) for array in arrays))
    size = int(np.prod(shape))
    flat = [
        argument if alone else np.broadcast_to(cast("Any", argument), shape).reshape(-1)
        for argument, alone in zip(arguments, plain, strict=True)
    ]
    joined: dict[str, Any] = {}
    first: Any = None
    for start in range(0, max(size, 1), BLOCK):
        part = slice(start, min(start + BLOCK, size))
        answer: Any = compute(
            *(argument if alone else cast("Any", argument)[part] for argument, alone in zip(flat, plain, strict=True))
        )
        first = answer if first is None else first
        for path, value in _arrays(answer):
            if path not in joined:
                joined[path] = np.empty(size, dtype=LONGEST_WORD if value.dtype.kind == "U" else value.dtype)
            joined[path][part] = value
    kept = frozenset(f"/{name}" for name in single)

    def whole(value: Any, path: str) -> Any:
        if path in joined:
            return joined[path].reshape(shape)
        if isinstance(value, float | int | str) and path not in kept:
            return np.broadcast_to(np.asarray(value), shape)
        parts = {name: whole(part, f"{path}/{name}") for name, part in _parts(value)}
        if is_dataclass(value) and not isinstance(value, type):
            return type(value)(**parts)
        if isinstance(value, dict):
            return parts
        return tuple(parts.values()) if isinstance(value, tuple) else value

    return cast("Answer", whole(first, ""))


def _arrays(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if hasattr(value, "dtype"):
        return [(path, value)]
    return [array for name, part in _parts(value) for array in _arrays(part, f"{path}/{name}")]


def _parts(value: Any) -> list[tuple[str, Any]]:
    if is_dataclass(value):
        return [(field.name, getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, dict):
        return list(value.items())
    return [(str(place), item) for place, item in enumerate(value)] if isinstance(value, tuple) else []
