"""The part of a model in the host's memory: what must move there, and what does a token take then?

Either whole layers move, with their cache, or only the routed experts of layers, the cache and the attention stay.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pysim import checks
from pysim.arrays.search import most_that_fit
from pysim.errors import BadValue
from pysim.memory.occupancy import occupancy
from pysim.memory.weights import weights_on
from pysim.roofline.cost_of_pass import pass_cost

if TYPE_CHECKING:
    from pysim.deployed import Deployed


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPart:
    """What one conversation makes of both memories and of a token's typical time.

    `device_bytes`: what is on the device, engine and cache included; `device_free_bytes` is negative where that is
    too much, None where the memory's size is not known. `host_bytes`: weights and cache on the host.
    `host_s`: the part of the token's time that the host takes.
    """

    layers: int
    device_weights_bytes: float
    device_cache_bytes: float
    device_working_bytes: float
    device_free_bytes: float | None
    host_bytes: float
    host_s: float
    token_s: float


def movable_layers(on: Deployed, *, experts_only: bool = False) -> int:
    """How many layers have something that can move."""
    return len(on.model.moe_layers) if experts_only else on.model.num_hidden_layers


def host_part(on: Deployed, layers: int, context_tokens: int, *, experts_only: bool = False) -> HostPart:
    """Move the first `layers` layers, or their experts only, of a deployment on one device to its host.

    An expert's part of a token's time is its share of the bytes that a token reads, at the host's speed. Raises
    BadValue where no host is named, where there is more than one device, or for more layers than can move.
    """
    if on.host is None or on.n_devices != 1:
        raise BadValue("host_part needs a deployment on one device with a host: Deployment(…, host=device)")
    most = movable_layers(on, experts_only=experts_only)
    checks.count(layers, "layers", least=0, most=most)
    whole = replace(on, layers_on_host=0)
    if experts_only:
        return _with_experts_moved(whole, layers, context_tokens)
    moved = replace(on, layers_on_host=layers)
    memories = occupancy(moved, context_tokens).per_device
    device = None if layers == on.model.num_hidden_layers else memories[-1]
    host = memories[0] if layers else None
    kept = 1 - layers / on.model.num_hidden_layers
    token_s = pass_cost(moved, 1, context_tokens).time_s
    return HostPart(
        layers=layers,
        device_weights_bytes=0.0 if device is None else device.weights_bytes,
        device_cache_bytes=0.0 if device is None else device.cache_bytes,
        device_working_bytes=0.0 if device is None else device.working.total_bytes,
        device_free_bytes=on.device.usable_memory_bytes if device is None else device.free_bytes,
        host_bytes=0.0 if host is None else host.weights_bytes + host.cache_bytes,
        host_s=max(0.0, token_s - kept * pass_cost(whole, 1, context_tokens).time_s) if layers else 0.0,
        token_s=token_s,
    )


def _with_experts_moved(on: Deployed, layers: int, context_tokens: int) -> HostPart:
    (device,) = occupancy(on, context_tokens).per_device
    token_s = pass_cost(on, 1, context_tokens).time_s
    moved_bytes = host_s = 0.0
    if layers and on.host is not None:
        share = layers / len(on.model.moe_layers)
        experts_bytes = weights_on(on).experts_bytes
        moved_bytes = experts_bytes * share
        used_bytes = moved_bytes * on.model.num_experts_per_tok / on.model.num_experts
        on_device = pass_cost(on, 1, 0)
        hosted = replace(on, device=on.host, host=None, backend=None)
        read_share = used_bytes / on_device.weights_read_bytes
        host_s = read_share * pass_cost(hosted, 1, 0).time_s
        token_s += host_s - read_share * on_device.time_s
    return HostPart(
        layers=layers,
        device_weights_bytes=device.weights_bytes - moved_bytes,
        device_cache_bytes=device.cache_bytes,
        device_working_bytes=device.working.total_bytes,
        device_free_bytes=None if device.free_bytes is None else device.free_bytes + moved_bytes,
        host_bytes=moved_bytes,
        host_s=host_s,
        token_s=token_s,
    )


def least_on_host(on: Deployed, context_tokens: int, *, experts_only: bool = False) -> int | None:
    """The fewest layers that must move so that the rest fits the device; None where even all of them do not do.

    Also None where the size of the device's memory is not known.
    """
    most = movable_layers(on, experts_only=experts_only)

    def fits(layers: int) -> bool:
        free = host_part(on, layers, context_tokens, experts_only=experts_only).device_free_bytes
        return free is not None and free >= 0

    if not fits(most):
        return None
    return most - most_that_fit(lambda kept: fits(most - kept), most)
