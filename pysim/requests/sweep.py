"""Sweeps: many settings estimated at once, on as many processors or machines as somebody has.

Token counts and batches vary fastest as arrays in one `estimate` call. Everything else (models,
devices, formats, engines, ...) varies here, one call per setting, on any executor of Python's own
interface: threads or processes of this machine, or a cluster's (Dask's `Client.get_executor()`,
Ray's, ...).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from pysim.checks import shown
from pysim.deployed import Deployed
from pysim.errors import BadValue, PysimError, one_line, quoted
from pysim.load import load_device, load_model
from pysim.requests.request_estimate import Estimate, estimate

Setting = Mapping[str, Any]
DEPLOYMENT: Final = frozenset(field.name for field in fields(Deployed))
LONGEST_PLACE: Final = 300
TOGETHER: Final = 64  # settings per task: one takes less time than sending it


def sweep(settings: Iterable[Setting], executor: Executor, *, together: int = TOGETHER) -> list[Estimate]:
    """The estimates of many settings, in their order.

    A setting holds the fields of a `Deployment` and the arguments of `estimate` by name; "model", "device"
    and "host" may be catalog keys, "model" all that `load_model` takes. `together`: how many settings make one
    task. An error in a setting is raised here, of the kind that it has, after the setting's place and values.
    """
    if isinstance(together, bool) or not isinstance(together, int) or together < 1:
        raise BadValue(f"together must be a whole number of at least 1, not {shown(together)}")
    if not isinstance(settings, Iterable) or isinstance(settings, str | Mapping):
        raise BadValue(f"settings must be several mappings of names to values, not {shown(settings)}")
    tasks = [executor.submit(_estimates, place, part) for place, part in _parts(settings, together)]
    return [answer for task in tasks for answer in task.result()]


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
    """Run where the executor runs it; module-level, so it can be sent there."""
    return [_one(start + offset, setting) for offset, setting in enumerate(settings)]


def _one(place: int, setting: object) -> Estimate:
    if not isinstance(setting, Mapping):
        raise BadValue(f"setting {place} must be a mapping of names to values, not {shown(setting)}")
    try:
        return _estimate(dict(setting))
    except PysimError as error:
        raise error.at(f"setting {place} ({_values(setting)})") from None
    except TypeError as error:
        raise BadValue(f"setting {place} ({_values(setting)}): {error}") from None


def _estimate(given: dict[str, Any]) -> Estimate:
    for name in ("model", "device", "prompt_tokens", "output_tokens"):
        if name not in given:
            raise BadValue(f"it has no {name}")
    where = {name: given.pop(name) for name in DEPLOYMENT if name in given}
    if isinstance(where["model"], str | Path | Mapping):
        where["model"] = load_model(where["model"])
    for name in ("device", "host"):
        if isinstance(where.get(name), str):
            where[name] = load_device(where[name])
    return estimate(Deployed(**where), **given)


def _values(setting: Setting) -> str:
    """A setting's values as an error tells them: on one line, models and devices by their keys."""
    told = (f"{name} {_brief(getattr(value, 'key', value))}" for name, value in setting.items())
    return one_line(", ".join(told), LONGEST_PLACE)


def _brief(value: object) -> str:
    return quoted(value, 40) if isinstance(value, str | Path) else shown(value)
