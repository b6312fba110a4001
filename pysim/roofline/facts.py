"""The facts of a run that decide which measured groups it belongs to: its engine, devices, formats, kinds of layers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.engines.groups import PACKED, PLAIN, format_class
from pysim.engines.names import TYPICAL, backend_name, engine_name
from pysim.formats.names import weight_format
from pysim.models.layers import layers

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.hardware.device import Device
    from pysim.models.model import Model

# Builds of the years before are told apart, each year from the others: kernels became faster.
NEW_YEAR: Final = 2025


def facts_of(on: Deployed, place: Device, engine: str) -> dict[str, str]:
    """The facts that decide which groups a run belongs to, on the devices or the host of a deployment."""
    name, kernel, own = engine_name(engine), format_class(weight_format(on.weight_format)), place is on.device
    backend = on.backend if own and name != TYPICAL else None
    return {
        "engine": name,
        "family": place.family,
        "backend": backend_name(backend, place.family) if name != TYPICAL else "",
        "device": place.entry,
        "class": kernel,
        "packing": kernel if kernel == PLAIN or kernel in PACKED else "",
        "kind": "experts" if on.model.is_moe else "dense",
        "mixing": mixing(on.model),
        "link": _link(place) if own and on.together > 1 else "",
        "unfused": "" if on.flash_attention else "unfused",
        "year": str(on.build_year) if on.build_year is not None and on.build_year < NEW_YEAR else "",
    }


@lru_cache(maxsize=512)
def mixing(model: Model) -> str:
    """What mixes tokens besides heads of attention, by its own kernels: "latent", "recurrent" or ""."""
    kinds = {mixer.kind for layer in layers(model) for mixer in layer.mixers}
    if any(mixer.scan is not None for layer in layers(model) for mixer in layer.mixers):
        return "recurrent"
    return "latent" if kinds & {"latent_attention", "compressed_attention"} else ""


def _link(device: Device) -> str:
    if device.kind != "gpu":
        return "network"
    return max(device.links, key=lambda link: link.bytes_per_s).name if device.links else "unknown"
