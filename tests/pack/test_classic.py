"""Is Pyodide's module turned into a script only if it is built the way we know?"""

import pytest

from hooks.pack.archive import classic
from hooks.pack.errors import PackError
from hooks.pack.inputs.pins import MODULE
from hooks.pack.paths import Places

MODULE_TEXT = "async function _createPyodideModule(){f(import.meta.url)}export default _createPyodideModule;"


def test_the_export_becomes_a_global_of_the_worker() -> None:
    assert classic(MODULE_TEXT, "m").endswith("self._createPyodideModule = _createPyodideModule;")


def test_no_import_meta_remains() -> None:
    assert "import.meta" not in classic(MODULE_TEXT, "m")


@pytest.mark.parametrize("times", [0, 2])
def test_an_export_found_other_than_once_fails_the_build(times: int) -> None:
    text = "export default _createPyodideModule;" * times
    with pytest.raises(PackError, match=f"m: found {times} times .* expected once"):
        classic(text, "m")


@pytest.mark.parametrize("rest", ["import.meta.env", "export {a}", "export default b"])
def test_what_only_a_module_may_say_fails_the_build(rest: str) -> None:
    with pytest.raises(PackError, match="is left after the change"):
        classic(MODULE_TEXT + rest, "m")


def test_the_pinned_pyodide_passes() -> None:
    source = (Places().pyodide / MODULE.name).read_text(encoding="utf-8")
    assert len(classic(source, MODULE.name)) > len(source) / 2
