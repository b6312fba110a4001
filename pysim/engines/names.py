"""Names of engines and backends as people write them, and what measurements call the same ones."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from pysim.catalog.names import plain_name
from pysim.checks import shown
from pysim.errors import BadValue, UnknownName

TYPICAL: Final = "typical"

# Words in a backend's name, and the backend that measurements tell apart. The first one found decides: hipBLASLt's
# kernels do the matrices whatever else is built in.
_BACKENDS: Final = (
    ("hipblaslt", "hipblaslt"), ("rocwmma", "rocwmma"), ("amdvlk", "amdvlk"), ("vulkan", "vulkan"),
    ("rocm", "rocm"), ("hip", "rocm"), ("cuda", "cuda"), ("metal", "metal"), ("sycl", "sycl"), ("cpu", "cpu"),
)  # fmt: skip
# The backend that an engine uses on a device of a family unless told otherwise.
_USUAL: Final = {
    "apple": "metal", "cpu": "cpu", "nvidia-geforce": "cuda", "nvidia-workstation": "cuda",
    "nvidia-datacenter": "cuda", "nvidia-soc": "cuda", "amd-datacenter": "rocm",
}  # fmt: skip
# Which backends run on the devices of a family, by how its name begins: each maker's own, and those for all makers.
_RUN_ON: Final = {
    "nvidia": ("cuda", "vulkan"),
    "apple": ("metal", "vulkan", "cpu"),
    "amd-apu": ("rocm", "hipblaslt", "rocwmma", "vulkan", "amdvlk", "cpu"),
    "amd": ("rocm", "hipblaslt", "rocwmma", "vulkan", "amdvlk"),
    "intel-igpu": ("sycl", "vulkan", "cpu"),
    "intel": ("sycl", "vulkan"),
    "phone": ("vulkan", "cpu"),
    "cpu": ("cpu",),
}


def absorbs(engine: str | None) -> bool:
    """Does an engine multiply the cached latents of MLA in long passes too? An unknown one does not."""
    if engine is None or engine == TYPICAL:
        return False
    from pysim.engines.load import find_engine  # most pages of the site never name an engine

    named = find_engine(engine)
    return named is not None and named.absorbs_latents


def piece_tokens(engine: str | None) -> int | None:
    """The micro-batch of an engine: the most tokens that go through the layers together; None without a limit."""
    if engine is None or engine == TYPICAL:
        return None
    from pysim.engines.load import find_engine

    named = find_engine(engine)
    return None if named is None else named.chunk_tokens


def engine_name(name: str) -> str:
    """The name under which an engine was measured; an unknown one keeps its own, in lower case.

    A remark in parentheses is ignored, and a program has the name of the engine that it is built on.
    """
    if not isinstance(name, str):
        from pysim.engines.load import not_an_engine

        raise not_an_engine(name)
    return _engine_name(name)


@lru_cache(maxsize=256)
def _engine_name(name: str) -> str:
    if name == TYPICAL:
        return name
    from pysim.engines.catalog_entry import measured_as
    from pysim.engines.load import engine_key

    key = engine_key(name)
    if key is not None:
        return measured_as(key)
    return " ".join(re.sub(r"\(.*?\)", " ", name.lower()).split())


def known_engine(name: str) -> str:
    """The same, for an engine that a caller chose; UnknownName offers the nearest."""
    if isinstance(name, str) and plain_name(name) == TYPICAL:
        return TYPICAL
    from pysim.engines.catalog_entry import measured_as
    from pysim.engines.load import load_engine

    return measured_as(load_engine(name).key)


@lru_cache(maxsize=256)
def backend_name(name: str | None, family: str) -> str:
    """The backend in lower case; "" where none is given, or is the one that the family's devices usually have."""
    if name is None:
        return ""
    if not isinstance(name, str):
        raise BadValue(f'a backend is a name such as "CUDA", or None, not {shown(name)}')
    backend = find_backend(name)
    return "" if backend is None or _USUAL.get(family) == backend else backend


def known_backend(name: str) -> str:
    """A backend that a caller chose, such as "vulkan" for "Vulkan (RADV)"; UnknownName offers the nearest."""
    if not isinstance(name, str):
        raise BadValue(f'a backend is a name such as "CUDA", or None, not {shown(name)}')
    backend = find_backend(name)
    if backend is None:
        raise UnknownName("backend", name, dict.fromkeys(backend for _, backend in _BACKENDS))
    return backend


def runs_on(backend: str, family: str) -> bool:
    """Can a backend run on a family's devices? Of a family that is not known here nothing is said against it."""
    return backend in backends_of(family)


def backends_of(family: str) -> tuple[str, ...]:
    """The backends that run on a family's devices; all of them for a family that is not known here."""
    every = tuple(dict.fromkeys(backend for _, backend in _BACKENDS))
    return next((backends for start, backends in _RUN_ON.items() if family.startswith(start)), every)


def find_backend(name: str) -> str | None:
    """The backend that a text names; None where it names none."""
    word = name.lower()
    return next((backend for part, backend in _BACKENDS if part in word), None)
