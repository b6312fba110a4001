"""Policies by name: each file of this folder has one or more, with a pointer to the engine's source."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from pysim.errors import UnknownName
from pysim.serving.policy import Policy


@cache
def policies() -> dict[str, type[Policy]]:
    """All policies by name; the folder is the list."""
    found: dict[str, type[Policy]] = {}
    for module in pkgutil.iter_modules(__path__):
        name = f"{__name__}.{module.name}"
        for each in vars(importlib.import_module(name)).values():
            if isinstance(each, type) and each.__module__ == name and issubclass(each, Policy):
                found[each.name] = each
    return found


def policy_named(name: str) -> Policy:
    """A policy with its defaults; UnknownName naming those that there are."""
    if name not in policies():
        raise UnknownName("policy", name, policies())
    return policies()[name]()
