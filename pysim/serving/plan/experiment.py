"""Experiments: a TOML file that says which server gets which requests, within which limits, and what varies.

seed = 1
[server]            # model, device, engine; n_devices, weights, kv, policy, token_budget, max_seqs, kv_tokens,
model = "…"         # factor, replicas, router, readers, writers, link, latency_s, intake_per_s
[load]              # trace, file, clients, or prompt_tokens and output_tokens; rate, concurrency or burst;
rate = 4            # seconds or requests; arrivals, cv, think_s, stretch, begin
[limits]            # preset, ttft_s, tpot_s, end_to_end_s, share, together
[variants.small]    # for `pysim serve compare`: the same with some values changed
token_budget = 512
[sweep]             # for `pysim serve sweep`: every combination of the values
token_budget = [512, 2048, 8192]
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pysim.errors import BadValue, UnknownName, quoted

Setting = dict[str, Any]

SERVER: Final = (
    "model", "device", "engine", "n_devices", "weights", "kv", "policy", "token_budget", "max_seqs", "kv_tokens",
    "factor", "replicas", "router", "readers", "writers", "link", "latency_s", "intake_per_s",
)  # fmt: skip
LOAD: Final = (
    "trace", "file", "clients", "prompt_tokens", "output_tokens", "rate", "concurrency", "burst", "seconds", "requests",
    "arrivals", "cv", "think_s", "stretch", "begin",
)  # fmt: skip
# Values that are names.
NAMES: Final = ("model", "device", "engine", "weights", "kv", "policy", "router", "link", "trace", "arrivals", "preset")
LIMITS: Final = ("preset", "ttft_s", "tpot_s", "end_to_end_s", "share", "together")
TABLES: Final = {"server": SERVER, "load": LOAD, "limits": LIMITS}
MOST_SETTINGS: Final = 10_000_000
MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """The setting that everything starts from, its variants by name, and the values that a sweep combines."""

    setting: Setting
    variants: dict[str, Setting]
    swept: dict[str, list[Any]]

    @property
    def count(self) -> int:
        """How many settings a sweep has."""
        return math.prod(len(values) for values in self.swept.values())

    def settings(self) -> Iterator[tuple[dict[str, Any], Setting]]:
        """What varies, and the whole setting, of each combination."""
        for values in itertools.product(*self.swept.values()):
            varied = dict(zip(self.swept, values, strict=True))
            yield varied, changed(self.setting, varied)


def read_experiment(path: Path) -> Experiment:
    """Read a file; raises BadValue or UnknownName naming what is wrong in it, OSError where it can't be read."""
    if path.stat().st_size > MOST_BYTES:
        raise BadValue(f"{path.name} is larger than an experiment's file can be ({MOST_BYTES:,} bytes)")
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        return _experiment(given, path.parent)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadValue(f"{path.name} is not TOML: {error}") from error
    except (BadValue, UnknownName) as error:
        raise error.at(path.name) from None


def key_of(setting: Setting) -> str:
    """A name for a setting that the same values always get."""
    text = json.dumps(setting, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def changed(setting: Setting, values: Mapping[str, Any]) -> Setting:
    """A setting with other values, named alone or with their table: `token_budget` or `server.token_budget`."""
    new = {name: dict(value) if isinstance(value, dict) else value for name, value in setting.items()}
    for name, value in values.items():
        if name == "seed":
            new["seed"] = value
            continue
        table, key = _place(name)
        new[table] = {**new.get(table, {}), key: value}
    return new


def _experiment(given: Mapping[str, Any], folder: Path) -> Experiment:
    known = ("seed", "title", *TABLES, "variants", "sweep")
    for name in given:
        if name not in known:
            raise UnknownName("table or value", name, known)
    seed = given.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise BadValue(f"seed {quoted(seed, 30)} is not a whole number")
    setting: Setting = {"seed": seed} | {name: _known(given, name) for name in TABLES}
    setting["load"] |= _files(setting["load"], folder)
    variants = {name: changed(setting, _table(_table(given, "variants"), name)) for name in _table(given, "variants")}
    swept = {name: _values(name, values) for name, values in _table(given, "sweep").items()}
    for name in swept:
        changed(setting, {name: None})
    found = Experiment(setting=setting, variants=variants, swept=swept)
    if found.count > MOST_SETTINGS:
        raise BadValue(f"[sweep] combines to {found.count:,} settings; {MOST_SETTINGS:,} is the most")
    return found


def _known(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = dict(_table(given, name))
    for key in table:
        if key not in TABLES[name]:
            raise UnknownName(f"value of [{name}]", key, TABLES[name])
    return table


def _files(load: Mapping[str, Any], folder: Path) -> dict[str, str]:
    """The files of a load, from the experiment's folder on, and what is in a trace: another text is another setting."""
    found = {name: str(folder / str(load[name])) for name in ("file", "clients") if name in load}
    if "file" in found and Path(found["file"]).is_file():
        with open(found["file"], "rb") as file:
            found["content"] = hashlib.file_digest(file, "sha256").hexdigest()[:16]
    return found


def _table(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = given.get(name, {})
    if not isinstance(table, dict):
        raise BadValue(f"[{name}] is not a table")
    return table


def _values(name: str, values: object) -> list[Any]:
    if not isinstance(values, list) or not values:
        raise BadValue(f"[sweep] {name} is not a list of values")
    return list(values)


def _place(name: str) -> tuple[str, str]:
    table, dot, key = name.partition(".")
    if dot:
        if table not in TABLES or key not in TABLES[table]:
            raise UnknownName("value", name, [f"{each}.{key}" for each, keys in TABLES.items() for key in keys])
        return table, key
    for each, keys in TABLES.items():
        if name in keys:
            return each, name
    raise UnknownName("value", name, ["seed", *(key for keys in TABLES.values() for key in keys)])
