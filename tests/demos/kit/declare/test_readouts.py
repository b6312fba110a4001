"""Readouts: declared ones only, of the declared kind, in a known unit."""

import pytest

from demos.kit.declare.readouts import Missing, Readout, readouts
from tests.demos.reading import read


def test_a_missing_value_says_none_and_why() -> None:
    declared = [Readout(name="tpot_s", label="Per token", unit="s")]
    html = readouts(declared, {"tpot_s": Missing("one token has no gap")}).safe_str
    frame = read(html)
    assert frame.outputs == {"tpot_s": "none"}
    assert "one token has no gap" in frame.text


def test_readouts_must_be_exactly_the_declared_ones() -> None:
    with pytest.raises(ValueError, match="extra"):
        readouts([], {"extra": 1})


def test_a_text_readout_takes_declared_texts_only() -> None:
    declared = [Readout(name="bound", label="Bound by", texts={"memory": "memory"})]
    with pytest.raises(ValueError, match="may be memory"):
        readouts(declared, {"bound": "mermory"})
