"""First drawing of a demo: does each of its functions return what the contract says, at the start values?

Done at build and by the contract test, not in the browser.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Sequence
from typing import Any

from demos.kit.declare.controls import Value
from demos.kit.declare.demo import Demo, Scene
from demos.kit.declare.formulas import Formula
from demos.kit.errors import KitError
from demos.kit.host.registry import folder, source_file, source_path
from pysim.errors import one_line, quoted

_READOUT = re.compile(r'data-readout="([^"]*)"')


def check_first_drawing(demo: Demo) -> None:
    """Call every function of a demo once; KitError, one line with the file, where one fails or returns another kind."""
    scene: Scene = _called(demo, "scene", **demo.options({}))
    stops = _called(demo, "stops", scene)
    if not _is_ascending(stops):
        raise _wrong(demo, "stops", "ascending seconds, the first 0", stops)
    for t_s in dict.fromkeys((stops[0], stops[-1])):
        _check_frame(demo, _called(demo, "frame", scene, t_s))
        sentence = _called(demo, "say", scene, t_s)
        if not isinstance(sentence, str) or not sentence.strip() or "\n" in sentence:
            raise _wrong(demo, "say", "one sentence on one line", sentence)
    math = _called(demo, "explain", scene)
    if not isinstance(math, Sequence) or not math or not all(isinstance(formula, Formula) for formula in math):
        raise _wrong(demo, "explain", "a list of Formula", math)
    rows = _called(demo, "table", scene)
    if not _is_table(rows):
        raise _wrong(demo, "table", "rows of equal length, the first one with the names of the columns", rows)


def _is_ascending(stops: object) -> bool:
    if not isinstance(stops, Sequence) or not stops or not all(isinstance(stop, int | float) for stop in stops):
        return False
    return stops[0] == 0 and list(stops) == sorted(stops)


def _is_table(rows: object) -> bool:
    if not isinstance(rows, Sequence) or len(rows) < 2:
        return False
    return all(isinstance(row, Sequence) and not isinstance(row, str) and len(row) == len(rows[0]) for row in rows)


def _check_frame(demo: Demo, html: object) -> None:
    if not isinstance(html, str):
        raise _wrong(demo, "frame", "the HTML as a text", html)
    declared, drawn = {readout.name for readout in demo.module.READOUTS}, set(_READOUT.findall(html))
    for name in sorted(declared - drawn):
        raise KitError(f"{source_file(demo.demo_id)}: frame does not show the readout {quoted(name)} of READOUTS")
    for name in sorted(drawn - declared):
        raise KitError(f"{source_file(demo.demo_id)}: frame shows {quoted(name)}, which READOUTS does not declare")


def _called(demo: Demo, name: str, *arguments: object, **values: Value) -> Any:
    try:
        return getattr(demo.module, name)(*arguments, **values)
    except Exception as error:
        problem = one_line(f"{type(error).__name__}: {error}", 200)
        raise KitError(f"{_place(demo, error)}: {name} fails: {problem}") from error


def _place(demo: Demo, error: Exception) -> str:
    """Return the innermost line of the demo's own files that an error went through."""
    own = source_path(demo.demo_id)
    ours = own.parent if own.name == "__init__.py" else own
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith(str(ours)):
            return f"{frame.filename.removeprefix(f'{folder().parent}/')}:{frame.lineno}"
    return source_file(demo.demo_id)


def _wrong(demo: Demo, name: str, allowed: str, returned: object) -> KitError:
    return KitError(f"{source_file(demo.demo_id)}: {name} must return {allowed}, not {quoted(returned)}")
