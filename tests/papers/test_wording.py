"""Does the check of wording find each phrase of its list, with what to write, and nothing in what is quoted?"""

from __future__ import annotations

import pytest

from tests.tools.wording import BETTER, slips, slips_in

SAMPLES = [
    "the time of each further token",
    "a speed of its own",
    "as the data sheet says",
    "Said of a pass",
    "for its sake",
    "it lies in the host",
    "4 in place of 16",
    "beside the weights",
    "Whoever waits",
    "Hence chunks",
    "computed anew",
    "drawn towards zero",
    "the catalogue",
    "the colour",
    "recognised names",
]


@pytest.mark.parametrize("text", SAMPLES)
def test_a_phrase_is_found_with_its_line_and_a_better_one(text: str) -> None:
    found = list(slips_in(f"A line.\n{text}", "page.md"))
    assert found, text
    assert all(slip.line == 2 and slip.better in BETTER.values() for slip in found)


def test_names_code_and_addresses_are_no_prose() -> None:
    assert not list(slips_in("`datasheet`, ```\nanew\n``` and [x](https://colour.example/hence)", "page.md"))


def test_the_project_keeps_to_the_list() -> None:
    assert [str(slip) for slip in slips()] == []
