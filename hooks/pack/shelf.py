"""How does bytecode become one block that `finder` reads into memory?"""

import marshal
from collections.abc import Mapping

MARSHAL_VERSION = 4
HEADER_BYTES = 16


def shelf(compiled: Mapping[str, bytes], above: str) -> bytes:
    """Modules by their name; `compiled` has .pyc files by path, which stand for files in the folder `above`."""
    modules: dict[str, tuple[bool, str, bytes]] = {}
    for path in sorted(compiled):
        name = path.removesuffix(".pyc").replace("/", ".")
        is_package = name.endswith(".__init__")
        modules[name.removesuffix(".__init__")] = (is_package, f"{above}/{path}", compiled[path][HEADER_BYTES:])
    return marshal.dumps(modules, MARSHAL_VERSION)
