"""Does each reader have a sample, and name every tool that it reads?"""

from __future__ import annotations

import pytest

from pysim.doctor.find import all_readers, programs, tools
from pysim.doctor.read.text import clean
from pysim.engines.catalog_entry import tools_in_heads
from pysim.engines.load import find_engine, tool_engine
from tests.pysim.doctor.samples import names, sample


@pytest.mark.parametrize("reader", all_readers())
def test_a_reader_has_a_sample_and_names_every_tool_that_it_reads(reader: str) -> None:
    named = {run.tool for name in names() for run in all_readers()[reader](clean(sample(name))).runs}
    assert named, f"no sample of {reader}"
    assert named <= set(tools(reader))


@pytest.mark.parametrize("reader", all_readers())
def test_a_tool_that_is_called_as_an_engine_is_among_the_tools_of_that_engine(reader: str) -> None:
    for tool, program in tools(reader).items():
        engine = find_engine(program)
        assert engine is None or tool_engine(tool) == engine, f'engines/{engine.key}.toml: no "{tool}" among its tools'


def test_every_tool_of_an_engine_begins_the_name_of_one_that_a_reader_reads() -> None:
    read = [f"{tool.lower()} " for reader in all_readers() for tool in tools(reader)]
    unread = {start for start in tools_in_heads() if not any(tool.startswith(f"{start} ") for tool in read)}
    assert not unread


def test_programs_are_named_once_in_alphabetical_order() -> None:
    assert list(programs()) == sorted(set(programs()), key=str.casefold)
    assert {"ollama", "vLLM", "llama-bench", "MLX-LM"} <= set(programs())
