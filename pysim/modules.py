"""Modules of a folder that is a list: which files are in it?"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from types import ModuleType


def modules_in(package: ModuleType) -> Mapping[str, ModuleType]:
    """The modules of a package by the names of their files, in order; those with a leading _ are left out."""
    # In the browser modules come from memory, and their folder is empty: there the loader knows them.
    below = getattr(package.__spec__.loader if package.__spec__ else None, "below", None)
    if below is not None:
        names = list(below(package.__name__))
    else:
        names = [module.name for module in pkgutil.iter_modules(package.__path__)]
    listed = sorted(name for name in names if not name.startswith("_"))
    return {name: importlib.import_module(f"{package.__name__}.{name}") for name in listed}
