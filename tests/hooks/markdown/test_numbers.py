"""Are numbers in prose the simulator's, do they tell how they came about, and is every mistake told with its line?"""

from __future__ import annotations

import re

import pytest
from markdown import Markdown

from demos.kit.declare.machines import COMMON
from demos.kit.facts.expression import NumberError, asked, valued
from demos.kit.facts.fact import Fact, UnitError, combined, short_source
from hooks.facts.vocabulary import FACTS
from hooks.markdown.numbers import Numbers

EXTENSIONS = ["pymdownx.superfences", "pymdownx.inlinehilite", "pymdownx.highlight", "tables", "attr_list"]


class Listener:
    def __init__(self) -> None:
        self.problems: list[tuple[str, int]] = []

    def problem(self, message: str, line: int) -> str:
        self.problems.append((message, line))
        return f"page.md:{line}: {message}"


def convert(text: str) -> tuple[str, Listener]:
    listener = Listener()
    return Markdown(extensions=[*EXTENSIONS, Numbers(listener)]).convert(text), listener


def text_of(expression: str) -> str:
    return asked(expression, FACTS).text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        # Llama 3.1 8B: 32 layers × 2 (K, V) × 8 heads × 128 numbers × 2 B = 131,072 B; × 131,072 tokens = 16 × 2³⁰ B.
        ('kv_bytes_per_token("llama-3.1-8b") | 6', "131.072 kB"),
        ('kv_cache_bytes("llama-3.1-8b", 131072)', "17.18 GB"),
        ('kv_cache_bytes("llama-3.1-8b", 131072) | 3 GiB', "16.0 GiB"),
        # 8,030,261,248 parameters × 2 B; ÷ 131,072 B = 122,532.06: 122,533 tokens are the first to weigh as much.
        ('weights_bytes("llama-3.1-8b")', "16.06 GB"),
        ('equal_tokens("llama-3.1-8b")', "122,533 tokens"),
        ('equal_tokens("llama-3.1-8b") | 4', "122,500 tokens"),
        ('parameters("llama-3.1-8b") | 2 billion', "8 billion"),
        # Without a cache N·P + N(N − 1)/2, with one P + N − 1; 1 + (N − 1) passes, ⌈100/32⌉ + 7 of them with chunks.
        ("tokens_computed(6, 16, False)", "216"),
        ("tokens_computed(6, 16, True)", "21"),
        ("passes(6, 8)", "8"),
        ("passes(100, 8, 32)", "11"),
        # 165.2 TFLOP/s ÷ 1,008 GB/s = 163.9 FLOP/B; 27.2 ÷ 21.23 − 1 = 28%.
        ('peak("rtx-4090") / bandwidth("rtx-4090") | 3', "164 FLOP/B"),
        ('peak("apple-m2-ultra-76c") / peak("apple-m1-ultra-64c") - 1 | 2 percent', "28%"),
        ('bandwidth("rtx-4090") - bandwidth("rtx-4090")', "0 B/s"),
        ("passes(6, 8) / passes(6, 16) - 1 | percent", "\N{MINUS SIGN}50%"),
        # 16.06 GB ÷ 1,008 GB/s = 15.93 ms.
        ('weights_bytes("llama-3.1-8b") / bandwidth("rtx-4090")', "15.93 ms"),
        # (23.52 GiB − 16.06 GB − 0.76 GB) ÷ (500 × 131,072 B) = 128.6 conversations.
        ('held("llama-3.1-8b", "rtx-4090", 500)', "128"),
        # One token, f16: 2 FLOP for each weight of 2 B.
        ('intensity("llama-3.1-8b", "rtx-4090", 1) | 2 bare', "1"),
        ('decode_tokens_per_s("llama-3.1-8b", "rtx-4090", 6, 8, engine=None) * 2 | 2', "130 tokens/s"),
    ],
)
def test_a_number_is_what_the_arithmetic_gives(expression: str, shown: str) -> None:
    assert text_of(expression) == shown


def test_a_number_tells_its_formula_its_values_and_its_source() -> None:
    html, listener = convert('It takes `=kv_cache_bytes("llama-3.1-8b", 131072)` in all.')
    assert listener.problems == []
    assert re.search(r'class="computed" tabindex="0" aria-describedby="number-1">17.18\N{NO-BREAK SPACE}GB<', html)
    assert 'role="tooltip" id="number-1"' in html
    for part in ("conversations × tokens", "1 × 131,072 × 131,072 B", "Llama 3.1 8B", "Source: github.com/"):
        assert part in html


def test_a_quotient_puts_in_the_values_of_its_parts_and_names_both_sources_once() -> None:
    fact = valued('peak("rtx-4090") / bandwidth("rtx-4090")', FACTS)
    assert fact.inserted == "165.2 TFLOP/s ÷ 1.008 TB/s"
    assert fact.source.count("techpowerup.com") == 1
    assert fact.about == "NVIDIA GeForce RTX 4090"


@pytest.mark.parametrize(
    ("left", "symbol", "right", "unit"),
    [
        ("B", "÷", "B/s", "s"),
        ("FLOP", "÷", "FLOP/s", "s"),
        ("FLOP/s", "÷", "B/s", "FLOP/B"),
        ("B", "÷", "B", ""),
        ("B/s", "×", "s", "B"),
        ("s", "×", "", "s"),
        ("tokens", "−", "tokens", "tokens"),
    ],
)
def test_units_are_worked_out(left: str, symbol: str, right: str, unit: str) -> None:
    a, b = (Fact(value=2.0, unit=each, formula="f") for each in (left, right))
    assert combined(symbol, a, b).unit == unit


@pytest.mark.parametrize(
    ("left", "symbol", "right"), [("B", "+", "s"), ("B", "−", ""), ("s", "×", "s"), ("", "÷", "s")]
)
def test_units_that_do_not_go_together_are_an_error(left: str, symbol: str, right: str) -> None:
    a, b = (Fact(value=2.0, unit=each, formula="f") for each in (left, right))
    with pytest.raises(UnitError, match="has no unit here"):
        combined(symbol, a, b)


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ('wieghts_bytes("llama-3.1-8b")', 'there is no fact "wieghts_bytes"; did you mean "weights_bytes"?'),
        ('weights_bytes("lama-3.1-8b")', 'unknown model "lama-3.1-8b"; did you mean "llama-3.1-8b"'),
        ('weights_bytes("llama-3.1-8b"', "is not an expression"),
        ("passes(6, 8) / (passes(6, 8) - 8)", "divides by zero"),
        ('weights_bytes("llama-3.1-8b") + bandwidth("rtx-4090")', "B + B/s has no unit here"),
        ("passes(6)", "passes: "),
        ("1 + 1", "computes nothing"),
        ("passes(6, 8) ** 2", "is not allowed"),
        ("__import__('os').system('true')", "is not allowed"),
        ("passes(6, 8) | 12", '"12" is not a number format'),
        ('weights_bytes("llama-3.1-8b") | percent', "percent is a format for numbers without a unit, not for B"),
        ('measured("m0000", "decode_tok_s")', 'there is no measured row "m0000"'),
        ('measured("m0021", "price")', 'not "price"'),
        ('tpot_s("llama-3.1-8b", "rtx-4090", 6, 1)', "tpot_s does not exist for an answer of 1 tokens"),
        ("passes(" + "1" * 400 + ", 2)", "has 411 characters"),
    ],
)
def test_a_number_that_cannot_be_computed_says_why(expression: str, told: str) -> None:
    with pytest.raises(NumberError, match=re.escape(told)):
        asked(expression, FACTS)


def test_a_broken_number_is_told_at_its_line_and_shown_in_place_as_text() -> None:
    html, listener = convert("fine `=passes(6, 8)`\n\nbroken `=<b>(6)` here")
    assert [line for _, line in listener.problems] == [3]
    assert 'class="demo-problem"' in html
    assert "<b>" not in html


def test_code_that_only_looks_like_a_number_stays_code() -> None:
    html, listener = convert("```\nx `=passes(6, 8)`\n```\n\n    `=passes(6, 8)`\n\n``a `=passes(6, 8)` b`` \\`=x\\`")
    assert listener.problems == []
    assert 'class="computed"' not in html
    assert html.count("=passes(6, 8)") == 3


def test_a_long_number_may_go_on_in_the_next_line() -> None:
    html, listener = convert("a `=passes(6,\n8)` b\n`=pases(6,\n8)`")
    assert ">8</span>" in html
    assert [line for _, line in listener.problems] == [3]


def test_numbers_stand_in_tables() -> None:
    html, listener = convert("| a | b |\n|---|---|\n| x | `=passes(6, 8)` |")
    assert listener.problems == []
    assert "<td><span" in html


def test_an_address_as_a_source_is_shown_short() -> None:
    long = "https://github.com/owner/name/blob/abc/def/config.json (size)"
    assert short_source(long) == "github.com/owner/name … config.json (size)"
    assert short_source("https://example.org/a") == "example.org/a"
    assert short_source("a data sheet") == "a data sheet"


def test_published_measurements_are_shown_as_published() -> None:
    """Llama 2 7B Q8_0 under llama.cpp: M1 Ultra, 64 GPU cores, reads 1,042.95 and writes 59.87 tokens/s."""
    assert text_of('measured("m0021", "prefill_tok_s") | 4') == "1,043 tokens/s"
    assert text_of('measured("m0021", "decode_tok_s") | 3') == "59.9 tokens/s"
    assert text_of('measured("m0044", "decode_tok_s") / measured("m0021", "decode_tok_s") - 1 | 2 percent') == "11%"


def test_the_readers_machine_stands_for_its_model_device_and_format() -> None:
    assert text_of("weights_bytes(my_model, my_weights)") == text_of('weights_bytes("llama-3.1-8b", "q4_k_m")')
    on_a_mac = asked("bandwidth(my_device)", FACTS, COMMON["mac"])
    assert (
        on_a_mac.text
        == asked("bandwidth(mac_device)", FACTS).text
        == asked('bandwidth("apple-m4-pro-20c")', FACTS).text
    )
    assert asked("my_device_name", FACTS, COMMON["mac"]).text == "Apple M4 Pro 20-core GPU"


def test_what_is_of_the_readers_machine_carries_its_expression() -> None:
    html, listener = convert("At `=bandwidth(my_device) | 3` on `=my_device_name`, and `=bandwidth(mac_device)`.")
    assert listener.problems == []
    assert re.findall(r'data-asks="(.*?)"', html) == ["bandwidth(my_device) | 3", "my_device_name"]


def test_a_name_that_stands_for_nothing_is_refused_with_the_nearest() -> None:
    with pytest.raises(NumberError, match='"my_modle" is not defined; did you mean "my_model"'):
        valued("bandwidth(my_modle)", FACTS)
