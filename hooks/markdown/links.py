"""Links of a page: those to demos are resolved and their settings checked, others are checked for form.

    [128,000 tokens](demo:kv-memory?context_tokens=128000)

opens the page on which that demo stands, with that setting. A lesson can move or rename a demo's place, and no
link has to be edited.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from demos.kit.errors import KitError
from demos.kit.host.registry import load
from hooks.markdown.blocks import Reporter
from hooks.markdown.fences import fences
from hooks.markdown.options import OptionError, read_options
from hooks.markdown.page_text import PageText
from pysim.errors import quoted

AFTER_INLINE = 15  # inline patterns have 20; MkDocs makes addresses of paths at 0
SCHEME = "demo:"
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+", re.IGNORECASE)
HEADING = re.compile(r"^# +(?P<text>.+?)(?: *\{[^}]*\})? *$", re.MULTILINE)
PRETENDS = re.compile(r"(https?://|www\.)\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a demo stands: the page's path below `docs`, the id of its figure, the page's title and what it sets."""

    page: str
    figure_id: str
    title: str = ""
    sets: tuple[str, ...] = ()


def standings(pages: Iterable[tuple[str, str]]) -> dict[str, Standing]:
    """Return where each demo stands first, from (path, Markdown) of pages in reading order; lessons go first."""
    places: dict[str, Standing] = {}
    for path, text in sorted(pages, key=lambda page: not page[0].startswith("lessons/")):
        for fence in fences(text.split("\n")):
            words = fence.info.split()
            if len(words) == 2 and words[0] == "demo":
                places.setdefault(words[1], _standing(path, text, words[1], fence.body))
    return places


def _standing(path: str, text: str, demo_id: str, body: tuple[str, ...]) -> Standing:
    try:
        options = read_options(body)
    except OptionError:
        options = []  # the block itself is told when it is drawn
    figure_id = next((str(option.value) for option in options if option.name == "id"), demo_id)
    title = HEADING.search(text)
    return Standing(
        page=path,
        title=title["text"] if title else path,
        figure_id=figure_id,
        sets=tuple(option.name for option in options if option.name != "id"),
    )


class Links(Extension):
    """Resolves and checks the links of a page; `here` gives the path of the page being written."""

    def __init__(
        self, reporter: Reporter, here: Callable[[], str], placed: Callable[[], Mapping[str, Standing]]
    ) -> None:
        super().__init__()
        self.reporter, self.here, self.placed = reporter, here, placed

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register what reads these in the text of a page."""
        md.treeprocessors.register(_Follow(md, self, PageText.of(md)), "links", AFTER_INLINE)


class _Follow(Treeprocessor):
    def __init__(self, md: Markdown, extension: Links, page: PageText) -> None:
        super().__init__(md)
        self.extension, self.page = extension, page

    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            href = link.get("href", "")
            for problem in self._problems(link, href):
                self.extension.reporter.problem(problem, self.page.line_of(f"]({href}") if href else 1)

    def _problems(self, link: Element, href: str) -> Iterator[str]:
        text = "".join(link.itertext()).strip()
        if not text and link.find(".//img") is None:
            yield f"the link to {quoted(href)} needs a text that says where it leads"
        if href.startswith(SCHEME):
            yield from self._lead_to_demo(link, href.removeprefix(SCHEME))
        elif urlsplit(href).netloc or href.startswith(("http:", "https:")):
            yield from outside_problems(href, text)

    def _lead_to_demo(self, link: Element, asked: str) -> Iterator[str]:
        demo_id, _, query = asked.partition("?")
        settings = parse_qsl(query, keep_blank_values=True)
        try:
            yield from (f"{demo_id}: {message}" for message in _refused(demo_id, settings))
        except KitError as error:
            yield str(error)
            return
        place = self.extension.placed().get(demo_id)
        if place is None:
            yield f"no page shows the demo {quoted(demo_id)}, so no link can lead to it"
            return
        path = posixpath.relpath(place.page, posixpath.dirname(self.extension.here()) or ".")
        prefixed = urlencode([(f"{place.figure_id}.{name}", value) for name, value in settings])
        link.set("href", f"{path}{'?' if prefixed else ''}{prefixed}#{place.figure_id}")


def _refused(demo_id: str, settings: list[tuple[str, str]]) -> Iterator[str]:
    """Yield what the demo says against the settings; raises KitError where there is no such demo."""
    raw: dict[str, list[str]] = {}
    for name, value in settings:
        raw.setdefault(name, []).append(value)
    for problem in load(demo_id).check(raw).problems:
        yield problem.message


def outside_problems(href: str, text: str) -> Iterator[str]:
    """Yield what is wrong with the form of a link that leaves the site; nothing is fetched."""
    parts = urlsplit(href)
    if parts.scheme != "https":
        yield f"the link {quoted(href)} must begin with https://"
    elif not HOST.fullmatch(parts.hostname or "") or re.search(r"[\s<>\"]", href):
        yield f"the link {quoted(href)} is not a web address"
    if parts.username or re.search(r"[?&]utm_", href):
        yield f"the link {quoted(href)} carries a name or a tracking mark: leave it out"
    if PRETENDS.fullmatch(text):
        yield f"the link {quoted(href)} needs a title as its text, not its address"
