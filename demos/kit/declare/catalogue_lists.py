"""The long lists of the calculator and the doctor: all models and devices, formats of weights and cache, engines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from demos.kit.declare.controls import Option
from pysim.catalog.labels import Label, labels
from pysim.engines.load import engine_choices
from pysim.formats.common import COMMON_CACHES, COMMON_WEIGHTS, CommonFormat
from pysim.formats.default import AS_CONFIG, AS_CONFIG_WORDS
from pysim.hardware.device import size_suffix

FAMILIES = {
    "nvidia-geforce": "NVIDIA GeForce",
    "nvidia-workstation": "NVIDIA workstation",
    "nvidia-datacenter": "NVIDIA data center",
    "nvidia-soc": "NVIDIA small computers",
    "apple": "Apple",
    "amd-radeon": "AMD Radeon",
    "amd-datacenter": "AMD data center",
    "amd-apu": "AMD processors with graphics",
    "intel-arc": "Intel Arc",
    "intel-igpu": "Intel processors with graphics",
    "intel-gaudi": "Intel Gaudi",
    "tpu": "Google TPU",
    "phone": "Phones",
    "cpu": "Processors",
}
# Families of machines that are sold in several sizes of memory each are listed by generation: "Apple M4".
BY_GENERATION = ("apple",)
UNSURE = "-unspecified"
# The entry for a model of the reader's own, and the one for the speed that the data sheet gives.
PASTED, BEST = "pasted", "best"


def _named(formats: Iterable[CommonFormat]) -> tuple[tuple[str, str], ...]:
    """Name each format as in "8-bit FP8", after its key."""
    return tuple((stored.key, f"{stored.bits}-bit {stored.name}".rstrip()) for stored in formats)


WEIGHTS, CACHES = _named(COMMON_WEIGHTS), _named(COMMON_CACHES)
# The formats of the model's weights where the model is known: first the one that its config says.
CHOSEN_WEIGHTS = ((AS_CONFIG, AS_CONFIG_WORDS), *WEIGHTS)
ENGINES = (("typical", "typical, all engines"), *engine_choices(), (BEST, "best case, the spec sheet"))


def device_options(*, sized: bool) -> tuple[Option, ...]:
    """Return every device under its family's name; `sized` leaves out those whose memory's size is not known.

    A machine that is sold in several sizes of memory is an option for each, the smallest first.
    """
    offered = [device for device in labels("devices") if not device.key.endswith(UNSURE)]
    offered = [device for device in offered if device.memory_bytes is not None or not sized]
    offered.sort(key=lambda device: (_family(device), device.memory_bytes or 0.0, device.name))
    return tuple(option for device in offered for option in _sizes(device))


def _sizes(device: Label) -> tuple[Option, ...]:
    """Return a device as one option, or as one for each size of memory; its own size has its own key."""
    group = _family(device)[1]
    return tuple(
        Option(
            value=device.key if size is None or size == device.memory_bytes else device.key + size_suffix(size),
            label=_with_size(device.name, size),
            group=group,
        )
        for size in device.sizes_bytes or (device.memory_bytes,)
    )


def _family(device: Label) -> tuple[int, str]:
    """Return a device's group as its place in the list and its name; families that have no name yet come last."""
    if device.family in BY_GENERATION:
        return list(FAMILIES).index(device.family), " ".join(device.name.split()[:2])
    if device.family in FAMILIES:
        return list(FAMILIES).index(device.family), FAMILIES[device.family]
    return len(FAMILIES), device.family.replace("-", " ").title()


def model_options() -> tuple[Option, ...]:
    """Return every model, ordered by name."""
    ordered = sorted(labels("models"), key=lambda model: model.name.lower())
    return tuple(Option(value=model.key, label=model.name) for model in ordered)


def named_options(named: Sequence[tuple[str, str]]) -> tuple[Option, ...]:
    """Return the options for (value, label) pairs, such as those of `WEIGHTS`."""
    return tuple(Option(value=value, label=label) for value, label in named)


def _with_size(name: str, memory_bytes: float | None) -> str:
    """Name a device with the size of its memory as it is sold, where the name does not say it."""
    if memory_bytes is None:
        return name
    size = f"{memory_bytes / 2**30:g} GB"
    named = size.replace(" ", "") in name.replace(" ", "")
    return name if named else f"{name}, {size}"
