"""Are arrays held to what single numbers are held to, and shapes that do not go together named?"""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from pysim import kv_cache_bytes, load_device, load_model
from pysim.arrays.numeric import checked
from pysim.deployment import Deployment
from pysim.errors import BadValue

ON = Deployment(load_model("llama-3.1-8b"), load_device("rtx-4090"))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (True, "True"), (np.True_, "truth values"), ([True, False], "truth values"), (1j, "complex numbers"),
        (np.array([1 + 2j]), "complex numbers"), ("5", "the text"), (["5", "6"], "texts"), ([1, "2"], "texts"),
        (np.array(["2026-01-01"], dtype="datetime64[D]"), "dates"),
        (np.array([3], dtype="timedelta64[s]"), "spans of time"), (datetime.date(2026, 1, 1), "a date"),
        ([b"5"], "bytes"), ([None], "a list"), ([[1], [1, 2]], "a list"), ({}, "a dict"), ([Decimal(5)], "a list"),
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused_in_an_array_as_alone(value: object, told: str) -> None:
    with pytest.raises(BadValue, match=f"tokens must be a number.*{told}"):
        checked(value, "tokens")
    with pytest.raises(BadValue, match=told):
        ON.estimate_many(prompt_tokens=value, output_tokens=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [[1, 2.5], np.array([1], dtype=np.uint8), [Fraction(3, 2)], (1, 2), np.float32(2)])
def test_numbers_of_any_kind_are_taken(value: object) -> None:
    assert np.asarray(checked(value, "tokens")).dtype.kind in "fi"


def test_shapes_that_do_not_broadcast_are_named() -> None:
    two, three = np.array([1, 2]), np.array([1, 2, 3])
    told = r"prompt_tokens of shape \(2,\) and output_tokens of shape \(3,\)"
    with pytest.raises(BadValue, match=told):
        ON.estimate_many(prompt_tokens=two, output_tokens=three)
    with pytest.raises(BadValue, match=r"chunk_tokens of shape \(3,\)"):
        ON.estimate_many(prompt_tokens=two, output_tokens=1, chunk_tokens=three)
    with pytest.raises(BadValue, match=r"new_tokens of shape \(2,\) and batch of shape \(3,\)"):
        ON.pass_cost_many(two, 5, three)
    with pytest.raises(BadValue, match=r"tokens of shape \(2,\) and sequences of shape \(3,\)"):
        kv_cache_bytes(ON.model, two, "f16", three)


def test_answers_without_decode_are_told_by_arrays_however_they_were_given() -> None:
    for output in (1, [1, 1, 1], np.array(1), 0):
        answer = ON.estimate_many(prompt_tokens=[1, 2, 3], output_tokens=output)  # type: ignore[arg-type]
        assert np.isnan(answer.tpot_s).tolist() == np.isnan(answer.decode_tokens_per_s).tolist() == [True] * 3
        assert answer.decode_bound.tolist() == ["none"] * 3
    mixed = ON.estimate_many(prompt_tokens=3, output_tokens=[1, 2])  # type: ignore[arg-type]
    assert mixed.decode_bound.tolist() == ["none", "memory"]
    assert np.isnan(mixed.tpot_s).tolist() == [True, False]
