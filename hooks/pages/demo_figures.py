"""Demo figures: draws those of each page and keeps the recordings that go with them."""

from __future__ import annotations

import hashlib
import logging
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from demos.kit.declare.demo import Demo
from demos.kit.errors import KitError
from demos.kit.host.figure import figure_html
from demos.kit.host.first_drawing import check_first_drawing
from demos.kit.host.recording import recording
from demos.kit.host.registry import load, source_file
from demos.kit.host.sources import check_imports, needs_numpy
from hooks.markdown.demo_block import DemoError
from hooks.markdown.options import Value
from hooks.pages.sources import fingerprint, source_address
from hooks.paths import ROOT

# The share of a run's stops after which its picture shows most: past the start, and before everything is over.
TELLING = 0.6
log = logging.getLogger("mkdocs.two_speeds")  # below "mkdocs", so that a strict build counts its warnings


@dataclass(slots=True, kw_only=True)
class Place:
    """The page being written: its file as an author knows it, its path below `docs`, the lines before its text."""

    file: str
    page: str = ""
    lines_before: int
    relative: Callable[[str], str]
    figures: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a demo says of itself, and its picture at a telling moment."""

    title: str
    question: str
    asked: tuple[str, ...] = ()
    picture: str = ""


class DemoFigures:
    """Draws the demos of all pages of one build and keeps the recordings that they name."""

    def __init__(self, memory: MutableMapping[str, Any]) -> None:
        self.place = Place(file="", lines_before=0, relative=lambda address: address)
        self.recordings: dict[str, str] = {}
        self._memory = memory
        self._state = fingerprint()

    def problem(self, message: str, line: int) -> str:
        """Report a problem as a warning (an error in a strict build) and return the whole message."""
        whole = f"{self.place.file}:{line + self.place.lines_before}: {message}"
        log.warning(whole)
        return whole

    def about(self, demo_id: str) -> About:
        """Return what a list of demos shows of one; a demo that can't be drawn has no picture and its id as title."""
        try:
            demo = load(demo_id)
            scene = demo.module.scene(**demo.options({}))
            stops = demo.module.stops(scene)
            picture = demo.module.frame(scene, stops[round(TELLING * (len(stops) - 1))])
        except Exception:  # where the demo stands the page says what is wrong
            return About(title=demo_id, question=demo_id)
        return About(title=demo.module.TITLE, question=demo.question, asked=demo.asked, picture=picture)

    def draw(
        self, demo_id: str, figure_id: str, options: Mapping[str, Value], line: int, *, heads_page: bool = False
    ) -> str:
        """Return a figure's HTML; raises DemoError for everything that keeps it from being drawn."""
        self._claim(figure_id, line)
        try:
            demo = load(demo_id)
            check_imports(demo_id)
            self._draw_once(demo)
            self._check(demo, options)
            html = self._figure(demo, figure_id, options, heads_page)
        except KitError as error:
            raise DemoError((str(error), None)) from None
        except DemoError:
            raise
        except Exception as error:  # a demo under work may fail in any way; the page says where
            raise DemoError((_where(error), None)) from error
        # Numbers that change with every setting are no help to a search.
        return html.replace("<figure ", "<figure data-search-exclude ", 1)

    def _claim(self, figure_id: str, line: int) -> None:
        if figure_id in self.place.figures:
            first = self.place.figures[figure_id] + self.place.lines_before
            message = f'the demo at line {first} has the id "{figure_id}" too; give this one another with `id: …`'
            raise DemoError((message, "id"))
        self.place.figures[figure_id] = line

    def _draw_once(self, demo: Demo) -> None:
        """Hold a demo to its contract, once for each state of the sources."""
        known = repr(("drawn", demo.demo_id, self._state))
        if known not in self._memory:
            check_first_drawing(demo)
            self._memory[known] = True

    def _check(self, demo: Demo, options: Mapping[str, Value]) -> None:
        reasons: list[tuple[str, str | None]] = []
        for name, value in options.items():
            try:
                demo.options({name: value})
            except KitError as error:
                reasons.append((str(error), name))
        if reasons:
            raise DemoError(*reasons)

    def _figure(self, demo: Demo, figure_id: str, options: Mapping[str, Value], heads_page: bool) -> str:
        recorded = [preset for preset in demo.presets if preset.recorded]
        presets = {preset.label: self._recorded(demo, {**options, **preset.values}) for preset in recorded}
        return figure_html(
            demo,
            figure_id=figure_id,
            options=options,
            recording_url=self._recorded(demo, options),
            python_url=self.place.relative(source_address(source_file(demo.demo_id))),
            numpy=needs_numpy(demo.demo_id),
            preset_recordings=presets,
            heads_page=heads_page,
        )

    def _recorded(self, demo: Demo, options: Mapping[str, Value]) -> str:
        values = demo.options(options)
        known = ("recording", demo.demo_id, repr(sorted(values.items())), self._state)
        text: str = self._memory.get(repr(known)) or recording(demo, values)
        self._memory[repr(known)] = text
        key = f"{demo.demo_id}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        address = f"assets/demos/{key}.js"
        # U+2028 and U+2029 are line ends to old JavaScript engines, though not to JSON.
        safe = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        self.recordings[address] = f'TwoSpeeds.recordings.add("{key}", {safe});\n'
        return self.place.relative(address)


def _where(error: Exception) -> str:
    """Return an exception as one line that begins with the innermost place in our own files."""
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(ROOT):
        return f"{Path(error.filename).relative_to(ROOT)}:{error.lineno}: {type(error).__name__}: {error.msg}"
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(ROOT)]
    problem = f"{type(error).__name__}: {error}"
    return f"{Path(ours[-1].filename).relative_to(ROOT)}:{ours[-1].lineno}: {problem}" if ours else problem
