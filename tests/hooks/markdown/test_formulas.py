"""Are formulas set when the page is built, and is a broken one told with its line?"""

from __future__ import annotations

import io

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from markdown import Markdown

from hooks.assets.fonts import characters, cut, cut_css
from hooks.assets.vendor import module_file
from hooks.markdown.formulas import Formula, Formulas, typeset


class Listener:
    def __init__(self) -> None:
        self.problems: list[tuple[str, int]] = []

    def problem(self, message: str, line: int) -> str:
        self.problems.append((message, line))
        return f"page.md:{line}: {message}"


def convert(text: str) -> tuple[str, Listener]:
    listener = Listener()
    md = Markdown(
        extensions=["pymdownx.arithmatex", "pymdownx.superfences", Formulas(listener, {})],
        extension_configs={"pymdownx.arithmatex": {"generic": True}},
    )
    return md.convert(text), listener


def test_a_formula_comes_as_html_and_mathml_with_its_tex_kept() -> None:
    html, listener = convert(r"Rows: $P + N - 1$.")
    assert 'class="katex-html" aria-hidden="true"' in html
    assert "<math xmlns=" in html
    assert '<annotation encoding="application/x-tex">P + N - 1</annotation>' in html
    assert listener.problems == []


def test_a_formula_on_lines_of_its_own_is_set_as_a_display() -> None:
    html, _ = convert("$$\n\\frac{q K^\\top}{\\sqrt{d}}\n$$")
    assert '<div class="formula formula-display" data-search-exclude="">' in html
    assert "katex-display" in html


@pytest.mark.parametrize("tex", ["a < b", "a & b", "x > 0"])
def test_signs_that_html_uses_reach_the_setter_as_the_author_wrote_them(tex: str) -> None:
    block = rf"\begin{{matrix}} {tex} \end{{matrix}}"
    _, listener = convert(f"$$\n{block}\n$$")
    assert listener.problems == []


def test_a_dollar_amount_and_dollars_in_code_are_no_formulas() -> None:
    html, _ = convert("It costs $5 or $6. `$x$`")
    assert "katex" not in html


def test_a_broken_formula_is_told_at_its_line_and_shown_in_place() -> None:
    html, listener = convert("fine $a$\n\nbroken $\\frac{1$ here\n\n$$\n\\nosuch{2}\n$$")
    assert [line for _, line in listener.problems] == [3, 6]
    assert html.count('class="demo-problem"') == 2
    assert "\\nosuch" in listener.problems[1][0]


def test_one_call_sets_many_formulas_and_remembers_them() -> None:
    memory: dict[str, object] = {}
    asked = [Formula(tex="a", display=False), Formula(tex="b", display=True), Formula(tex="a", display=False)]
    first = typeset(asked, memory)
    assert [each.error for each in first] == ["", "", ""]
    assert first[0] == first[2] != first[1]
    assert len(memory) == 2
    assert typeset(asked, memory) == first


def test_the_style_sheet_asks_for_no_font_file_that_the_site_does_not_ship() -> None:
    css = 'src:url(fonts/A.woff2) format("woff2"),url(fonts/A.woff) format("woff"),url(fonts/A.ttf) format("truetype")'
    assert cut_css(css) == 'src:url(fonts/A.woff) format("woff")'


def test_a_font_keeps_the_characters_of_formulas_and_loses_all_others() -> None:
    memory: dict[str, object] = {}
    (done,) = typeset([Formula(tex="n \\ge 1", display=False)], memory)
    assert characters([done.html]) == "1n≥\N{ZERO WIDTH SPACE}" or characters([done.html]) == "1n≥"
    content = cut(module_file("katex/dist/fonts/KaTeX_Main-Regular.ttf"), "1≥")
    assert set(TTFont(io.BytesIO(content)).getBestCmap()) == {ord("1"), ord("≥")}
    assert len(content) < 4000 < module_file("katex/dist/fonts/KaTeX_Main-Regular.woff2").stat().st_size


def test_equal_characters_give_equal_fonts() -> None:
    path = module_file("katex/dist/fonts/KaTeX_Size1-Regular.ttf")
    assert cut(path, "()") == cut(path, ")(")
