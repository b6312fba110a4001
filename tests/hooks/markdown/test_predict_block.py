"""Does a question stand before a demo, complete without a script, and is every mistake in it told with its line?"""

from __future__ import annotations

import pytest
from markdown import Markdown
from markdown.extensions import Extension

from hooks.markdown.numbers import Numbers
from hooks.markdown.predict_block import Predictions
from tests.hooks.markdown.test_numbers import Listener

BLOCK = """```predict
question: How many *passes*?
a: One
b: Eight
answer: b
reason: >
  It takes `=passes(6, 8)`, one for each token.
```"""


def convert(text: str) -> tuple[str, Listener]:
    listener = Listener()
    extensions: list[str | Extension] = ["pymdownx.superfences", "admonition", Predictions(listener), Numbers(listener)]
    return Markdown(extensions=extensions).convert(text), listener


def test_a_question_has_its_choices_and_its_answer_behind_a_native_switch() -> None:
    html, listener = convert(f"before\n\n{BLOCK}\n\nafter")
    assert listener.problems == []
    assert html.index("before") < html.index("<fieldset") < html.index("<details") < html.index("after")
    assert html.count('type="radio"') == 2
    assert html.count('name="guess-3"') == 2
    assert "<span>How many <em>passes</em>?</span>" in html
    assert '<label class="predict-choice predict-right">' in html
    assert "<strong>Eight.</strong>" in html


def test_the_reason_computes_its_numbers() -> None:
    html, _ = convert(BLOCK)
    assert 'class="computed"' in html[html.index("predict-answer") :]


def test_two_questions_of_a_page_keep_their_choices_apart() -> None:
    html, _ = convert(f"{BLOCK}\n\n{BLOCK}")
    assert html.count('name="guess-1"') == html.count('name="guess-10"') == 2


def test_a_question_stands_in_an_admonition_too() -> None:
    html, _ = convert("!!! note\n\n" + "\n".join(f"    {line}" for line in BLOCK.split("\n")))
    assert html.index('class="admonition note"') < html.index('class="predict"')


def test_a_question_that_is_shown_as_code_stays_code() -> None:
    html, listener = convert(f"````\n{BLOCK}\n````")
    assert listener.problems == []
    assert "<fieldset" not in html


@pytest.mark.parametrize(
    ("wrong", "line", "told"),
    [
        (BLOCK.replace("answer: b", "answer: c"), 5, 'the answer "c" is not one of a, b'),
        (BLOCK.replace("question", "qestion"), 2, 'a question has no "qestion"; did you mean "question"?'),
        (BLOCK.replace("b: Eight\n", ""), 1, "at least the choices a and b"),
        (BLOCK.replace("reason: >\n  It takes `=passes(6, 8)`, one for each token.\n", ""), 1, "the line `reason: …`"),
        (BLOCK.replace("a: One", "a: [1]"), 3, 'the option "a" must be one number'),
        (BLOCK.replace("predict", "predict it"), 1, "a predict block has no name"),
        (BLOCK.replace("\n```", ""), 1, "this predict block is never closed"),
        (BLOCK.replace("passes(6", "pases(6"), 7, 'there is no fact "pases"'),
    ],
)
def test_a_mistake_is_told_at_its_line(wrong: str, line: int, told: str) -> None:
    _, listener = convert(wrong)
    assert [(at, told in message) for message, at in listener.problems] == [(line, True)]
