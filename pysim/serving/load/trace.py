"""Traces of requests in any of the known forms; the file itself tells which one it has."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pysim.errors import BadValue
from pysim.serving.load import columns, mooncake
from pysim.serving.load.replay import Replay, read_requests
from pysim.serving.load.rows import Trace, trace_of


def read_trace(path: Path) -> Trace:
    """Read a trace: a CSV table, Mooncake's lines of JSON, or those that `pysim serve replay` reads.

    Raises BadValue naming the line and what is wrong, OSError where it can't be read.
    """
    match _form(path):
        case "table":
            return trace_of(columns.rows(path), path.name)
        case "mooncake":
            return trace_of(mooncake.rows(path), path.name)
    return Trace(requests=read_requests(path).requests, left_out={})


def read_replay(path: Path) -> Replay:
    """The same for a replay: with what was measured, where the file has it."""
    if _form(path) == "measured":
        return read_requests(path)
    return Replay(requests=read_trace(path).requests, measured={})


def _form(path: Path) -> Literal["table", "mooncake", "measured"]:
    start = _beginning(path).lstrip()
    if not start.startswith(("{", "[")) and "," in start.partition("\n")[0]:
        return "table"
    return "mooncake" if '"input_length"' in start or '"hash_ids"' in start else "measured"


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(4096)
    if b"\x00" in start:
        raise BadValue(f"{path.name} is not text: it contains zero bytes")
    return start.decode("utf-8-sig", errors="replace")
