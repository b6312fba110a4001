"""Terms in a lesson: `[ridge point](term)` takes its meaning from the glossary.

Where the text is another than the term's name, the id goes with it: `[the ridge](term:ridge-point)`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from simple_html import render

from demos.kit.errors import nearest
from hooks.markdown.blocks import Reporter
from hooks.markdown.glossary import PAGE, Glossary, Term
from hooks.markdown.page_text import PageText
from hooks.markdown.tips import link, tipped
from pysim.errors import quoted

MARK = r"\[(?P<text>[^\[\]]+)\]\(term(?::(?P<id>[^)\s]*))?\)"
BEFORE_LINKS = 165  # links have 160
READ_ON = "More in the glossary"


class Terms(Extension):
    """Links terms to the glossary; `href` gives a term's address from the page being written."""

    def __init__(self, reporter: Reporter, glossary: Callable[[], Glossary], href: Callable[[Term], str]) -> None:
        super().__init__()
        self.reporter, self.glossary, self.href = reporter, glossary, href

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register what reads these in the text of a page."""
        md.inlinePatterns.register(_Term(md, self, PageText.of(md)), "term", BEFORE_LINKS)


class _Term(InlineProcessor):
    def __init__(self, md: Markdown, extension: Terms, page: PageText) -> None:
        super().__init__(MARK, md)
        self.extension, self.page = extension, page
        self.count = 0

    def handleMatch(  # type: ignore[override]  # noqa: N802 (Markdown's name)
        self, m: re.Match[str], data: str
    ) -> tuple[Element | str, int, int]:
        text, glossary = " ".join(m["text"].split()), self.extension.glossary()
        asked = text if m["id"] is None else m["id"]
        term = glossary.get(asked)
        if term is None:
            near = nearest(asked.lower(), glossary)
            message = f"the glossary ({PAGE}) has no term {quoted(asked)}{near}"
            whole = self.extension.reporter.problem(message, self.page.line_of(m.group()))
            shown = f'<span class="demo-problem" role="note">{html.escape(whole)}</span>'
        else:
            shown = self._shown(text, term)
        return self.md.htmlStash.store(shown), m.start(0), m.end(0)

    def _shown(self, text: str, term: Term) -> str:
        self.count += 1
        tip_id = f"term-{self.count}"
        word = link(text, f"term {term.colour}".strip(), tip_id, self.extension.href(term))
        return render(tipped(word, [term.meaning], tip_id))
