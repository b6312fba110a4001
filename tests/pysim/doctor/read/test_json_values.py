"""Are the JSON objects of a text found, wherever and however broken they stand?"""

import math

import pytest

from pysim.doctor.read.json_values import MOST_DEPTH, JsonObject
from pysim.doctor.read.text import clean


def objects_of(raw: str) -> tuple[JsonObject, ...]:
    return clean(raw).objects


def values(raw: str) -> list[dict[str, object]]:
    return [entry.value for entry in objects_of(raw)]


def test_a_document_over_several_lines_is_one_object_with_its_lines() -> None:
    (one,) = objects_of('first\n{\n  "a": 1,\n  "b": [2, {"c": 3}]\n}\n')
    assert (one.value, one.line, one.last_line, one.whole) == ({"a": 1, "b": [2, {"c": 3}]}, 2, 5, True)


def test_objects_in_an_array_are_found_one_by_one() -> None:
    assert [(entry.value, entry.line) for entry in objects_of('[\n{"a": 1},\n{"a": 2}\n]')] == [
        ({"a": 1}, 2),
        ({"a": 2}, 3),
    ]


def test_an_object_after_a_logs_prefix_is_found() -> None:
    assert values('INFO [x] {not json} took 5 ms {"a": 1} done\ndata: {"b": 2}') == [{"a": 1}, {"b": 2}]


def test_lines_with_the_prefix_of_a_container_log_are_one_document() -> None:
    assert values('llama-1  | {\nllama-1  |   "a": 1\nllama-1  | }') == [{"a": 1}]


def test_bare_infinity_and_nan_are_read() -> None:
    (value,) = values('{"rate": Infinity, "itl": NaN}')
    assert value["rate"] == math.inf
    assert math.isnan(float(str(value["itl"])))


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ('{"a": 1, "b": {"c": 2, "d": 34', {"a": 1, "b": {"c": 2}}),
        ('{"a": 1, "b": [1, 2, {"c": 3}, {"d"', {"a": 1, "b": [1, 2, {"c": 3}]}),
        ('{"a": {"b": 1}, "te', {"a": {"b": 1}}),
        ('{"a": "x", "b": "half a sen', {"a": "x"}),
    ],
)
def test_a_cut_object_gives_what_stands_before_its_last_comma(raw: str, value: dict[str, object]) -> None:
    (one,) = objects_of(raw)
    assert (one.value, one.whole) == (value, False)


def test_a_number_that_may_have_lost_digits_is_not_taken() -> None:
    assert values('{"total_duration": 12') == []


def test_line_breaks_that_a_terminal_put_into_words_and_numbers_are_undone() -> None:
    (one, two) = objects_of('{"response": "good\nbye", "count": 1\n20}\n{"b": 2}')
    assert (one.value, one.line, one.last_line) == ({"response": "goodbye", "count": 120}, 1, 3)
    assert (two.value, two.line) == ({"b": 2}, 4)


def test_what_breaks_off_does_not_hide_what_follows() -> None:
    assert values('{"a": [1, 2}\n{"b": 3}') == [{"a": [1]}, {"b": 3}]
    assert values('{"a": "never closed\n{"b": 3}') == [{"b": 3}]
    assert values('{"a": nothing, "b": {"c": 4}} {"d": 5}') == [{"c": 4}, {"d": 5}]


def test_lines_that_a_viewer_cut_are_objects_each() -> None:
    assert [
        (entry.value, entry.line, entry.whole) for entry in objects_of('{"a": 1, "b": 2\n{"a": 3, "b": 4\n{"a": 5}')
    ] == [
        ({"a": 1}, 1, False),
        ({"a": 3}, 2, False),
        ({"a": 5}, 3, True),
    ]


def test_too_deep_nesting_is_left_out_and_what_follows_is_read() -> None:
    deep = MOST_DEPTH + 1
    assert values('{"a":' * deep + "1" + "}" * deep + '\n{"b": 2}')[-1] == {"b": 2}
    assert values('{"a":' + "[" * (MOST_DEPTH - 1) + "]" * (MOST_DEPTH - 1) + "}") != []
    assert values('{"a":' + "[" * 100_000) == []


def test_a_number_beyond_all_limits_is_no_error() -> None:
    assert values('{"a": ' + "9" * 10_000 + "}") == []
    assert values('{"a": 1e999}') == [{"a": math.inf}]
