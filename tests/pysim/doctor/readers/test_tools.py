"""Does each reader have a sample, and name every tool that it reads?"""

from __future__ import annotations

import pytest

from pysim.doctor.find import all_readers, programs, tools
from pysim.doctor.read.text import clean
from tests.pysim.doctor.samples import names, sample


@pytest.mark.parametrize("reader", all_readers())
def test_a_reader_has_a_sample_and_names_every_tool_that_it_reads(reader: str) -> None:
    found = {run.tool for name in names() for run in all_readers()[reader](clean(sample(name))).runs}
    assert found, f"no sample of {reader}"
    assert found <= set(tools(reader))


def test_programs_are_named_once_in_alphabetical_order() -> None:
    assert list(programs()) == sorted(set(programs()), key=str.casefold)
    assert {"ollama", "vLLM", "llama-bench", "MLX-LM"} <= set(programs())
