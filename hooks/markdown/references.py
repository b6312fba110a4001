"""References: the works that the site builds on, read from their page, and `[@kwon2023]`, which cites one.

    ### Efficient memory management … with PagedAttention { #kwon2023 data-cite="Kwon et al., 2023" }

Every citation must have its reference, and every reference is cited somewhere.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

from demos.kit.errors import nearest
from hooks.markdown.blocks import Reporter
from hooks.markdown.page_text import PageText
from pysim.errors import quoted

PAGE = "references.md"
HEADING = re.compile(r"^###\s+(?P<title>.+?)\s*(?:\{(?P<attributes>[^}]*)\})?\s*$")
ANY_HEADING = re.compile(r"^#{1,6}\s")
CITE = re.compile(r'data-cite="(?P<cite>[^"]+, (?:19|20)\d\d)"')
LINK = re.compile(r"\[[^\]]+\]\(https://[^)]+\)")
MARK = r"\[@(?P<id>[^\s\]]*)\]"
BEFORE_LINKS = 166  # links have 160, terms 165


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A work: its id, its title, what a citation of it reads like, and its line on the page, from 1."""

    reference_id: str
    title: str
    cite: str
    line: int


class References(Mapping[str, Reference]):
    """The works under their ids; `problems` are (message, line) found while reading, `cited` fills during a build."""

    def __init__(self, text: str = "") -> None:
        self._works: dict[str, Reference] = {}
        self.problems: list[tuple[str, int]] = []
        self.cited: set[str] = set()
        lines = text.split("\n")
        for at, line in enumerate(lines):
            if heading := HEADING.match(line):
                self._add(heading, lines[at + 1 :], at + 1)

    def _add(self, heading: re.Match[str], following: Sequence[str], line: int) -> None:
        title, attributes = heading["title"], heading["attributes"] or ""
        reference_id, cite = re.search(r"#([A-Za-z][\w-]*)", attributes), CITE.search(attributes)
        entry = "\n".join(_until_heading(following))
        if reference_id is None or cite is None:
            form = '{ #kwon2023 data-cite="Kwon et al., 2023" }'
            self.problems.append((f"the reference {quoted(title)} needs an id and its citation, as in {form}", line))
            return
        if not LINK.search(entry):
            self.problems.append((f"the reference {quoted(title)} needs a link with a title to the work", line))
        work = Reference(reference_id=reference_id[1], title=title, cite=cite["cite"], line=line)
        self._works[work.reference_id] = work

    def uncited(self) -> Iterator[Reference]:
        """Every work that no page has cited."""
        return (work for work in self._works.values() if work.reference_id not in self.cited)

    def __getitem__(self, reference_id: str) -> Reference:
        return self._works[reference_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._works)

    def __len__(self) -> int:
        return len(self._works)


def _until_heading(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if ANY_HEADING.match(line):
            return
        yield line


class Citations(Extension):
    """Makes links of citations; `here` gives the path of the page being written."""

    def __init__(self, reporter: Reporter, references: Callable[[], References], here: Callable[[], str]) -> None:
        super().__init__()
        self.reporter, self.references, self.here = reporter, references, here

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register what reads these in the text of a page."""
        md.inlinePatterns.register(_Citation(md, self, PageText.of(md)), "citation", BEFORE_LINKS)


class _Citation(InlineProcessor):
    def __init__(self, md: Markdown, extension: Citations, page: PageText) -> None:
        super().__init__(MARK, md)
        self.extension, self.page = extension, page

    def handleMatch(  # type: ignore[override]  # noqa: N802 (Markdown's name)
        self, m: re.Match[str], data: str
    ) -> tuple[Element | str, int, int]:
        references = self.extension.references()
        work = references.get(m["id"])
        if work is None:
            message = f"the references ({PAGE}) have no {quoted(m['id'])}{nearest(m['id'], references)}"
            whole = self.extension.reporter.problem(message, self.page.line_of(m.group()))
            shown = f'<span class="demo-problem" role="note">{html.escape(whole)}</span>'
            return self.md.htmlStash.store(shown), m.start(0), m.end(0)
        references.cited.add(work.reference_id)
        folder = posixpath.dirname(self.extension.here()) or "."
        link = Element("a", {"class": "cite", "title": work.title})
        link.set("href", f"{posixpath.relpath(PAGE, folder)}#{work.reference_id}")
        link.text = f"[{work.cite}]"
        return link, m.start(0), m.end(0)
