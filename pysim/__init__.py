"""How long does a language model take, how much memory does it need, and why?

Plain floats in seconds, bytes, FLOP, FLOP/s, bytes/s and tokens. Names below are loaded when
they are first used, so that `import pysim` costs next to nothing.
"""

from __future__ import annotations

import sys
from types import ModuleType

# Not from typing, whose import would cost more than all the rest; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pysim.catalog.files import device_keys, load_device, load_model, model_keys
    from pysim.errors import BadCatalogue, BadConfig, BadValue, MissingFact, PysimError, UnknownName
    from pysim.hardware.device import Device
    from pysim.memory.kv_cache import kv_bytes_per_token, kv_cache_bytes, max_context_tokens
    from pysim.memory.weights import weights_bytes
    from pysim.models.model import Model
    from pysim.requests.estimate import Estimate, estimate
    from pysim.roofline.pass_cost import PassCost, pass_cost

_HOMES: Final = {
    "catalog.files": ("device_keys", "load_device", "load_model", "model_keys"),
    "roofline.pass_cost": ("PassCost", "pass_cost"),
    "hardware.device": ("Device",),
    "errors": ("BadCatalogue", "BadConfig", "BadValue", "MissingFact", "PysimError", "UnknownName"),
    "requests.estimate": ("Estimate", "estimate"),
    "memory.kv_cache": ("kv_bytes_per_token", "kv_cache_bytes", "max_context_tokens"),
    "models.model": ("Model",),
    "memory.weights": ("weights_bytes",),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BadCatalogue",
    "BadConfig",
    "BadValue",
    "Device",
    "Estimate",
    "MissingFact",
    "Model",
    "PassCost",
    "PysimError",
    "UnknownName",
    "device_keys",
    "estimate",
    "kv_bytes_per_token",
    "kv_cache_bytes",
    "load_device",
    "load_model",
    "max_context_tokens",
    "model_keys",
    "pass_cost",
    "weights_bytes",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'pysim' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"pysim.{home}"), name)
    globals()[name] = value
    return value


class _Package(ModuleType):
    """Keeps public names what they are where a submodule is named alike: `pysim.estimate` stays the function."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME_OF and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
