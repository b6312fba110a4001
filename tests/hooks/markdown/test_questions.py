"""Are the questions of the FAQ folded, linkable and told to search engines, and is every mistake told with its line?"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from markdown import Markdown

from hooks.markdown.questions import Questions, unlinked
from hooks.pages.faq import answered, structured_data
from hooks.paths import ROOT
from tests.hooks.test_offline import PAGE_BUDGET_BYTES, files_of_page, sent_bytes

ANSWER = "Because.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nMore in [it](lessons/it.md)."
ALSO = "\n\nAlso asked as: what for\n{ .also-asked }\n"
LINK = "\n\n[More](lessons/it.md)"
QUESTION = f"### Why? {{ #why }}\n\n{ANSWER}{ALSO}"


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
        html.index(each) for each in ('id="why"', "Because.", "qa-copy", "<details", "More in", "</details>", "Also")
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
    ("broken", "line", "message"),
    [
        (f"## Group\n\n### Why?\n\nBecause.{LINK}{ALSO}", 3, "this question needs its own id"),
        (f"### Why? {{ #why }}\n\nBecause.{LINK}\n", 1, "a line `Also asked as: …`"),
        (f"{QUESTION}\n### B? {{ #b }}\n\n| a |\n|---|{LINK}{ALSO}", 14, "a sentence that answers"),
        (f"### Why {{ #why }}\n\nBecause.{LINK}{ALSO}", 1, "a question mark"),
        (f"### Why? {{ #why }}\n\nBecause{LINK}{ALSO}", 1, "a period at its end"),
        (f"### Why? {{ #why }}\n\nBecause.\n\nMore.{ALSO}", 1, "a link to the lesson"),
    ],
    ids=["no id", "no other words", "no answer", "no question", "no sentence", "no lesson"],
)
def test_an_unfinished_question_is_told_at_its_line(broken: str, line: int, message: str) -> None:
    ((told, at),) = convert(broken)[1].problems
    assert at == line
    assert message in told


def test_a_generated_id_is_no_promise() -> None:
    assert [line for _, line in unlinked("### Kept? { #kept }\n\n### Lost?")] == [3]


def test_the_data_holds_what_a_reader_sees_and_no_explanation_on_demand() -> None:
    html, _ = convert(
        QUESTION.replace("More in [it](lessons/it.md).", 'More <span>8<small class="tip">a story</small></span>.')
    )
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


def test_every_question_of_the_page_is_told_to_search_engines_with_its_answer(site: Path) -> None:
    text = (site / "faq.html").read_text(encoding="utf-8")
    data = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    assert data
    entries = json.loads(data[1])["mainEntity"]
    asked = re.findall(r"^### (.+?) \{", (ROOT / "docs" / "faq.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [entry["name"].split()[0] for entry in entries] == [question.split()[0] for question in asked]
    assert [entry.question_id for entry in answered(text)] == re.findall(r'data-copy="([^"]+)"', text)
    assert all(re.search(r"[.]\n", entry["acceptedAnswer"]["text"]) for entry in entries)


@pytest.mark.parametrize("address", ["faq.html", "notes/prefill-and-decode.html", "references.html"])
def test_a_page_of_reference_is_as_light_as_a_lesson(site: Path, address: str) -> None:
    files = files_of_page(site, site / address)
    assert not [path for path in files if "python" in path.relative_to(site).parts]
    assert sum(sent_bytes(path) for path in files) <= PAGE_BUDGET_BYTES
