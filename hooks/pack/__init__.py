"""What makes Python start fast in a reader's browser? The Python pack: fetched, verified, trimmed, precompiled."""

from hooks.pack.build import build
from hooks.pack.errors import PackError
from hooks.pack.manifest import Manifest, Part
from hooks.pack.site import copy_into

__all__ = ["Manifest", "PackError", "Part", "build", "copy_into"]
