"""Are the questions of the FAQ folded, linkable and told to search engines, and is every mistake told with its line?"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from markdown import Markdown

from hooks.markdown.questions import Questions, unlinked
from hooks.pages.faq import answered, structured_data
from tests.site.test_sizes import PAGE_BUDGET_BYTES, files_of_page, sent_bytes

ANSWER = "Because.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nMore."
QUESTION = f"### Why? {{ #why }}\n\n{ANSWER}\n\nAlso asked as: what for\n{{ .also-asked }}\n"
OF_THE_BRIEF = 3 + 3  # the common questions, and what the lesson answers
COLLECTED = 17


class Listener:
    def __init__(self) -> None:
        self.problems: list[tuple[str, int]] = []

    def problem(self, message: str, line: int) -> str:
        self.problems.append((message, line))
        return message


def convert(text: str, page: str = "faq.md") -> tuple[str, Listener]:
    listener = Listener()
    questions = Questions(listener, lambda: page)
    return Markdown(extensions=["attr_list", "tables", "toc", questions]).convert(text), listener


def test_the_short_answer_stands_open_and_the_rest_is_folded() -> None:
    html, listener = convert(QUESTION)
    assert listener.problems == []
    order = [
        html.index(each) for each in ('id="why"', "Because.", "qa-copy", "<details", "More.", "</details>", "Also")
    ]
    assert order == sorted(order)


def test_the_copy_button_says_of_which_question_it_is() -> None:
    html, _ = convert(QUESTION)
    assert (
        '<button aria-label="Copy link: Why?" class="qa-copy" data-copy="why" type="button">Copy link</button>' in html
    )


def test_other_pages_stay_as_they_are() -> None:
    assert "<details" not in convert(QUESTION, page="glossary.md")[0]


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        ("## Group\n\n### Why?\n\nBecause.\n\nAlso\n{ .also-asked }\n", 3),
        ("### Why? { #why }\n\nBecause.\n", 1),
        ("### A { #a }\n\nA.\n\nAlso\n{ .also-asked }\n\n### B { #b }\n\n| a |\n|---|\n\nAlso\n{ .also-asked }\n", 8),
    ],
    ids=["no id", "no other words", "no answer"],
)
def test_an_unfinished_question_is_told_at_its_line(broken: str, line: int) -> None:
    assert [at for _, at in convert(broken)[1].problems] == [line]


def test_a_generated_id_is_no_promise() -> None:
    assert [line for _, line in unlinked("### Kept? { #kept }\n\n### Lost?")] == [3]


def test_the_data_holds_what_a_reader_sees_and_no_explanation_on_demand() -> None:
    html, _ = convert(QUESTION.replace("More.", 'More <span>8<small class="tip">a story</small></span>.'))
    (found,) = answered(html)
    assert (found.question_id, found.question) == ("why", "Why?")
    assert found.text == "Because.\na · b\n1 · 2\nMore 8."


def test_the_data_cannot_end_its_script_element() -> None:
    html, _ = convert(QUESTION.replace("Because.", "Because `</script>`."))
    data = structured_data(html, "https://example.org/faq.html")
    assert "<" not in data
    answer = json.loads(data)["mainEntity"][0]["acceptedAnswer"]
    assert answer["url"] == "https://example.org/faq.html#why"
    assert answer["text"].startswith("Because </script>.")


def test_every_question_asked_has_an_answer_with_an_id_and_an_entry(site: Path) -> None:
    text = (site / "faq.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    assert found
    entries = json.loads(found[1])["mainEntity"]
    assert len(entries) == len(answered(text)) == OF_THE_BRIEF + COLLECTED
    assert text.count('class="qa-copy"') == len(entries)
    for entry in entries:
        assert entry["name"].endswith(("?", "right?"))
        assert re.search(r"[.]\n", entry["acceptedAnswer"]["text"])


def test_every_answer_leads_to_the_lesson_and_to_more_than_itself(site: Path) -> None:
    text = (site / "faq.html").read_text(encoding="utf-8")
    for block in text.split('<div class="qa">')[1:]:
        links = re.findall(r'href="([^"]+)"', block)
        assert any(link.startswith("lessons/prefill-and-decode.html") for link in links), block[:80]


@pytest.mark.parametrize("address", ["faq.html", "notes/prefill-and-decode.html", "references.html"])
def test_a_page_of_reference_is_as_light_as_a_lesson(site: Path, address: str) -> None:
    files = files_of_page(site, site / address)
    assert not [path for path in files if "python" in path.relative_to(site).parts]
    assert sum(sent_bytes(path) for path in files) <= PAGE_BUDGET_BYTES
