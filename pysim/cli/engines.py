"""`pysim engines`: the engines in the catalog, and the command that times both phases with each."""

from __future__ import annotations

import argparse

from pysim.cli.inputs import answer, with_words
from pysim.cli.output import Column
from pysim.engines.constants import constants
from pysim.engines.engine import Engine
from pysim.engines.load import engine_keys, load_engine


def engines(asked: argparse.Namespace) -> None:
    """List the engines in the catalog."""
    measured = constants()["engines"]
    names = measured if isinstance(measured, list) else []
    named = [(engine, (engine.key, engine.name, *engine.also)) for engine in map(load_engine, engine_keys())]
    rows = [_row(engine, names) for engine in with_words("engine", asked.words, named)]
    columns = (
        Column("key", "engine"),
        Column("name", "name"),
        Column("measured_as", "measured as"),
        Column("split", "several devices share"),
        Column("what", "what it does"),
        Column("command", "times both phases"),
    )
    answer(asked, rows, columns)


def _row(engine: Engine, measured: list[object]) -> dict[str, object]:
    rule = engine.reservation
    return {
        "key": engine.key,
        "name": engine.name,
        "also": list(engine.also),
        "what": engine.what,
        "built_on": list(engine.built_on),
        "measured_as": engine.measured_as if engine.measured_as in measured else None,
        "split": engine.split,
        "backends": list(engine.backends),
        "default_context": engine.default_context,
        "default_context_tokens": engine.default_context_tokens,
        "reserves": None if rule is None else rule.note,
        "block_tokens": engine.block_tokens,
        "chunk_tokens": engine.chunk_tokens,
        "pads": engine.pads,
        "speculates": engine.speculates,
        "command": engine.command,
        "look_for": list(engine.look_for),
        "sources": list(engine.sources),
    }
