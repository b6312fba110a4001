"""Machines: the common cases of 2026, and the reader's own.

A page speaks of one of them where it says `my_model`, `my_device` or `my_weights`: the reader's, and until one is
chosen the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import pysim
from demos.kit.errors import KitError, nearest
from pysim import units
from pysim.errors import PysimError, quoted
from pysim.formats.common import COMMON_WEIGHTS

OWN: Final = "my"
# What a reader may say to run a model on, and which one, from small to large.
DEVICES: Final = (
    "rtx-4090", "rtx-3060-12gb", "rtx-3090", "rtx-4060-ti-16gb", "rtx-5070-ti", "rtx-5090", "rx-7900-xtx",
    "apple-m1-pro-16c", "apple-m2-10c", "apple-m3-max-40c", "apple-m4-10c", "apple-m4-pro-20c", "apple-m4-max-40c",
    "strix-halo", "dgx-spark", "h100-sxm", "h200-sxm", "b200", "mi300x",
)  # fmt: skip
MODELS: Final = (
    "llama-3.2-1b", "qwen3-4b", "llama-3.1-8b", "qwen3-14b", "gpt-oss-20b", "qwen3-30b-a3b", "qwen3-32b",
    "llama-3.1-70b",
)  # fmt: skip
WEIGHTS: Final = ("f16", "fp8", "q4_k_m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A model in a weight format on a device, by pysim's names, and what people call such a computer."""

    name: str
    model: str
    device: str
    weights: str

    def deployment(self) -> pysim.Deployment:
        """What pysim asks about; raises PysimError for an unknown name."""
        model, device = pysim.load_model(self.model), pysim.load_device(self.device)
        return pysim.Deployment(model, device, weight_format=self.weights)


COMMON: Final[Mapping[str, Machine]] = {
    "pc": Machine(name="a gaming PC", model="llama-3.1-8b", device="rtx-4090", weights="q4_k_m"),
    "mac": Machine(name="a Mac", model="llama-3.1-8b", device="apple-m4-pro-20c", weights="q4_k_m"),
    "server": Machine(name="a server", model="llama-3.1-8b", device="h100-sxm", weights="f16"),
}
FIRST: Final = COMMON["pc"]
PARTS: Final = ("model", "device", "weights")


def names_of(own: Machine) -> dict[str, str]:
    """What `my_model`, `mac_device` and similar names stand for."""
    return {f"{who}_{part}": getattr(machine, part) for who, machine in {OWN: own, **COMMON}.items() for part in PARTS}


def words_of(own: Machine) -> dict[str, str]:
    """What `my_device_name` and its like say."""
    words: dict[str, str] = {}
    for who, machine in {OWN: own, **COMMON}.items():
        words[f"{who}_model_name"] = pysim.load_model(machine.model).name
        words[f"{who}_device_name"] = pysim.load_device(machine.device).name
        words[f"{who}_weights_name"] = weights_in_words(machine.weights)
    return words


def weights_in_words(key: str) -> str:
    """A weight format as a reader says it: "16-bit", "4-bit (Q4_K_M)"."""
    for stored in COMMON_WEIGHTS:
        if stored.key == key:
            return f"{stored.bits}-bit" + (f" ({stored.name})" if stored.name else "")
    return key


def machine_of(given: Mapping[str, object]) -> Machine:
    """The machine that a page sends; raises KitError naming what is not on offer, or what does not fit."""
    for part, offered in (("model", MODELS), ("device", DEVICES), ("weights", WEIGHTS)):
        value = str(given.get(part, ""))
        if value not in offered:
            raise KitError(f"there is no {part} {quoted(value)} here{nearest(value, offered)}")
    machine = Machine(name="", model=str(given["model"]), device=str(given["device"]), weights=str(given["weights"]))
    try:
        on = machine.deployment()
    except PysimError as error:
        raise KitError(str(error)) from error
    needed, room = pysim.weights_bytes(on.model, on.weight_format), on.device.usable_memory_bytes
    if room is not None and needed > room:
        raise KitError(
            f"{on.model.name} in {weights_in_words(machine.weights)} does not fit: its weights are "
            f"{units.show(needed, 'B', digits=3)}, and {on.device.name} has "
            f"{units.show(room, 'B', digits=3)} for them. Choose a smaller model or fewer bits."
        )
    return machine
