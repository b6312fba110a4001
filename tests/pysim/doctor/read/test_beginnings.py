"""Is a long text's beginning enough where results stand close, and is nothing said that the whole would deny?"""

from __future__ import annotations

import pytest

from pysim.doctor.diagnose import diagnose
from pysim.doctor.find import all_readers, read
from pysim.doctor.read.long_logs import ENOUGH_RUNS, beginnings
from pysim.doctor.read.text import clean
from tests.pysim.doctor.samples import names, sample

SIZE = 140_000
ANSWER = "prefill: {}.5 tok/s, decode: 20.0 tok/s\n"
NOISE = "2025-06-01 10:00:00 INFO a request from 10.0.0.9 is done\n"


def repeated(text: str) -> str:
    return (text.rstrip("\n") + "\n") * (SIZE // len(text))


@pytest.mark.parametrize("name", names())
def test_what_a_beginning_says_the_whole_text_says_too(name: str) -> None:
    raw = repeated(sample(name))
    text = clean(raw)
    reading, whole = read(raw), {(run.tool, run.line) for reader in all_readers().values() for run in reader(text).runs}
    assert {(run.tool, run.line) for run in reading.runs} <= whole
    assert len(reading.runs) >= min(ENOUGH_RUNS, len(whole)) or not reading.gaps[-1].message.startswith("from here on")


def test_of_thousands_of_answers_the_first_are_read_and_the_rest_is_told() -> None:
    raw = "".join(ANSWER.format(100 + number) for number in range(10_000))
    reading = read(raw)
    assert ENOUGH_RUNS <= len(reading.runs) < 10_000
    assert [run.prefill_tokens_per_s for run in reading.runs] == [100.5 + at for at in range(len(reading.runs))]
    rest = reading.gaps[-1]
    # The answers are the lines 1 to 10,000, and the text's end is a line more.
    assert rest.line == reading.runs[-1].last_line + 1
    assert rest.message.startswith(f"{10_001 - rest.line + 1:,} lines from here on are not read")
    assert rest in diagnose(raw).gaps


def test_few_answers_are_read_wherever_they_stand_in_a_long_text() -> None:
    raw = NOISE * 2_000 + ANSWER.format(1) + NOISE * 2_000 + ANSWER.format(2)
    reading = read(raw)
    assert [run.prefill_tokens_per_s for run in reading.runs] == [1.5, 2.5]
    assert not reading.gaps


def test_a_name_that_stands_below_a_long_log_counts() -> None:
    raw = ANSWER.format(1) * 4_000 + "\nall of this on my RTX 4090"
    assert "4090" in (read(raw[-190_000:]).runs[0].setup.device or "")


def test_beginnings_end_with_a_line_and_are_at_most_half() -> None:
    text = clean(NOISE * 20_000)
    texts = list(beginnings(text))
    assert [len(beginning.plain) // (1 << 16) for beginning in texts] == [1, 4]
    for beginning in texts:
        assert len(beginning.numbers) == len(beginning.lines) == beginning.plain.count("\n") + 1
        assert beginning.plain.endswith("is done")
    assert not list(beginnings(clean("x" * 1_000_000)))
