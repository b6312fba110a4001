"""The simulation behind the demo `offload`: two memories, and the time of a token over all splits between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pysim
from demos.kit.declare.controls import Value
from pysim.roofline.host_part import HostPart, host_part, least_on_host, movable_layers

POINTS = 17
CONTEXTS = (4_096, 8_192, 16_384, 32_768, 65_536, 131_072)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the simulator answered. `asked` layers are cut to those that can move.

    `needed`: the fewest layers that must move; None where moving does not help. `shared`: the device has no memory
    but main memory.
    """

    on: pysim.Deployment
    asked: int
    context: int
    experts_only: bool
    dense: bool
    shared: bool
    here: HostPart
    whole: HostPart
    needed: int | None


def scene(**values: Value) -> Scene:
    """Split the model as asked; a dense model moves whole layers, and a device with one memory moves nothing."""
    model, device = pysim.load_model(str(values["model"])), pysim.load_device(str(values["device"]))
    on = pysim.Deployment(
        model,
        device,
        weight_format=str(values["weights"]),
        kv_format=str(values["kv"]),
        host=pysim.load_device(str(values["host"])),
    )
    asked = int(values["hosted"])
    dense = not model.moe_layers
    experts_only = values["moves"] == "experts" and not dense
    shared = device.kind in {"soc", "apu"}
    context = min(int(values["context_tokens"]), model.max_position_embeddings)
    layers = 0 if shared else min(asked, movable_layers(on, experts_only=experts_only))
    whole = host_part(on, 0, context, experts_only=experts_only)
    needed = None if shared and (whole.device_free_bytes or 0.0) < 0 else needed_layers(on, context, experts_only)
    return Scene(
        on=on,
        asked=asked,
        context=context,
        experts_only=experts_only,
        dense=dense and values["moves"] == "experts",
        shared=shared,
        here=host_part(on, layers, context, experts_only=experts_only),
        whole=whole,
        needed=needed,
    )


@lru_cache(maxsize=256)
def needed_layers(on: pysim.Deployment, context: int, experts_only: bool) -> int | None:
    """The fewest layers that must move at a context."""
    return least_on_host(on, context, experts_only=experts_only)


@lru_cache(maxsize=64)
def speeds(on: pysim.Deployment, context: int, experts_only: bool) -> tuple[tuple[int, float], ...]:
    """Return (layers moved, tokens per second) from none to all of them."""
    most = movable_layers(on, experts_only=experts_only)
    layers = sorted({most * point // (POINTS - 1) for point in range(POINTS)} | {1, 2})
    return tuple((count, 1 / host_part(on, count, context, experts_only=experts_only).token_s) for count in layers)


def by_context(scene: Scene) -> list[tuple[int, int | None, float | None]]:
    """Return (context, layers that must move, tokens per second then) for lengths that the model allows."""
    rows: list[tuple[int, int | None, float | None]] = []
    for context in CONTEXTS:
        if context > scene.on.model.max_position_embeddings:
            continue
        needed = needed_layers(scene.on, context, scene.experts_only)
        if needed is None or (scene.shared and needed):
            rows.append((context, None, None))
            continue
        part = host_part(scene.on, needed, context, experts_only=scene.experts_only)
        rows.append((context, needed, 1 / part.token_s))
    return rows
