"""Are the fenced blocks of a Markdown text found, and those inside another left alone?"""

from __future__ import annotations

from hooks.markdown.fences import fences


def found(text: str) -> list[tuple[int, int | None, str]]:
    return [(fence.start, fence.end, fence.info) for fence in fences(text.split("\n"))]


def test_a_fence_reaches_from_its_opening_to_the_closing_line_of_equal_length() -> None:
    assert found("a\n```demo x\nk: 1\n```\nb") == [(1, 3, "demo x")]


def test_a_fence_inside_a_longer_one_is_no_fence_of_its_own() -> None:
    assert found("````markdown\n```demo x\n```\n````") == [(0, 3, "markdown")]


def test_a_shorter_run_does_not_close_a_fence() -> None:
    assert found("````demo x\n```\n````") == [(0, 2, "demo x")]


def test_tildes_fence_like_backticks_and_neither_closes_the_other() -> None:
    assert found("~~~demo x\n```\n~~~") == [(0, 2, "demo x")]


def test_a_fence_that_is_never_closed_has_no_end_and_hides_nothing_after_it() -> None:
    assert found("```demo x\ntext\n~~~\ncode\n~~~") == [(0, None, "demo x"), (2, 4, "")]


def test_an_indented_fence_gives_its_body_without_the_indent() -> None:
    (fence,) = fences(["- item", "", "    ```demo x", "    seed: 3", "", "    ```"])
    assert (fence.prefix, fence.body) == ("    ", ("seed: 3", ""))


def test_a_line_indented_less_than_its_fence_ends_the_search_for_a_closing_line() -> None:
    assert found("    ```demo x\nless\n    ```") == [(0, None, "demo x"), (2, None, "")]


def test_a_fence_in_a_quote_needs_the_quote_mark_on_every_line() -> None:
    (fence,) = fences(["> ```demo x", "> seed: 3", "> ```"])
    assert (fence.prefix, fence.body) == ("> ", ("seed: 3",))


def test_a_fence_in_an_html_comment_is_none() -> None:
    assert found("<!--\n```demo x\n```\n-->\n```demo y\n```") == [(4, 5, "demo y")]


def test_a_comment_closed_on_its_own_line_hides_nothing() -> None:
    assert found("<!-- note -->\n```demo x\n```") == [(1, 2, "demo x")]
