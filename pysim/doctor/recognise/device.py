"""Which device of the catalog do the words of a tool name?

What is not quite the same chip (a laptop's, a shortened one) is not recognized at all: its speeds differ.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.catalog.labels import labels
from pysim.doctor.case import Recognised
from pysim.doctor.recognise.names import LONGEST_TEXT, Words, known, together, words
from pysim.hardware.sizes import sizes_sold
from pysim.load import load_device
from pysim.units import GIB, show

if TYPE_CHECKING:
    from pysim.hardware.device import Device

# Behind a device's name these make another device of it.
_OTHER: Final = frozenset(
    (
        "laptop", "mobile", "notebook", "mx", "maxq", "m", "d", "lite", "ti", "super", "xt", "xtx", "gre",
        "pcie", "sxm", "nvl", "ultra", "pro", "max", "gb",
    )
)  # fmt: skip
_IN_LAPTOPS: Final = frozenset({"laptop", "mobile"})
_SIZE: Final = re.compile(r" \d+ ?GB$")
_SPLIT_SIZE: Final = re.compile(r"\b(\d{1,4}) gi?b\b")
_SIZE_WORD: Final = re.compile(r"\b(\d{1,4})gi?b\b(?! (?:ssd|storage|disk|nvme))")
_PARTS: Final = re.compile(r"[,;/+&\n]")
# Cards of one name that are sold with different memories differ in bandwidth too.
_BY_SIZE: Final = ("nvidia-geforce", "nvidia-workstation", "nvidia-datacenter", "amd-radeon", "intel-arc")
HOSTS: Final = ("cpu", "phone")
_CPU_ONLY: Final = re.compile(r"(?:^|[^a-z])(?:cpu|blas|openblas|accelerate)(?:[^a-z]|$)")
_ON_GPU: Final = re.compile(r"cuda|rocm|hip|metal|mtl|vulkan|sycl|opencl|gpu|musa|ascend|mps|xpu")


# All runs of a log name the same.
@lru_cache(maxsize=256)
def device_of(text: str | None, backend: str | None, memory_bytes: float | None = None) -> Recognised | None:
    """What a device line names; None where there is none. `backend` tells cores from graphics of one chip."""
    if text is None or not text.strip():
        return None
    shown = " ".join(text.split())[:80]
    if " or " in text:
        either = tuple(dict.fromkeys(key for part in text.split(" or ") for key in _named(words(part))))
        return _unknown(shown, "the text names several and doesn't say which one ran", either)
    if _differ(text):
        return _unknown(shown, "different devices together; pysim computes only with equal ones")
    asked = words(text)
    size = memory_bytes or size_in(asked)
    keys = tuple(_by_memory(_in_size(_on(_named(asked), backend, asked), size_in(asked)), size))
    if len(keys) != 1:
        names = ", ".join(load_device(key).name for key in keys)
        several = f"the text doesn't say which of these: {names}"
        return _unknown(shown, several if keys else "not a device in the catalog; choose one like it", keys)
    device = _twin_of_size(load_device(keys[0]), size)
    doubt = _doubt(device, size)
    if doubt is not None:
        return _unknown(shown, doubt, keys)
    return Recognised(words=shown, key=device.key, name=device.name, how=f'the words "{shown}"')


def _differ(text: str) -> bool:
    """Does a text list devices of several kinds?"""
    listed = {frozenset(_named(words(part))) for part in text.split("; ")}
    if len(listed) > 1:
        return True
    parts = [set(named) for part in _PARTS.split(text[:LONGEST_TEXT]) if (named := _named(words(part)))]
    return any(one.isdisjoint(other) for one in parts for other in parts)


def _doubt(device: Device, size: float | None) -> str | None:
    """Why a device that is named may be another one all the same."""
    if size and device.memory_bytes and device.family in _BY_SIZE and not _is_of_size(device, size):
        return f"{device.name} has {show(device.memory_bytes, 'B', binary=True)}, not {show(size, 'B', binary=True)}"
    if "-channel" in device.name:
        # A processor's name says nothing of the memory modules in its board, on which all depends.
        return f"{device.name}, if it has this much memory, which the text doesn't say"
    return None


def _unknown(shown: str, reason: str, candidates: tuple[str, ...] = ()) -> Recognised:
    return Recognised(words=shown, key=None, name=shown, how=reason, candidates=candidates)


def _on(keys: list[str], backend: str | None, text: Words) -> list[str]:
    """Of several parts of one chip, its cores or its graphics, as the backend says."""
    if len(keys) < 2:
        return keys
    on_host = "cpu" in text or on_graphics(backend) is False
    return [key for key in keys if (load_device(key).family in HOSTS) == on_host] or keys


def on_graphics(backend: str | None) -> bool | None:
    """Does a backend compute on graphics; None where it does not say."""
    name = (backend or "").lower()
    return True if _ON_GPU.search(name) else False if _CPU_ONLY.search(name) else None


def size_in(text: Words) -> float | None:
    """A memory size among the words, "24gb" or "24 GB", in bytes; graphics memory is counted in GiB."""
    joined = _SPLIT_SIZE.sub(r"\1gb", " ".join(text))
    sizes = {float(size) * GIB for size in _SIZE_WORD.findall(joined)}
    return sizes.pop() if len(sizes) == 1 else None


def _in_size(keys: list[str], size: float | None) -> list[str]:
    """The machines that are sold with this size of memory, with it; all where none is sold in several sizes."""
    if size is None or not any(sizes_sold(key)[1] for key in keys):
        return keys
    sold = [key for key in keys if size in (sizes_sold(key)[1] or (sizes_sold(key)[0],))]
    return [load_device(key, memory=f"{size / GIB:g} GiB").key for key in sold] or keys


def _named(text: Words) -> list[str]:
    """The keys whose longest name is in the text and is not continued there to another device's."""
    best = 0
    keys: list[str] = []
    for name, key in known("devices"):
        if len(name) < best:
            break
        end = together(name, text)
        if end is None or (end + 1 < len(text) and text[end + 1] in _OTHER):
            continue
        if not _IN_LAPTOPS.isdisjoint(text) and _IN_LAPTOPS.isdisjoint(name):
            continue
        if "q" in text and "max" in text and "q" not in name:
            continue
        best = len(name)
        if key not in keys:
            keys.append(key)
    return keys


def _by_memory(keys: list[str], size: float | None) -> list[str]:
    """Of several cards, those whose memory is about as large as the text says; all where that tells nothing."""
    devices = [load_device(key) for key in keys]
    if size is None or len(keys) < 2 or not all(device.family in _BY_SIZE for device in devices):
        return keys
    return [device.key for device in devices if _is_of_size(device, size)] or keys


def _is_of_size(device: Device, size: float) -> bool:
    """Is a device's memory about as large as a text says, which may count what drivers keep or not?"""
    return device.memory_bytes is not None and 0.85 <= size / device.memory_bytes <= 1.05


def _twin_of_size(device: Device, size: float | None) -> Device:
    """The card of the same name with the memory that a text states, such as the RTX 3080 with 12 GB; or the card."""
    if size is None or device.family not in _BY_SIZE or _is_of_size(device, size):
        return device
    named = _without_size(device.name)
    twins = [label.key for label in labels("devices") if _without_size(label.name) == named]
    fitting = [twin for key in twins if _is_of_size(twin := load_device(key), size)]
    return fitting[0] if len(fitting) == 1 else device


def _without_size(name: str) -> str:
    return _SIZE.sub("", name)
