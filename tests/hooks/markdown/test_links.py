"""Do links lead to demos with settings that exist, do citations have their works, and do old addresses last?"""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown import Markdown

from hooks.markdown.links import Links, Standing, outside_problems, standings
from hooks.markdown.references import Citations, References
from hooks.pages.addresses import Addresses, as_links, entries_of, promised
from tests.hooks.reading import page_parts

WORK = '### A Work { #kwon2023 data-cite="Kwon et al., 2023" }\n\nAuthors. [Paper](https://arxiv.org/abs/1)\n'
PLACED = {"kv-memory": Standing(page="lessons/one.md", figure_id="memory")}


class Listener:
    def __init__(self) -> None:
        self.problems: list[tuple[str, int]] = []

    def problem(self, message: str, line: int) -> str:
        self.problems.append((message, line))
        return message


def convert(text: str, here: str = "faq.md", references: References | None = None) -> tuple[str, Listener]:
    listener = Listener()
    links = Links(listener, lambda: here, lambda: PLACED)
    citations = Citations(listener, lambda: references or References(WORK), lambda: here)
    return Markdown(extensions=[links, citations]).convert(text), listener


def test_a_link_to_a_demo_leads_to_its_page_with_the_setting_under_its_id() -> None:
    html, listener = convert("[see](demo:kv-memory?context_tokens=128000&reserve=true)")
    assert 'href="lessons/one.md?memory.context_tokens=128000&amp;memory.reserve=true#memory"' in html
    assert listener.problems == []


def test_a_link_from_a_folder_climbs_out_of_it() -> None:
    assert 'href="../lessons/one.md#memory"' in convert("[see](demo:kv-memory)", here="notes/x.md")[0]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("kv-memry", 'unknown demo "kv-memry"; did you mean "kv-memory"?'),
        ("kv-memory?context_tokns=1", 'kv-memory: there is no setting "context_tokns" here; did you mean'),
        ("kv-memory?context_tokens=0", 'kv-memory: Context length: "0" is out of range'),
        ("kv-memory?kv=q8_0&kv=f16", "kv-memory: Cache: it is given 2 times"),
        ("one-pass", 'no page shows the demo "one-pass"'),
    ],
)
def test_a_wrong_demo_or_setting_is_told_at_its_line(asked: str, said: str) -> None:
    _, listener = convert(f"text\n\n[see](demo:{asked})")
    ((message, line),) = listener.problems
    assert message.startswith(said)
    assert line == 3


def test_a_demo_stands_in_the_lesson_first_and_under_the_id_of_its_block() -> None:
    pages = [("index.md", "```demo a\n```"), ("lessons/x.md", "```demo a\nid: second\n```\n\n```demo a\n```")]
    assert standings(pages) == {"a": Standing(page="lessons/x.md", figure_id="second", title="lessons/x.md")}


@pytest.mark.parametrize(
    ("href", "text"),
    [
        ("http://example.org/", "Example"),
        ("https://nowhere/", "Nowhere"),
        ("https://example.org/?utm_source=x", "Example"),
        ("https://example.org/", "https://example.org/"),
    ],
)
def test_a_badly_formed_link_to_elsewhere_is_told(href: str, text: str) -> None:
    assert len(list(outside_problems(href, text))) == 1


def test_a_link_without_a_title_is_told() -> None:
    assert convert("[](https://example.org/a)")[1].problems[0][0].startswith("the link to")


def test_a_citation_names_the_work_and_leads_to_it() -> None:
    references = References(WORK)
    html, listener = convert("so [@kwon2023].", here="notes/x.md", references=references)
    assert 'href="../references.md#kwon2023" title="A Work">[Kwon et al., 2023]</a>' in html
    assert (listener.problems, list(references.uncited())) == ([], [])


def test_a_citation_without_its_work_is_told_with_the_nearest() -> None:
    _, listener = convert("\n\nso [@kwon2032].")
    assert listener.problems == [('the references (references.md) have no "kwon2032"; did you mean "kwon2023"?', 3)]


def test_a_work_that_nobody_cites_or_that_lacks_its_parts_is_told() -> None:
    assert [work.line for work in References(WORK).uncited()] == [1]
    lacking = '### No citation { #x }\n\n[Paper](https://a.org/)\n\n### No link { #y data-cite="Y, 2020" }\n\nText\n'
    assert [line for _, line in References(lacking).problems] == [1, 5]


LIST = '[ids]\n"faq.html" = [\n  "old",\n  "kept",\n]\n\n[moved]\n"faq.html#gone" = "faq.html#kept"\n'


def test_a_published_id_that_vanishes_is_told_at_its_line() -> None:
    ((message, line),) = Addresses(LIST).broken({"faq.html": {"kept"}})
    assert message.startswith('the published address "faq.html#old" leads nowhere')
    assert line == 3


def test_an_id_that_has_moved_is_no_broken_promise_and_gets_its_link() -> None:
    moved = Addresses(LIST.replace("#gone", "#old"))
    assert list(moved.broken({"faq.html": {"kept"}})) == []
    assert as_links(moved.moved_from("faq.html"), lambda page: f"../{page}") == {"old": "../faq.html#kept"}


def test_a_move_to_nowhere_is_told_and_an_id_that_is_not_listed_yet_is_no_fault() -> None:
    problems = list(Addresses(LIST).broken({"faq.html": {"old", "new"}}))
    assert [line for _, line in problems] == [4, 8]


def test_a_release_promises_what_is_new_and_keeps_every_other_line() -> None:
    ids = entries_of("### Old { #old }\n\n### New { .x #new }\n\n## Group { #group }\n\n### Without\n")
    assert ids == ["old", "new"]
    after = promised(LIST, {"faq.html": ids, "references.html": ["kwon2023"]})
    assert list(Addresses(after).ids["faq.html"]) == ["old", "kept", "new"]
    assert list(Addresses(after).ids["references.html"]) == ["kwon2023"]
    assert [line for line in LIST.splitlines() if line not in after.splitlines()] == []
    assert promised(after, {"faq.html": ids, "references.html": ["kwon2023"]}) == after


def test_links_to_settings_name_figures_of_the_page_they_lead_to(site: Path) -> None:
    links = [attributes.get("href", "") for _, attributes in page_parts(site / "faq.html").elements]
    settings = [link for link in links if "?" in link]
    assert len(settings) >= 20
    pages = {link.partition("?")[0] for link in settings}
    assert len(pages) >= 2
    shown = {page: page_parts(site / page).ids for page in pages}
    for link in settings:
        page, _, rest = link.partition("?")
        query, _, figure = rest.partition("#")
        assert figure in shown[page]
        assert all(pair.startswith(f"{figure}.") for pair in query.split("&"))


def test_references_have_authors_a_year_and_a_titled_link_each(site: Path) -> None:
    parts = page_parts(site / "references.html")
    works = [attributes for tag, attributes in parts.elements if tag == "h3"]
    assert len(works) >= 20
    assert all(attributes["data-cite"][-4:].isdigit() for attributes in works)
