"""Are a demo block's options read as they look, and is every mistake told with its line?"""

from __future__ import annotations

import pytest

from hooks.markdown.options import OptionError, read_options


def read(text: str) -> dict[str, object]:
    return {option.name: option.value for option in read_options(text.split("\n"))}


def refused(text: str) -> tuple[str, int]:
    with pytest.raises(OptionError) as caught:
        read_options(text.split("\n"))
    return str(caught.value), caught.value.line


def test_numbers_texts_and_switches_have_their_kinds() -> None:
    assert read('a: 12\nb: 0.5\nc: true\nd: text\ne: "12"\nf: 1e3\ng: -4') == {
        "a": 12,
        "b": 0.5,
        "c": True,
        "d": "text",
        "e": "12",
        "f": 1000.0,
        "g": -4,
    }


@pytest.mark.parametrize("text", ["on", "off", "yes", "no", "12:30", "2026-01-01", "0x1F", "1_000", "True"])
def test_what_older_yaml_turns_into_something_else_stays_the_text_that_it_is(text: str) -> None:
    assert read(f"a: {text}") == {"a": text}


def test_a_leading_zero_is_no_octal_number() -> None:
    assert read("a: 010") == {"a": 10}


def test_no_options_and_only_a_comment_are_both_fine() -> None:
    assert read("") == {}
    assert read("# nothing yet") == {}


def test_an_option_given_twice_is_refused_at_its_second_line() -> None:
    assert refused("a: 1\nb: 2\na: 3") == ('the option "a" is given twice', 2)


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        ("- a\n- b", "not a list", 0),
        ("just words", 'not the text "just words"', 0),
        ("a: 1\nb: [1, 2]", 'the option "b" must be one number, text, true or false, not a list', 1),
        ("a:\n  b: 1", "not a mapping", 0),
        ("a: 1\nb:", 'the option "b" has no value', 1),
        ("a: 1\nb: ~", 'the option "b" has no value', 1),
        ("? [a]\n: 1", "an option's name must be a single word", 0),
        ("a: 1\n b: 2", "not valid YAML", 1),
        ("a: 'open", "not valid YAML", 0),
        ("a: 1\n\tb: 2", "not valid YAML", 1),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, said: str, line: int) -> None:
    message, at = refused(text)
    assert said in message
    assert at == line
