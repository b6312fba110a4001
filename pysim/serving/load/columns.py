"""Traces as CSV tables: Azure's, BurstGPT's, and others whose columns have one of the usual names.

Azure 2023 and 2024: TIMESTAMP (a date and time), ContextTokens, GeneratedTokens
(github.com/Azure/AzurePublicDataset). BurstGPT: Timestamp (s), Request tokens, Response tokens, and, in its later
form, Session ID and Elapsed time; requests whose answer is empty have failed (github.com/HPMLL/BurstGPT). ServeGen's
generator and others write seconds and tokens under other names.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from pysim.errors import BadValue, quoted
from pysim.serving.load.rows import Row, Skipped, tokens_of

# In lower case, without spaces and underscores.
TIMES: Final = ("timestamp", "arrivaltime", "arrivedat", "arrivals", "time", "timestamps")
MILLISECONDS: Final = ("timestampms", "arrivaltimems")
PROMPTS: Final = (
    "contexttokens", "requesttokens", "inputtokens", "inputlength", "prompttokens", "numprefilltokens", "inputtoks",
)  # fmt: skip
ANSWERS: Final = (
    "generatedtokens", "responsetokens", "outputtokens", "outputlength", "completiontokens", "numdecodetokens",
    "outputtoks",
)  # fmt: skip
SESSIONS: Final = ("sessionid", "session", "chatid")


def rows(path: Path) -> Iterator[Row | Skipped]:
    """The rows of a table; raises BadValue naming the line and what is wrong, OSError where it can't be read."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restval="")
        try:
            columns = _columns(path.name, reader.fieldnames or ())
            for row in reader:
                where = f"{path.name}, line {reader.line_num}"
                answer = row[columns["answer"]].strip()
                if answer in ("0", "0.0"):
                    yield Skipped(reason="answers of no tokens, as failed requests have")
                    continue
                yield Row(
                    arrive_s=_seconds(row[columns["time"]].strip(), where, columns["time"]) * _unit(columns["time"]),
                    prompt_tokens=tokens_of(_number(row[columns["prompt"]]), columns["prompt"], where),
                    output_tokens=tokens_of(_number(answer), columns["answer"], where),
                    session=row.get(columns["session"], "") or None,
                )
        except (csv.Error, UnicodeDecodeError) as error:
            raise BadValue(f"{path.name} is not a CSV table in UTF-8: {error}") from error


def _columns(name: str, header: Mapping[str, str] | tuple[str, ...] | list[str] | object) -> dict[str, str]:
    given = {_plain(column): column for column in (header if isinstance(header, list | tuple) else ())}
    wanted = {"time": (*TIMES, *MILLISECONDS), "prompt": PROMPTS, "answer": ANSWERS, "session": SESSIONS}
    found = {kind: next((given[each] for each in names if each in given), "") for kind, names in wanted.items()}
    missing = [f"{kind} (such as {wanted[kind][0]})" for kind in ("time", "prompt", "answer") if not found[kind]]
    if missing:
        raise BadValue(f"{name}: no column for {' and '.join(missing)}; its first line must name the columns")
    return found


def _plain(column: str | None) -> str:
    return (column or "").lower().replace(" ", "").replace("_", "")


def _unit(column: str) -> float:
    return 1e-3 if _plain(column) in MILLISECONDS else 1.0


def _seconds(text: str, where: str, column: str) -> float:
    try:
        value = float(text)
    except ValueError:
        try:
            # Azure writes seven digits of a second; Python reads six.
            head, dot, digits = text.partition(".")
            value = datetime.fromisoformat(head + dot + digits[:6] if dot else head).timestamp()
        except (ValueError, OverflowError, OSError):
            raise BadValue(f"{where}: {column} {quoted(text, 30)} is not seconds, nor a date and time") from None
    if not math.isfinite(value) or value < 0:
        raise BadValue(f"{where}: {column} {quoted(text, 30)} is not a number of seconds from 0 up")
    return value


def _number(text: str) -> object:
    try:
        value = float(text)
    except ValueError:
        return text
    return int(value) if math.isfinite(value) and value.is_integer() else text
