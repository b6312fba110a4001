"""Does every given value end up right, or in one clear message?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demos.kit.declare.controls import Choice, Option, Slider, Switch, Text, check, start_values

CONTROLS = (
    Choice(
        name="example",
        label="Example",
        start="short",
        options=(
            Option(value="short", label="Short", fills={"prompt": "hi"}),
            Option(value="long", label="Long", fills={"prompt": "hello there"}),
            Option(value="own", label="Your own"),
        ),
        otherwise="own",
    ),
    Text(name="prompt", label="Prompt", start="", limit=20),
    Slider(name="tokens", label="Tokens", start=8, low=0, high=512),
    Slider(name="chance", label="Chance", start=0.7, low=0, high=1, step=0.01),
    Switch(name="reserve", label="Reserve", start=False),
)


def test_start_values_fill_what_the_chosen_example_fills() -> None:
    expected = {"example": "short", "prompt": "hi", "tokens": 8, "chance": 0.7, "reserve": False}
    assert start_values(CONTROLS) == expected


def test_choosing_an_example_fills_the_prompt() -> None:
    assert check(CONTROLS, {"example": ["long"]}).values["prompt"] == "hello there"


def test_a_changed_prompt_makes_the_example_your_own() -> None:
    values = check(CONTROLS, {"example": ["long"], "prompt": ["other"]}).values
    assert (values["example"], values["prompt"]) == ("own", "other")


def test_a_prompt_alone_makes_the_example_your_own() -> None:
    assert check(CONTROLS, {"prompt": ["other"]}).values["example"] == "own"


def test_choosing_another_example_later_fills_again() -> None:
    before = check(CONTROLS, {"prompt": ["other"]}).values
    assert check(CONTROLS, {"example": ["long"]}, before).values["prompt"] == "hello there"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("tokens", "9999", 'Tokens: "9999" is out of range. Allowed: 0 to 512'),
        ("tokens", "-1", "out of range"),
        ("tokens", "1.5", "not a whole number"),
        ("tokens", "", "not a whole number"),
        ("tokens", "١٢", "not a whole number"),
        ("tokens", "1e3", "not a whole number"),
        ("tokens", "nan", "not a whole number"),
        ("chance", "inf", "not a number"),
        ("chance", "0.755", "between two steps"),
        ("example", "lnog", 'did you mean "long"?'),
        ("reserve", "yes", "neither true nor false"),
        ("prompt", "x" * 21, "the text has 21 characters. Allowed: up to 20 characters"),
        ("tokns", "3", 'there is no setting "tokns" here; did you mean "tokens"?'),
    ],
)
def test_a_bad_value_is_named_with_what_is_allowed_and_the_old_one_stays(name: str, text: str, message: str) -> None:
    checked = check(CONTROLS, {name: [text]})
    assert len(checked.problems) == 1
    assert message in checked.problems[0].message
    assert checked.values == start_values(CONTROLS)


def test_of_a_long_list_a_message_gives_the_nearest_name_and_the_length() -> None:
    names = [f"model-{number}" for number in range(57)]
    choice = Choice(
        name="model", label="Model", start=names[0], options=tuple(Option(value=name, label=name) for name in names)
    )
    (problem,) = check([choice], {"model": ["modle-31"]}).problems
    nearest = 'Model: "modle-31" is not among the choices; did you mean "model-31"?'
    assert problem.message == f"{nearest} Allowed: the 57 entries of the list. Kept: model-0"


def test_a_repeated_value_is_refused() -> None:
    checked = check(CONTROLS, {"tokens": ["3", "4"]})
    assert "given 2 times" in checked.problems[0].message
    assert checked.values["tokens"] == 8


def test_a_refused_value_keeps_what_was_shown_before() -> None:
    before = check(CONTROLS, {"tokens": ["3"]}).values
    assert check(CONTROLS, {"tokens": ["x"]}, before).values["tokens"] == 3


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_name_or_value_ever_raises_and_every_message_is_one_line(name: str, text: str) -> None:
    for problem in check(CONTROLS, {name: [text], "tokens": [text], "chance": [text]}).problems:
        assert "\n" not in problem.message
        assert len(problem.message) < 400


def test_ten_thousand_characters_give_a_short_message() -> None:
    (problem,) = check(CONTROLS, {"tokens": ["9" * 10_000]}).problems
    assert len(problem.message) < 300
    assert "(10,000 characters)" in problem.message
