"""The steps of one build, from Markdown to the site. MkDocs calls each through `two_speeds`."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from hooks import pack
from hooks.assets import vendor
from hooks.assets.fonts import characters
from hooks.assets.vendor import DEMO_SCRIPT, DEMO_STYLE, MORPHDOM, runtime_files, vendored
from hooks.markdown import questions, references
from hooks.markdown.demo_block import DemoBlocks
from hooks.markdown.formulas import Formulas
from hooks.markdown.glossary import ADDRESS, PAGE, Glossary, Term
from hooks.markdown.links import Links, Standing, standings
from hooks.markdown.machine_block import MachineBlocks
from hooks.markdown.numbers import Numbers
from hooks.markdown.predict_block import Predictions, Quiz
from hooks.markdown.questions import Questions
from hooks.markdown.references import Citations, References
from hooks.markdown.terms import Terms
from hooks.pages import accuracy, addresses, catalogue, gallery, reading_time, third_party
from hooks.pages.addresses import Addresses
from hooks.pages.demo_figures import DemoFigures, Place
from hooks.pages.embeds import embed_pages
from hooks.pages.faq import structured_data
from hooks.pages.ids import collisions, ids_of
from hooks.pages.order import in_reading_order, menu
from hooks.pages.search_index import lighten
from hooks.pages.sources import source_pages
from hooks.pages.third_party import site_software

log = logging.getLogger("mkdocs.two_speeds")
UNUSED_OF_THEME = ("assets/javascripts/lunr/", "assets/images/")


class Build:
    """One build of the site; `memory` outlives it, for what need not be made again under live reload (`live`)."""

    def __init__(self, config: MkDocsConfig, memory: MutableMapping[str, Any], *, live: bool = False) -> None:
        self.config = config
        self.live = live
        self.memory = memory
        self.figures = DemoFigures(memory)
        self.formulas = Formulas(self.figures, memory)
        self.glossary = Glossary()
        self.references = References()
        self.addresses = Addresses()
        self.standings: dict[str, Standing] = {}
        self.ids: dict[str, set[str]] = {}
        ours = [
            DemoBlocks(self.figures),
            Predictions(self.figures),
            Quiz(self.figures),
            MachineBlocks(self.figures),
            self.formulas,
            Numbers(self.figures),
            Terms(self.figures, lambda: self.glossary, self._glossary_link),
            Citations(self.figures, lambda: self.references, lambda: self.figures.place.page),
            Links(self.figures, lambda: self.figures.place.page, lambda: self.standings),
            Questions(self.figures, lambda: self.figures.place.page),
        ]
        config.markdown_extensions.extend(ours)  # type: ignore[arg-type]
        self.pages_with_demos: set[str] = set()
        self.shipped = site_software()

    def on_files(self, files: Files) -> Files:
        """Add what is not Markdown, drop what of the theme no page uses, put the pages into the menu."""
        for file in list(files):
            if file.src_uri.endswith(".map") or file.src_uri.startswith(UNUSED_OF_THEME):
                files.remove(file)
        try:
            for address, content in [*vendored(), *runtime_files()]:
                self._add(files, address, content)
        except vendor.MissingError as error:
            raise PluginError(str(error)) from None
        for address, html in source_pages(self.memory):
            self._add(files, address, html)
        for software in self.shipped:
            if software.text:
                self._add(files, software.address, software.text)
        pages = in_reading_order(files.documentation_pages())
        self.config.nav = menu(pages)
        self.standings = standings((page.src_uri, page.content_string) for page in pages)
        for address, html in embed_pages(self.figures, self.standings, self.config.site_url or ""):
            self._add(files, address, html)
        self.glossary = Glossary(_text(files, PAGE))
        self.references = References(_text(files, references.PAGE))
        self.addresses = Addresses(_text(files, addresses.FILE))
        if listed := files.get_file_from_path(addresses.FILE):
            files.remove(listed)
        return files

    def _glossary_link(self, term: Term) -> str:
        return f"{self.figures.place.relative(ADDRESS)}#{term.term_id}"

    def _add(self, files: Files, address: str, content: str | bytes | Path) -> None:
        given: dict[str, Any] = (
            {"abs_src_path": os.fspath(content)} if isinstance(content, Path) else {"content": content}
        )
        files.append(File.generated(self.config, address, **given))

    def on_page_markdown(self, markdown: str, page: Page) -> str:
        """Note which page comes next, and how many lines of its file come before its text."""
        whole = page.file.content_string
        before = whole[: len(whole) - len(markdown)] if whole.endswith(markdown) else ""
        self.figures.place = Place(
            file=f"{Path(self.config.docs_dir).name}/{page.file.src_uri}",
            page=page.file.src_uri,
            lines_before=before.count("\n"),
            relative=lambda address: get_relative_url(address, page.file.url),
        )
        if page.file.src_uri == PAGE:
            for error in self.glossary.problems:
                self.figures.problem(str(error), error.line - self.figures.place.lines_before)
        if page.file.src_uri == references.PAGE:
            for message, line in self.references.problems:
                self.figures.problem(message, line - self.figures.place.lines_before)
        if gallery.MARK in markdown:
            markdown = markdown.replace(gallery.MARK, gallery.gallery(self.figures, self.standings))
        markdown = reading_time.filled(markdown.replace(third_party.MARK, third_party.table(self.shipped)))
        return catalogue.filled(accuracy.filled(markdown))

    def on_page_content(self, html: str, page: Page) -> str:
        """Check that every id of the page stands once; note whether it carries demos."""
        figures = self.figures.place.figures
        for message, line in collisions(html, page.markdown or "", figures):
            self.figures.problem(message, line)
        if figures:
            self.pages_with_demos.add(page.file.src_uri)
        page.present_anchor_ids = (page.present_anchor_ids or set()) | set(figures)
        self.ids[page.file.url] = set(ids_of(html))
        return html

    def on_env(self, files: Files) -> None:
        """Check what only all pages together can tell; add the recordings and fonts that are known now."""
        for message, line in [*self.addresses.problems, *self.addresses.broken(self.ids)]:
            self._report(addresses.FILE, message, line)
        for work in self.references.uncited():
            message = f'no page cites "{work.reference_id}", as in [@{work.reference_id}]'
            self._report(references.PAGE, message, work.line)
        for address, script in self.figures.recordings.items():
            self._add(files, address, script)
        wanted = characters(self.formulas.drawn)
        if wanted != self.memory.get("font characters"):
            self.memory.update({"font characters": wanted, "fonts": list(vendor.formula_fonts(wanted))})
        for address, font in self.memory["fonts"]:
            self._add(files, address, font)

    def on_page_context(self, context: dict[str, Any], page: Page) -> dict[str, Any]:
        """Tell the templates what a page needs besides its text."""
        has_demos = page.file.src_uri in self.pages_with_demos
        context["demo_scripts"] = [MORPHDOM, DEMO_SCRIPT] if has_demos else []
        context["demo_styles"] = _styles(page.content or "", has_demos)
        context["has_predictions"] = 'class="predict"' in (page.content or "")
        context["has_catalogue"] = 'class="catalogue"' in (page.content or "")
        context["has_formulas"] = 'class="katex' in (page.content or "")
        moved = self.addresses.moved_from(page.file.url)
        linked = addresses.as_links(moved, lambda address: get_relative_url(address, page.file.url))
        context["moved_places"] = json.dumps(linked).replace("<", "\\u003c") if moved else ""
        asked = page.file.src_uri == questions.PAGE
        context["faq_data"] = structured_data(page.content or "", page.canonical_url or "") if asked else ""
        return context

    def _report(self, name: str, message: str, line: int) -> None:
        """Report what is wrong with a file of `docs` when no page is being written."""
        log.warning("%s/%s:%d: %s", Path(self.config.docs_dir).name, name, line, message)

    def on_post_build(self) -> None:
        """Put the Python pack next to the pages; only a hosted one carries the packs that a server delivers."""
        lighten(Path(self.config.site_dir) / "search" / "search_index.json")
        try:
            if self.live:
                pack.build(log.info, quick=True)
            pack.copy_into(self.config.site_dir, hosted=self.config.extra.get("hosted", True))
        except pack.PackError as error:
            log.warning("the demos of this site can't start Python: %s", error)


def _styles(content: str, has_demos: bool) -> list[str]:
    """Return the style sheets that a page needs for what it shows of demos."""
    has_gallery = 'class="gallery-entry"' in content
    needed = has_demos or has_gallery or 'class="demo-problem"' in content
    return [*([DEMO_STYLE] if needed else []), *(["assets/gallery.css"] if has_gallery else [])]


def _text(files: Files, path: str) -> str:
    """Return the text of a file of `docs`, or "" where there is none."""
    file = files.get_file_from_path(path)
    return file.content_string if file else ""
