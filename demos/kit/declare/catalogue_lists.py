"""Which of all catalogued models and devices does a tool offer, and in which order do they stand in its lists?"""

from __future__ import annotations

from demos.kit.declare.controls import Choice, Option
from pysim.catalog.labels import Label, labels

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
    "tpu": "Google TPU",
    "phone": "Phones",
    "cpu": "Processors",
}
UNSURE = "-unspecified"


def device_options(*, sized: bool) -> tuple[Option, ...]:
    """Return every device under its family's name; `sized` leaves out those whose memory's size is not known."""
    families = list(FAMILIES)
    offered = [each for each in labels("devices") if not each.key.endswith(UNSURE)]
    offered = [each for each in offered if each.memory_bytes is not None or not sized]
    offered.sort(key=lambda each: (families.index(each.family), each.memory_bytes or 0.0, each.name))
    return tuple(Option(value=each.key, label=_with_size(each), group=FAMILIES[each.family]) for each in offered)


def model_options() -> tuple[Option, ...]:
    """Return every model, ordered by name."""
    ordered = sorted(labels("models"), key=lambda each: each.name.lower())
    return tuple(Option(value=each.key, label=each.name) for each in ordered)


def device_choice(start: str, *, name: str = "device", label: str = "Device") -> Choice:
    """Return the choice among all devices whose memory's size is known."""
    return Choice(name=name, label=label, start=start, options=device_options(sized=True))


def _with_size(device: Label) -> str:
    """Name a device with the size of its memory as it is sold, where the name does not say it."""
    if device.memory_bytes is None:
        return device.name
    size = f"{device.memory_bytes / 2**30:g} GB"
    said = size.replace(" ", "") in device.name.replace(" ", "")
    return device.name if said else f"{device.name}, {size}"
