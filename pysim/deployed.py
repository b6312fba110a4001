"""The facts of a deployment: which model, on which devices, stored and run how, and what was measured there.

Every verb of pysim takes one. `pysim.deployment` adds the questions that can be asked of it.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Final, Literal

from pysim import checks
from pysim.engines.calibration import Calibration
from pysim.engines.names import backends_of, known_backend, known_engine, runs_on
from pysim.errors import BadValue, UnknownName, quoted
from pysim.formats.default import AS_CONFIG, format_of
from pysim.formats.names import kv_format, weight_format
from pysim.hardware.device import Device
from pysim.models.model import Model

Split = Literal["tensor", "layers"]
SPLITS: Final = ("tensor", "layers")
# What times are computed from: speeds that published measurements show, or the datasheet's best case.
Speed = Literal["typical", "datasheet"]
SPEEDS: Final = ("typical", "datasheet")
MOST_DEVICES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Deployed:
    """A model on devices; hashable, so answers can be kept by it.

    `split`: "tensor" (all devices work on every layer) or "layers" (each has its own layers); `weight_format`
    and `kv_format`: common names of formats; all three in any case. `weight_format` "config" stands for what the
    model's config says, 16 bits where it says nothing, and becomes that format's name. `engine` and `backend`: names
    as published measurements use them; without an engine, all engines of the device's family together. The first
    `layers_on_host` layers are kept and run by `host`. `calibration`: what a measurement of these devices says of
    typical times; `Deployment.calibrated` makes one. `flash_attention`: attention runs in one kernel, as engines do
    today where they can. `build_year`: of an engine's build before 2025, whose kernels were slower.
    `micro_batch_tokens`: where the engine's own was changed (llama.cpp's -ub). Raises BadValue or UnknownName
    naming what is wrong.
    """

    model: Model
    device: Device
    _: KW_ONLY
    n_devices: int = 1
    split: str = "tensor"
    weight_format: str = AS_CONFIG
    kv_format: str = "f16"
    engine: str | None = None
    backend: str | None = None
    layers_on_host: int = 0
    host: Device | None = None
    calibration: Calibration | None = None
    flash_attention: bool = True
    build_year: int | None = None
    micro_batch_tokens: int | None = None

    def __post_init__(self) -> None:
        checks.instance(self.model, Model, "model", "load_model")
        checks.instance(self.device, Device, "device", "load_device")
        if self.host is not None:
            checks.instance(self.host, Device, "host", "load_device")
        if self.calibration is not None:
            checks.instance(self.calibration, Calibration, "calibration", "Deployment.calibrated")
        checks.count(self.n_devices, "n_devices", most=MOST_DEVICES)
        checks.count(self.layers_on_host, "layers_on_host", least=0, most=self.model.num_hidden_layers)
        _check_build(self)
        if self.split not in SPLITS:
            object.__setattr__(self, "split", _known_split(self.split))
        if self.layers_on_host and self.host is None:
            layers = self.layers_on_host
            raise BadValue(f"layers_on_host is {layers}, so host must name the device these layers run on")
        object.__setattr__(self, "weight_format", format_of(self.model, self.weight_format))
        weight_format(self.weight_format)
        kv_format(self.kv_format)
        if self.engine is not None:
            known_engine(self.engine)
        if self.backend is not None:
            backend = known_backend(self.backend)
            if not runs_on(backend, self.device.family):
                allowed = ", ".join(backends_of(self.device.family))
                raise BadValue(f"backend {backend} does not run on {self.device.name}; allowed: {allowed}")

    @property
    def together(self) -> int:
        """How many devices work on the same layer at the same time."""
        return self.n_devices if self.split == "tensor" else 1

    @property
    def cache_ways(self) -> int:
        """Into how many parts the devices that work together can divide the cache.

        MLA's latents cannot be divided by heads, and keys and values not further than to one head each:
        beyond that every device keeps a copy.
        """
        return 1 if self.model.attention_kind == "mla" else min(self.together, self.model.num_key_value_heads)


def check_deployment(on: object) -> None:
    """Refuse what is no deployment, such as a model alone."""
    if not isinstance(on, Deployed):
        raise BadValue(f"the first argument must be a Deployment, not {checks.shown(on)}: Deployment(model, device)")


def _known_split(split: object) -> str:
    lower = split.strip().lower() if isinstance(split, str) else ""
    if lower not in SPLITS:
        raise BadValue(f"unknown split {quoted(split)}; allowed: {', '.join(SPLITS)}")
    return lower


def check_speed(speed: str) -> None:
    """Refuse a speed that is neither typical nor the spec sheet's."""
    if not isinstance(speed, str) or speed not in SPEEDS:
        raise UnknownName("speed", speed, SPEEDS)


def _check_build(on: Deployed) -> None:
    """Refuse what an engine's build cannot be."""
    if not isinstance(on.flash_attention, bool):
        raise BadValue(f"flash_attention must be True or False, not {checks.shown(on.flash_attention)}")
    if on.build_year is not None:
        checks.count(on.build_year, "build_year", least=2022, most=2100)
    if on.micro_batch_tokens is not None:
        checks.count(on.micro_batch_tokens, "micro_batch_tokens")
