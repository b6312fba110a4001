"""How does Pyodide's compiled module, an ES module, become a script that a Blob worker can eval?"""

from hooks.pack.errors import PackError

_EXPORT = "export default _createPyodideModule;"
_GLOBAL = "self._createPyodideModule = _createPyodideModule;"
_META = "import.meta.url"


def classic(source: str, name: str) -> str:
    """The module as a classic script, or a PackError if it isn't built the way we know.

    `import.meta.url` becomes an address that nobody answers: nothing may be looked for beside it.
    """
    exports = source.count(_EXPORT)
    if exports != 1:
        raise PackError(f"{name}: found {exports} times {_EXPORT!r}, expected once; this Pyodide is built another way")
    script = source.replace(_EXPORT, _GLOBAL).replace(_META, '"pyodide://module"')
    for left in ("import.meta", "export default", "export {", "export{"):
        if left in script:
            raise PackError(f"{name}: {left!r} is left after the change to a classic script")
    return script
