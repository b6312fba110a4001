"""The Python pack that runs demos in the browser: fetched, verified, trimmed and precompiled."""

from hooks.pack.build import build
from hooks.pack.errors import PackError
from hooks.pack.manifest import Manifest, Part
from hooks.pack.site import copy_into
from hooks.pack.third_party import ThirdParty, third_party

__all__ = ["Manifest", "PackError", "Part", "ThirdParty", "build", "copy_into", "third_party"]
