"""Output of the command line: how answers look on a terminal, and how in JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pysim import units

_WIDE: Final = 400


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the field it shows, its heading and its unit.

    "" is text, "count", "whole", "rate", "price", "flag" are no units, and "%" stands for a fraction.
    """

    field: str
    heading: str
    unit: str = ""


def print_json(answer: object) -> None:
    """Print an answer for programs: SI units, null where there is no value."""
    print(json.dumps(plain(answer), indent=2, ensure_ascii=False, allow_nan=False))


def print_csv(rows: Iterable[Mapping[str, object]], fields: Sequence[str]) -> None:
    """Print rows as CSV: SI units, nothing where there is no value."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(fields)
    for row in rows:
        writer.writerow(["" if (value := plain(row.get(field))) is None else value for field in fields])
    sys.stdout.write(page.getvalue())


def print_table(rows: Iterable[Mapping[str, object]], columns: Sequence[Column], *, upright: bool = False) -> None:
    """Print rows for people; `upright` shows one row as lines of name and value."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    on_terminal = sys.stdout.isatty()
    # A pipe has no width: nothing is cut there. Written at the end and not by rich, which would end
    # the process itself when nobody reads on.
    page = io.StringIO()
    width = shutil.get_terminal_size().columns if on_terminal else _WIDE
    console = Console(file=page, force_terminal=on_terminal, highlight=False, width=width)
    if upright:
        table = Table(show_header=False, box=None)
        for row in rows:
            for column in columns:
                table.add_row(Text(column.heading, style="bold"), Text(shown(row.get(column.field), column.unit)))
    else:
        table = Table(box=None, header_style="bold")
        for column in columns:
            table.add_column(column.heading, justify="right" if column.unit else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(shown(row.get(column.field), column.unit)) for column in columns))
    console.print(table)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines()))


def shown(value: object, unit: str) -> str:
    """One cell."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if unit == "flag":
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    if unit == "count":
        return _count(value)
    if unit == "%":
        return f"{value:.1%}"
    if unit in ("rate", "price"):
        return f"{value:,.3g}"
    if unit == "whole":
        return f"{value:,.0f}"
    if unit == "GiB":
        return units.show(value, "B", binary=True)
    return units.show(value, unit, digits=3) if unit else str(value)


def _count(value: float) -> str:
    for factor, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M")):
        if value >= factor:
            return f"{value / factor:.4g}{letter}"
    return f"{value:,.0f}"


def plain(value: object) -> object:
    """An answer in what JSON has: mappings, lists, texts, numbers that are finite."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return str(value)
