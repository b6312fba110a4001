"""How fast, how small and how steady is everything, beside what is promised?

Prints a table, writes the same as JSON, and fails if a bound is broken.
"""

from __future__ import annotations

import importlib
import json
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from hooks.paths import ROOT
from tests.bench.row import Row

RESULT = ROOT / "build" / "bench.json"


def subjects() -> list[str]:
    """Every `tests/bench/bench_<subject>.py`; a new file is run without being listed."""
    return sorted(path.stem.removeprefix("bench_") for path in (ROOT / "tests" / "bench").glob("bench_*.py"))


def measured(wanted: list[str], console: Console) -> Iterator[tuple[str, Row]]:
    for subject in wanted:
        with console.status(f"measuring: {subject}"):
            rows = importlib.import_module(f"tests.bench.bench_{subject}").rows()
        yield from ((subject, row) for row in rows)


def shown(value: float, unit: str) -> str:
    """A value as a person reads it: times in ms, sizes in MB or KiB as the bounds are given."""
    match unit:
        case "s":
            return f"{value * 1e3:.3g} ms" if value < 10 else f"{value:.1f} s"
        case "B":
            return f"{value / 1e6:.2f} MB" if value >= 1e6 else f"{value / 1024:.1f} KiB"
        case "ratio":
            return f"{value:.3f}"
        case _:
            return f"{value:,.6g}"


def table(rows: list[tuple[str, Row]]) -> Table:
    drawn = Table("subject", "what", title="Measured on this machine", title_justify="left")
    drawn.add_column("value", justify="right")
    drawn.add_column("bound", justify="right")
    drawn.add_column("")
    drawn.add_column("note", style="dim")
    for subject, row in rows:
        bound = "" if row.bound is None else f"≤ {shown(row.bound, row.unit)}"
        verdict = "" if row.bound is None else "[green]holds[/]" if row.holds else "[red]broken[/]"
        drawn.add_row(subject, row.what, shown(row.value, row.unit), bound, verdict, row.note)
    return drawn


def main() -> None:
    """`python -m tests.tools.bench [subject ...]`."""
    known = subjects()
    wanted = sys.argv[1:] or known
    if unknown := set(wanted) - set(known):
        sys.exit(f"no benchmark named {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    # Where nobody's terminal sets a width (a log, CI), one row stays one line.
    console = Console(width=None if sys.stdout.isatty() else 200)
    rows = list(measured(wanted, console))
    console.print(table(rows))
    RESULT.parent.mkdir(exist_ok=True)
    machine = {"system": platform.platform(), "python": platform.python_version()}
    found = [{"subject": subject, **asdict(row), "holds": row.holds} for subject, row in rows]
    RESULT.write_text(json.dumps({"machine": machine, "rows": found}, indent=1) + "\n")
    console.print(f"written to {RESULT.relative_to(ROOT)}")
    broken = [row.what for _, row in rows if not row.holds]
    if broken:
        sys.exit(f"{len(broken)} of {len(rows)} broken: {'; '.join(broken)}")


if __name__ == "__main__":
    main()
