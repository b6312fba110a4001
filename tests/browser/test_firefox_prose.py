"""Firefox: do explanations and questions work, also with what the style sheet alone can do?"""

from __future__ import annotations

from tests.tools.firefox_page import FirefoxPage, FirefoxVisits

LESSON = "lessons/prefill-and-decode.html"
ESCAPE = "\ue00c"
WORD = "[...document.querySelectorAll('a.term')].find(each => each.textContent === 'ridge point')"
TIP = f"{WORD}.parentElement.querySelector('.tip')"
# How far below the word its explanation begins, in lines, and whether it lies inside the window.
PLACE = f"""(() => {{
    const word = {WORD}.getBoundingClientRect(), tip = {TIP}.getBoundingClientRect();
    const lines = (tip.top - word.top) / word.height;
    return {{ lines, shown: tip.height > 0, inside: tip.left >= 0 && tip.right <= innerWidth }};
}})()"""


def stands_under_its_word(page: FirefoxPage) -> None:
    place = page.evaluate(PLACE)
    assert place["shown"]
    assert place["inside"]
    assert 0.5 < place["lines"] < 2


def test_an_explanation_shows_under_its_word_and_escape_puts_it_away(firefox_visit: FirefoxVisits) -> None:
    page = firefox_visit(LESSON)
    page.evaluate(f"{WORD}.focus()")
    stands_under_its_word(page)
    page.press(ESCAPE)
    page.wait_until(f"getComputedStyle({TIP}).display === 'none'")


def test_the_style_sheet_alone_puts_it_there_too(firefox_visit: FirefoxVisits) -> None:
    page = firefox_visit(LESSON)
    page.evaluate(f"{WORD}.focus()")
    page.evaluate(f"{TIP}.removeAttribute('style')")
    stands_under_its_word(page)


def test_a_question_shows_its_answer_in_the_place_kept_for_it(firefox_visit: FirefoxVisits) -> None:
    page = firefox_visit(LESSON)
    height = "document.querySelector('.predict').offsetHeight"
    visibility = "getComputedStyle(document.querySelector('.predict-answer')).visibility"
    before = page.evaluate(height)
    assert page.evaluate(visibility) == "hidden"
    page.evaluate("document.querySelector('.predict-right input').click()")
    page.evaluate("document.querySelector('.predict summary').click()")
    page.wait_until("document.querySelector('.predict [role=status]').textContent === 'Your guess was right.'")
    assert page.evaluate(visibility) == "visible"
    assert page.evaluate(height) == before
