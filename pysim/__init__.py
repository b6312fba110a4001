"""How long does a language model take, how much memory does it need, and why?

A `Deployment` says which model runs on which devices; it answers the questions. Plain floats in
seconds, bytes, FLOP, FLOP/s, bytes/s and tokens. Names below are loaded on first use,
so `import pysim` costs next to nothing.
"""

from __future__ import annotations

# Not from typing, whose import would cost more than all the rest; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from pysim.catalog.files import device_keys, model_keys
    from pysim.deployment import Deployment
    from pysim.doctor.diagnose import diagnose
    from pysim.errors import BadCatalogue, BadConfig, BadValue, MissingFact, PysimError, UnknownName
    from pysim.hardware.device import Device
    from pysim.load import load_device, load_model
    from pysim.memory.kv_cache import kv_bytes_per_token, kv_cache_bytes
    from pysim.memory.occupancy import Occupancy, max_batch, max_context_tokens, occupancy
    from pysim.memory.weights import weights_bytes
    from pysim.models.model import Model
    from pysim.requests.calibrate import Measurement
    from pysim.requests.request_estimate import Estimate, Estimates, estimate, estimate_many
    from pysim.requests.sweep import sweep
    from pysim.roofline.cost_of_pass import PassCost, PassCosts, pass_cost, pass_cost_many
    from pysim.roofline.ridge import ridge_batch, ridge_tokens

__all__ = [  # noqa: RUF022 (grouped: this list is the documentation)
    # What runs on what: load a model and a device, and put them together.
    "model_keys",
    "device_keys",
    "load_model",
    "load_device",
    "Model",
    "Device",
    "Deployment",
    # How long a request takes: one, an array of them, or any settings on an executor.
    "estimate",
    "estimate_many",
    "sweep",
    "Estimate",
    "Estimates",
    # What a run of one's own machine says of its others: Deployment.calibrated takes it.
    "Measurement",
    # What one pass costs, and where its two sides meet.
    "pass_cost",
    "pass_cost_many",
    "ridge_tokens",
    "ridge_batch",
    "PassCost",
    "PassCosts",
    # What is in memory, what fits, and how much more would.
    "weights_bytes",
    "kv_bytes_per_token",
    "kv_cache_bytes",
    "occupancy",
    "max_context_tokens",
    "max_batch",
    "Occupancy",
    # What a tool's output says.
    "diagnose",
    # What can go wrong; all are PysimError.
    "PysimError",
    "BadValue",
    "UnknownName",
    "MissingFact",
    "BadConfig",
    "BadCatalogue",
]

_HOMES: Final = {
    "catalog.files": ("device_keys", "model_keys"),
    "deployment": ("Deployment",),
    "doctor.diagnose": ("diagnose",),
    "errors": ("BadCatalogue", "BadConfig", "BadValue", "MissingFact", "PysimError", "UnknownName"),
    "hardware.device": ("Device",),
    "load": ("load_device", "load_model"),
    "memory.kv_cache": ("kv_bytes_per_token", "kv_cache_bytes"),
    "memory.occupancy": ("Occupancy", "max_batch", "max_context_tokens", "occupancy"),
    "memory.weights": ("weights_bytes",),
    "models.model": ("Model",),
    "requests.calibrate": ("Measurement",),
    "requests.request_estimate": ("Estimate", "Estimates", "estimate", "estimate_many"),
    "requests.sweep": ("sweep",),
    "roofline.cost_of_pass": ("PassCost", "PassCosts", "pass_cost", "pass_cost_many"),
    "roofline.ridge": ("ridge_batch", "ridge_tokens"),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'pysim' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"pysim.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
