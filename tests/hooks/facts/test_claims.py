"""Are claims that age dated and sourced, printed with both, and listed when they are older than a year?"""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from demos.kit.facts.expression import NumberError
from hooks.facts.claims import aged, claimed, claims
from pysim.engines.load import find_engine


def test_every_claim_has_a_day_that_was_and_an_address() -> None:
    for claim in claims().values():
        assert claim.looked_up <= date.today(), claim.key
        assert all(each.startswith("https://") for each in claim.source.split(", ")), claim.key
        assert claim.text
        assert claim.what


def test_a_claim_is_old_a_year_after_it_was_looked_up() -> None:
    oldest = min(claim.looked_up for claim in claims().values())
    assert aged(oldest + timedelta(days=365)) == []
    assert {claim.looked_up for claim in aged(oldest + timedelta(days=366))} == {oldest}


def test_a_claim_tells_its_date_and_its_source() -> None:
    given = claimed('claim("vllm-gpu-memory")')
    assert given is not None
    assert given.text == "0.92"
    assert any(line.startswith("Looked up on ") for line in given.story)
    assert given.story[-1].startswith("Source: https://docs.vllm.ai/")


def test_a_claim_and_the_simulator_say_the_same() -> None:
    vllm = find_engine("vllm")
    assert vllm is not None
    assert claims()["vllm-gpu-memory"].text in str(vllm)


def test_an_unknown_claim_is_refused_with_the_nearest() -> None:
    with pytest.raises(NumberError, match=r'"vllm-gpu-memry"; did you mean "vllm-gpu-memory"'):
        claimed('claim("vllm-gpu-memry")')
    assert claimed("bandwidth(my_device)") is None
