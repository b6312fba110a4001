"""Does a text without any tool's lines hold a table that somebody made by hand, with headings of known meaning?

One run for each row, or for each column where the rows are the figures. A row named like a test of llama-bench has a
run for each of its columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pysim.doctor.read.llama_cpp.bench_row import work_of
from pysim.doctor.read.numbers import NUMBER, number
from pysim.doctor.read.run import Latency, Run, RunKind, Setup
from pysim.doctor.read.tabular.heads import Head, head_of, is_phase_alone
from pysim.doctor.read.tabular.tables import rows

if TYPE_CHECKING:
    from pysim.doctor.read.tabular.row import TableRow
    from pysim.doctor.read.text import Text

TOOL: Final = "a table made by hand"
DOUBT: Final = "taken from a table made by hand, not from a tool's output: how it was measured is unknown"
_BATCH: Final = "the batch may be answers at once or tokens of a pass: the table doesn't say which"
_MOST_CHARACTERS: Final = 400_000
# Columns of llama.cpp's tools and of llama-benchy.
_OF_TOOLS: Final = frozenset({"params", "n_kv", "t_pp s", "s_pp t/s", "ttfr (ms)", "est_ppt (ms)"})
_MOST_RUNS: Final = 60
_VALUE: Final = re.compile(
    rf"[\s*`~≈_]{{0,6}}({NUMBER})(?:\s{{0,2}}(?:±|\+/?-)\s{{0,2}}[\d.,]{{1,12}})?\s{{0,2}}([kK](?![\w/]))?"
    r"\s{0,2}(ms|s|sec|t/s|tok/s|tokens?/s|tps|tokens?)?[\s*`_]{0,6}(?:\([^()]{0,40}\))?\s{0,4}\Z"
)
_COMMA: Final = re.compile(r"(\d{1,4}),(\d{1,2})(?!\d)")
_SAYS_RATE: Final = re.compile(r"\d[*`_]{0,3} ?(?:t|tok|tokens?)/s|\btps\b", re.IGNORECASE)
_POINTS: Final = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
_UNIT: Final = re.compile(r"\b(?:t|tok|tokens?) ?(?:/|per|a) ?s|\btps\b", re.IGNORECASE)
_WORDY: Final = re.compile(r"[^\W\d_]{2}")


def tabulated(text: Text) -> list[Run]:
    """The runs of all such tables of a text, none where it has none."""
    if len(text.plain) > _MOST_CHARACTERS:
        return []
    runs: list[Run] = []
    told = _UNIT.search(text.plain) is not None
    named = [row for row in text.once(rows) if row.header and len(row.cells) > 1 and not _is_tools(row)]
    for header, group in groupby(named, lambda row: row.header):
        table = list(group)
        if not told and any(map(is_phase_alone, (*header, *(row.cells[0] for row in table)))):
            continue
        runs += (
            _by_test(text, table) or _by_row(text, table) or _by_column(text, table, header) or _by_cell(text, table)
        )
    return runs if len(runs) <= _MOST_RUNS else runs[:_MOST_RUNS]


def _is_tools(row: TableRow) -> bool:
    """Is it a row of a tool's table that its reader did not take, or one that the text breaks off in?"""
    return row.broken or bool(_OF_TOOLS & {name.lower() for name in row.header})


def value_of(cell: str, unit: str, *, commas: bool = False) -> float | None:
    """The number of a cell in SI, None where it holds none or more than one; `commas`: decimals are behind commas."""
    if commas:
        cell = _POINTS.sub("", cell)
    match = _VALUE.match(_COMMA.sub(r"\1.\2", cell) if cell.count(",") == 1 else cell)
    value = None if match is None else number(match[1])
    if match is None or value is None or value <= 0:
        return None
    if match[2]:
        value *= 1024 if unit == "tokens" else 1000
    shown = (match[3] or "").lower()
    if unit in ("ms", "s") and shown in ("ms", "s", "sec"):
        unit = "ms" if shown == "ms" else "s"
    return value / 1000 if unit == "ms" else value


def _by_row(text: Text, table: Sequence[TableRow]) -> list[Run]:
    heads = [head_of(name) for name in table[0].header]
    if not any(head is not None and head.unit in ("rate", "ms", "s") for head in heads):
        return []
    runs: list[Run] = []
    for row in table:
        pairs = [(head, cell) for head, cell in zip(heads, row.cells, strict=False) if head is not None]
        named = [cell for head, cell in zip(heads, row.cells, strict=False) if head is None and _WORDY.search(cell)]
        names = [name for head, name in zip(heads, row.header, strict=False) if head is not None]
        for own, name in _of_each(pairs, names):
            runs += _runs_of(text, row, own, " ".join([*named, name])[:80].strip())
    return runs


def _of_each(pairs: Sequence[tuple[Head, str]], names: Sequence[str]) -> Iterator[tuple[list[tuple[Head, str]], str]]:
    """The cells of each run of a row: where several columns are one phase's speed, each makes a run.

    Of times the first column of a kind counts: the mean comes before the percentiles.
    """
    first: dict[Head, str] = {}
    again: list[tuple[Head, str, str]] = []
    heading: dict[Head, str] = {}
    for (head, cell), name in zip(pairs, names, strict=False):
        if head not in first:
            first[head], heading[head] = cell, name
        elif head.unit == "rate":
            again.append((head, cell, name))
    phases = {head for head, _, _ in again}
    yield list(first.items()), next((heading[head] for head in phases), "")
    rest = [(head, cell) for head, cell in first.items() if head.unit != "rate"]
    for head, cell, name in again:
        yield [*rest, (head, cell)], name


def _by_test(text: Text, table: Sequence[TableRow]) -> list[Run]:
    """Rows that are tests of llama-bench, columns that are builds or machines."""
    runs: list[Run] = []
    for row in table:
        work = work_of(row.cells[0].strip(" *`"))
        if work is None or "t/s" in (name.lower() for name in row.header):
            continue
        for name, cell in zip(row.header[1:], row.cells[1:], strict=False):
            value = value_of(cell, "rate")
            head = head_of(name)
            if value is None or "%" in name + cell or re.search(r"(?i)speed-?up|ratio|gain|diff|[Δx×]\Z", name):
                continue
            if head is not None and head.unit != "rate":
                continue
            kind: RunKind = "combined" if work.read and work.write else "prompt" if work.read else "generation"
            runs.append(
                Run(
                    tool=TOOL,
                    kind=kind,
                    line=text.lines[row.index].number,
                    last_line=text.lines[row.last_index].number,
                    label=f"{name}, {row.cells[0]}"[:80],
                    prompt_tokens=work.read or None,
                    output_tokens=work.write or None,
                    depth_tokens=work.depth,
                    sequences=1,
                    prefill_tokens_per_s=value if kind == "prompt" else None,
                    decode_tokens_per_s=value if kind == "generation" else None,
                    combined_tokens_per_s=value if kind == "combined" else None,
                    doubts=(DOUBT,),
                )
            )
    return runs


def _by_column(text: Text, table: Sequence[TableRow], header: tuple[str, ...]) -> list[Run]:
    """Rows that are figures, a column for each run."""
    heads = [head_of(row.cells[0]) for row in table]
    if sum(head is not None and head.unit in ("rate", "ms", "s") for head in heads) < 1 or len(table) < 2:
        return []
    runs: list[Run] = []
    for column in range(1, len(header)):
        pairs = [
            (head, row.cells[column])
            for head, row in zip(heads, table, strict=True)
            if head is not None and column < len(row.cells)
        ]
        if len({head for head, _ in pairs}) == len(pairs):
            runs += _runs_of(text, table[0], pairs, header[column][:80], last=table[-1])
    return runs


def _by_cell(text: Text, table: Sequence[TableRow]) -> list[Run]:
    """Cells that say their unit themselves, under headings that name machines, builds or settings."""
    runs: list[Run] = []
    for row in table:
        line, last_line = text.lines[row.index].number, text.lines[row.last_index].number
        for name, cell in zip(row.header[1:], row.cells[1:], strict=False):
            rate = value_of(cell, "rate") if _SAYS_RATE.search(cell) else None
            if rate is not None and head_of(name) is None:
                runs.append(
                    Run(
                        tool=TOOL,
                        kind="combined",
                        line=line,
                        last_line=last_line,
                        label=f"{name.strip(' *`')}, {row.cells[0].strip(' *`')}"[:80],
                        combined_tokens_per_s=rate,
                        sequences=1,
                        doubts=(DOUBT,),
                    )
                )
    return runs


def _runs_of(
    text: Text, row: TableRow, pairs: Sequence[tuple[Head, str]], label: str, *, last: TableRow | None = None
) -> Iterator[Run]:
    commas = any(_COMMA.search(cell) for _, cell in pairs)
    figures = {head: value for head, cell in pairs if (value := value_of(cell, head.unit, commas=commas)) is not None}
    named = [(head, cell.strip(" *`")) for head, cell in pairs if head.unit == "words"]
    words: dict[str, str] = {head.subject: cell for head, cell in named if cell.strip("-")}
    by_name: dict[tuple[str, str], float] = {(head.subject, head.unit): value for head, value in figures.items()}
    reads, writes = _column(figures, "prompt"), _column(figures, "answer")
    lines = text.lines[row.index].number, text.lines[(last or row).last_index].number
    run = _run(lines, label, by_name, words, reads, writes)
    if run is not None:
        yield run


def _column(figures: Mapping[Head, float], subject: str) -> tuple[Head, float] | None:
    """The first rate of a phase; a second one is of another test, which nobody can tell apart."""
    rates = [(head, value) for head, value in figures.items() if head.subject == subject and head.unit == "rate"]
    return rates[0] if rates else None


def _seconds(values: Mapping[tuple[str, str], float], subject: str) -> float | None:
    return values.get((subject, "ms"), values.get((subject, "s")))


def _run(
    lines: tuple[int, int],
    label: str,
    values: Mapping[tuple[str, str], float],
    words: Mapping[str, str],
    reads: tuple[Head, float] | None,
    writes: tuple[Head, float] | None,
) -> Run | None:
    ttft_s, tpot_s = _seconds(values, "ttft"), _seconds(values, "tpot")
    bare = values.get(("both", "rate"))
    at_once = values.get(("concurrency", "count"))
    if reads is None and writes is None and not (ttft_s or tpot_s or bare):
        return None
    served = (ttft_s or tpot_s) is not None
    batch = values.get(("batch", "count"))
    several = at_once is not None and at_once > 1
    unknown = at_once is None and batch is not None and batch > 1
    kind: RunKind = (
        "service" if served or several
        else "request" if reads and writes
        else "prompt" if reads
        else "generation" if writes
        else "combined"
    )  # fmt: skip
    rate = writes[1] if writes else None
    prompt = values.get(("prompt", "tokens"), reads[0].tokens if reads else None)
    output = values.get(("answer", "tokens"), writes[0].tokens if writes else None)
    return Run(
        tool=TOOL,
        kind=kind,
        line=lines[0],
        last_line=lines[1],
        label=label,
        setup=Setup(model=words.get("model"), weights=words.get("weights"), device=words.get("device")),
        prompt_tokens=prompt,
        output_tokens=output,
        depth_tokens=values.get(("depth", "tokens")),
        sequences=at_once if at_once else None if served or unknown else 1,
        concurrency_limit=None if at_once is None else round(at_once),
        prefill_s=_seconds(values, "prompt"),
        decode_s=_seconds(values, "answer"),
        total_s=None if served else _seconds(values, "end"),
        prefill_tokens_per_s=reads[1] if reads and not several else None,
        total_prefill_tokens_per_s=reads[1] if reads and several else None,
        decode_tokens_per_s=1 / tpot_s if tpot_s else None if several else rate,
        decode_total_tokens_per_s=(rate or bare) if several else None,
        combined_tokens_per_s=bare if kind == "combined" else None,
        ttft=Latency(mean_s=ttft_s) if ttft_s else None,
        tpot=Latency(mean_s=tpot_s) if tpot_s else None,
        end_to_end=Latency(mean_s=end_s) if served and (end_s := _seconds(values, "end")) else None,
        doubts=(DOUBT, _BATCH) if unknown else (DOUBT,),
    )
