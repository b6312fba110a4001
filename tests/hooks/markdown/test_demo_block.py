"""Does a demo block draw wherever Markdown lets it stand, and only there?"""

from __future__ import annotations

from collections.abc import Mapping

from markdown import Markdown

from hooks.markdown.demo_block import DemoBlocks, DemoError
from hooks.markdown.options import Value

EXTENSIONS = [
    "admonition",
    "attr_list",
    "footnotes",
    "md_in_html",
    "tables",
    "pymdownx.details",
    "pymdownx.highlight",
    "pymdownx.superfences",
]
FIGURE = '<figure id="x"><p>drawn</p></figure>'


class Recorder:
    """Draws every demo as one fixed figure and notes what was asked and what was wrong."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, str, dict[str, Value], int]] = []
        self.problems: list[tuple[str, int]] = []

    def draw(self, demo_id: str, figure_id: str, options: Mapping[str, Value], line: int) -> str:
        if demo_id == "bad":
            raise DemoError(("first is wrong", "first"), ("all is wrong", None))
        self.drawn.append((demo_id, figure_id, dict(options), line))
        return FIGURE

    def problem(self, message: str, line: int) -> str:
        self.problems.append((message, line))
        return f"page.md:{line}: {message}"


def convert(text: str) -> tuple[str, Recorder]:
    recorder = Recorder()
    tabs = {"pymdownx.tabbed": {"alternate_style": True}}
    md = Markdown(extensions=[*EXTENSIONS, "pymdownx.tabbed", DemoBlocks(recorder)], extension_configs=tabs)
    return md.convert(text), recorder


def test_a_block_becomes_the_figure_with_its_options_and_line() -> None:
    html, recorder = convert("text\n\n```demo kv-memory\ncontext_tokens: 128000\nmodel: llama-3.1-8b\n```\n\nmore")
    assert html == f"<p>text</p>\n{FIGURE}\n<p>more</p>"
    options = {"context_tokens": 128000, "model": "llama-3.1-8b"}
    assert recorder.drawn == [("kv-memory", "kv-memory", options, 3)]


def test_the_id_is_the_figures_own_and_no_option_of_the_demo() -> None:
    _, recorder = convert("```demo one-pass\nid: second\nseed: 4\n```")
    assert recorder.drawn == [("one-pass", "second", {"seed": 4}, 1)]


def test_a_block_needs_no_empty_line_around_it() -> None:
    html, _ = convert("before\n```demo a\n```\nafter")
    assert html == f"<p>before</p>\n{FIGURE}\n<p>after</p>"


def test_the_same_demo_can_stand_twice() -> None:
    _, recorder = convert("```demo a\n```\n\n```demo a\nid: b\n```")
    assert [(figure, line) for _, figure, _, line in recorder.drawn] == [("a", 1), ("b", 4)]


def test_a_block_draws_inside_an_admonition() -> None:
    html, _ = convert('!!! note "Try it"\n\n    ```demo a\n    ```\n')
    assert html.startswith('<div class="admonition note">')
    assert html.index(FIGURE) < html.index("</div>")


def test_a_block_draws_inside_a_details_box() -> None:
    html, _ = convert('??? note "Try it"\n\n    ```demo a\n    ```\n')
    assert html.index("<details") < html.index(FIGURE) < html.index("</details>")


def test_a_block_draws_inside_tabs_and_in_each_of_them() -> None:
    html, recorder = convert('=== "One"\n\n    ```demo a\n    ```\n\n=== "Two"\n\n    ```demo b\n    ```\n')
    assert html.count(FIGURE) == 2
    assert html.index("tabbed-block") < html.index(FIGURE)
    assert [line for *_, line in recorder.drawn] == [3, 8]


def test_a_block_draws_inside_a_list_item() -> None:
    html, _ = convert("1. first\n\n    ```demo a\n    ```\n\n2. second")
    assert html.count("<ol>") == 1
    assert html.index("<li>") < html.index(FIGURE) < html.index("</li>")


def test_a_block_draws_inside_a_list_in_an_admonition() -> None:
    html, _ = convert("!!! note\n\n    - item\n\n        ```demo a\n        seed: 1\n        ```\n")
    assert html.index("<li>") < html.index(FIGURE) < html.index("</li>")


def test_a_block_draws_inside_a_quote() -> None:
    html, _ = convert("> said\n>\n> ```demo a\n> ```\n")
    assert html.index("<blockquote>") < html.index(FIGURE) < html.index("</blockquote>")


def test_a_block_draws_inside_html_that_takes_markdown() -> None:
    html, _ = convert("<div markdown>\n\n```demo a\n```\n\n</div>")
    assert html.index("<div>") < html.index(FIGURE) < html.index("</div>")


def test_a_block_shown_inside_a_longer_fence_stays_text() -> None:
    html, recorder = convert("````markdown\n```demo a\nseed: 1\n```\n````")
    assert "<code>" in html
    assert "```demo" in html
    assert (recorder.drawn, recorder.problems) == ([], [])


def test_a_block_in_an_indented_code_block_stays_text() -> None:
    html, recorder = convert("text\n\n    ```demo a\n    seed: <1>\n    ```\n\nmore")
    assert "```demo a" in html
    assert "&lt;1&gt;" in html
    assert "<figure" not in html
    assert (recorder.drawn, recorder.problems) == ([], [])


def test_a_block_in_a_comment_is_not_drawn() -> None:
    _, recorder = convert("<!--\n```demo a\n```\n-->")
    assert (recorder.drawn, recorder.problems) == ([], [])


def test_a_longer_word_that_begins_like_the_block_is_another_language() -> None:
    html, recorder = convert("```demonstration\nx\n```")
    assert "<code>" in html
    assert (recorder.drawn, recorder.problems) == ([], [])


def test_every_wrong_option_is_told_at_its_own_line_and_the_rest_at_the_blocks() -> None:
    html, recorder = convert("\n\n```demo bad\nsecond: 1\nfirst: 2\n```")
    assert recorder.problems == [("first is wrong", 5), ("all is wrong", 3)]
    assert html.count("<p>page.md:") == 2


def test_a_wrong_block_is_told_and_shown_in_its_place_as_text() -> None:
    html, recorder = convert("before\n\n```demo <script>alert(1)</script> x\n```\n\nafter")
    assert [line for _, line in recorder.problems] == [3]
    assert "<script>" not in html
    assert html.index("before") < html.index('class="demo-problem"') < html.index("after")


def test_a_block_without_a_name_an_unclosed_one_and_one_beside_a_bullet_are_told() -> None:
    _, recorder = convert("```demo\n```\n\n- ```demo a\n\ntext\n\n```demo b\nseed: 1\n")
    assert sorted(line for _, line in recorder.problems) == [1, 4, 8]
    assert recorder.drawn == []


def test_an_id_that_no_address_can_carry_is_told_at_its_line() -> None:
    _, recorder = convert("```demo a\nseed: 1\nid: two.words\n```")
    assert recorder.problems == [("the id must be a letter followed by letters, digits, - and _", 3)]
