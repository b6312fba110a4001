"""How are many settings estimated at once, on as many processors or machines as somebody has?

Token counts and batches vary fastest as arrays in one `estimate` call. Everything else (models,
devices, formats, engines, ...) varies here, one call per setting, on any executor of Python's own
interface: threads or processes of this machine, or a cluster's (Dask's `Client.get_executor()`,
Ray's, ...).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Final

from pysim.catalog.files import load_device, load_model
from pysim.errors import BadValue
from pysim.requests.estimate import Estimate, estimate

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model

Setting = Mapping[str, Any]
TOGETHER: Final = 64  # settings per task: one takes less time than sending it


def sweep(settings: Iterable[Setting], executor: Executor, *, together: int = TOGETHER) -> list[Estimate]:
    """The estimates of many settings, in their order.

    A setting holds the arguments of `estimate` by name; "model", "device" and "host" may be
    catalogue keys. `together`: how many settings make one task. An error in a setting is raised
    here, after its place and values.
    """
    if isinstance(together, bool) or not isinstance(together, int) or together < 1:
        raise BadValue(f"together must be a whole number of at least 1, not {together!r:.40}")
    tasks = [executor.submit(_estimates, place, part) for place, part in _parts(settings, together)]
    return [each for task in tasks for each in task.result()]


def _parts(settings: Iterable[Setting], together: int) -> Iterable[tuple[int, list[Setting]]]:
    part: list[Setting] = []
    start = 0
    for setting in settings:
        part.append(setting)
        if len(part) == together:
            yield start, part
            start, part = start + together, []
    if part:
        yield start, part


def _estimates(start: int, settings: list[Setting]) -> list[Estimate]:
    """Run where the executor runs it; module-level, so that it can be sent there."""
    return [_one(start + offset, setting) for offset, setting in enumerate(settings)]


def _one(place: int, setting: Setting) -> Estimate:
    given = dict(setting)
    for name in ("model", "device"):
        if name not in given:
            raise BadValue(f"setting {place} has no {name}")
    model: Model = load_model(given.pop("model")) if isinstance(given["model"], str) else given.pop("model")
    device: Device = load_device(given.pop("device")) if isinstance(given["device"], str) else given.pop("device")
    if isinstance(given.get("host"), str):
        given["host"] = load_device(given["host"])
    try:
        return estimate(model, device, **given)
    except TypeError as error:
        raise BadValue(f"setting {place}: {error}") from None
