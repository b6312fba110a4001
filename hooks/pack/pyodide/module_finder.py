"""The module finder of Python in the browser: imports from a dictionary of bytecode, not from folders.

This runs there, as `sitecustomize`: when the interpreter has just come up. Most of a start is importing
some 300 modules; taken from one dictionary of bytecode that costs half of what folders or a zip file do.
"""

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

# Nothing but what is loaded anyway is imported here: the class of a spec is that of any spec.
make_spec = type(sys.__spec__)

FOLDER = "/lib/modules"


class BlockFinder:
    """Finds and loads modules whose bytecode is in memory; all others are looked for as usual."""

    def __init__(self) -> None:
        self._modules: dict[str, tuple[bool, str, bytes]] = {}

    def add(self, path: str) -> None:
        """Take in a file of modules: name -> whether it is a package, the file it stands for, bytecode."""
        with open(path, "rb") as file:
            self._modules.update(marshal.load(file))

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """Called by the import statement for every module."""
        module = self._modules.get(name)
        if module is None:
            return None
        is_package, file, _code = module
        spec = make_spec(name, self, origin=file, is_package=is_package)  # type: ignore[arg-type]
        spec.has_location = True
        if is_package:
            # Data and compiled modules of a package still lie in its folder.
            spec.submodule_search_locations = [file.rpartition("/")[0]]
        return spec

    def below(self, package: str) -> list[str]:
        """The names of a package's own modules, which no look into its folder would find."""
        start = f"{package}."
        return [
            name[len(start) :] for name in self._modules if name.startswith(start) and "." not in name[len(start) :]
        ]

    def create_module(self, spec: "ModuleSpec") -> None:
        """Python's own kind of module will do."""

    def exec_module(self, module: "ModuleType") -> None:
        """Run a module's bytecode."""
        exec(marshal.loads(self._modules[module.__name__][2]), module.__dict__)


if os.path.isdir(FOLDER):
    finder = BlockFinder()
    for block in os.listdir(FOLDER):
        finder.add(f"{FOLDER}/{block}")
    sys.meta_path.insert(0, finder)
