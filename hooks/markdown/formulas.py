"""Formulas in Markdown: KaTeX sets them at build, as HTML and MathML, so no script is shipped."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from hooks.markdown.blocks import Reporter
from hooks.markdown.page_text import PageText
from hooks.paths import ROOT
from hooks.setup.node import search_path

SETTER = ROOT / "hooks" / "markdown" / "katex.mjs"
AFTER_INLINE = 15  # inline patterns have 20
WRAPPED = 2  # the length of \( and of \]


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """TeX as the author wrote it; `display` is set on its own lines."""

    tex: str
    display: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Typeset:
    """What became of a formula: its HTML, or why there is none."""

    html: str
    error: str


def typeset(formulas: Sequence[Formula], memory: MutableMapping[str, Any]) -> list[Typeset]:
    """Set formulas with KaTeX, all unknown ones in one call of Node; `memory` keeps what is set."""
    new = [formula for formula in dict.fromkeys(formulas) if f"formula {formula}" not in memory]
    if new:
        node = shutil.which("node", path=search_path())
        if node is None:
            raise RuntimeError("formulas need Node 18 or newer: run `make site`, which finds or fetches it")
        asked = json.dumps([{"tex": formula.tex, "display": formula.display} for formula in new])
        command = [node, str(SETTER)]
        answer = subprocess.run(command, input=asked, capture_output=True, encoding="utf-8", check=False)
        if answer.returncode:
            raise RuntimeError(f"KaTeX did not run: {answer.stderr.strip()}")
        for formula, set_html in zip(new, json.loads(answer.stdout), strict=True):
            memory[f"formula {formula}"] = Typeset(html=set_html.get("html", ""), error=set_html.get("error", ""))
    return [memory[f"formula {formula}"] for formula in formulas]


class Formulas(Extension):
    """Sets what the `arithmatex` extension has found, which must come before this one; `drawn` is all that was set."""

    def __init__(self, reporter: Reporter, memory: MutableMapping[str, Any]) -> None:
        super().__init__()
        self.reporter, self.memory = reporter, memory
        self.drawn: list[str] = []

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register what reads these in the text of a page."""
        md.treeprocessors.register(_Set(md, self, PageText.of(md)), "formula-set", AFTER_INLINE)


class _Set(Treeprocessor):
    def __init__(self, md: Markdown, extension: Formulas, page: PageText) -> None:
        super().__init__(md)
        self.extension, self.page = extension, page

    def run(self, root: Element) -> None:
        elements = [element for element in root.iter() if element.get("class") == "arithmatex"]
        formulas = [_formula(element) for element in elements]
        for element, formula, done in zip(elements, formulas, typeset(formulas, self.extension.memory), strict=True):
            # The tags are ones that KaTeX itself never uses: the search leaves out what stands between them.
            element.tag = "div" if formula.display else "var"
            element.attrib = {"class": f"formula{' formula-display' * formula.display}", "data-search-exclude": ""}
            self.extension.drawn.append(done.html)
            shown = done.html or self._problem(formula, done.error)
            element.text = AtomicString(self.md.htmlStash.store(shown))

    def _problem(self, formula: Formula, error: str) -> str:
        whole = self.extension.reporter.problem(f"this formula can't be set: {error}", self.page.line_of(formula.tex))
        return f'<span class="demo-problem" role="note">{html.escape(whole)}</span>'


def _formula(element: Element) -> Formula:
    text = element.text or ""
    display = text.startswith("\\[")
    tex = text[WRAPPED:-WRAPPED]
    return Formula(tex=html.unescape(tex) if display else tex, display=display)
