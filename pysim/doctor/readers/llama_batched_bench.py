"""What do llama-batched-bench and ik_llama.cpp's sweep-bench say, as tables and as JSON lines?"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.numbers import count, finite, positive
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.tabular.row import TableRow
from pysim.doctor.read.tabular.tables import rows
from pysim.doctor.read.text import Text

TOOLS: Final = {"llama-batched-bench": "llama-batched-bench", "llama-sweep-bench": "llama-sweep-bench"}
# The table's words by the JSON lines' names; batched-bench's N_KV counts all sequences, sweep-bench's what is
# in the cache before.
_COLUMNS: Final = {
    "pp": "pp",
    "tg": "tg",
    "b": "pl",
    "n_kv": "n_kv",
    "t_pp s": "t_pp",
    "s_pp t/s": "speed_pp",
    "t_tg s": "t_tg",
    "s_tg t/s": "speed_tg",
    "t s": "t",
    "s t/s": "speed",
}
_NAMES: Final = tuple(_COLUMNS.values())
_SETTING: Final = re.compile(
    r"\b(n_kv_max|n_batch|n_ubatch|flash_attn|is_pp_shared|n_gpu_layers|n_threads) = (-?\d{1,9})\b"
)
_CUT: Final = "a row of the table is cut off: some of its speeds are missing"


def read(text: Text) -> Reading:
    """One run per row that times both phases."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    if "S_PP t/s" in text.plain or "S_TG t/s" in text.plain:
        _from_tables(text, runs, gaps)
    if '"speed_pp"' in text.plain:
        setups = Setups(text)
        for record in text.objects:
            if "speed_pp" in record.value and "pp" in record.value:
                engine = "llama.cpp" if "pl" in record.value else "ik_llama.cpp"
                setup = _setup(record.value, setups.at(0))
                run = _run(record.value, line=record.line, last_line=record.last_line, setup=setup, engine=engine)
                runs += [run] if run else []
                if not record.whole:
                    gaps.append(Gap(line=record.last_line, message="the last record is cut off"))
    return Reading(runs=tuple(runs), gaps=tuple(gaps))


def _from_tables(text: Text, runs: list[Run], gaps: list[Gap]) -> None:
    setups = Setups(text)
    settings = text.places("n_kv_max = ")
    last: tuple[int, Setup] | None = None
    setup, options = Setup(), dict[str, str]()
    for row in text.once(rows):
        if "s_pp t/s" not in row.named and not _is_cut(row):
            continue
        values = _values(row)
        if values.get("pp") is None:
            continue
        line, last_line = text.lines[row.index].number, text.lines[row.last_index].number
        before = bisect_right(settings, row.index)
        known = (before, setups.at(row.index))
        if known != last:
            options = dict(_SETTING.findall(text.lines[settings[before - 1]].text)) if before else {}
            last, setup = known, _setup(options, known[1])
        engine = "llama.cpp" if "pl" in values or "b" in map(str.lower, row.header) else "ik_llama.cpp"
        fields = {**values, "is_pp_shared": options.get("is_pp_shared")}
        run = _run(fields, line=line, last_line=last_line, setup=setup, engine=engine)
        if run is not None:
            runs.append(run)
        if run is None or run.decode_total_tokens_per_s is None:
            gaps.append(Gap(line=last_line, message=_CUT))


def _is_cut(row: TableRow) -> bool:
    return "S_PP t/s" in row.header


def _values(row: TableRow) -> dict[str, object]:
    values: dict[str, object] = {}
    for name, cell in row.named.items():
        value = finite(cell)
        if name in _COLUMNS and value is not None:
            values[_COLUMNS[name]] = value
    if values and (row.broken or len(row.cells) < len(row.header)):
        # The last cell of a row that breaks off may have lost digits.
        values.pop(_COLUMNS.get(row.header[len(row.cells) - 1].lower(), ""), None)
    return values


def _setup(fields: Mapping[str, object], known: Setup) -> Setup:
    layers, flash = finite(fields.get("n_gpu_layers")), fields.get("flash_attn", fields.get("flash_attn_type"))
    return replace(
        known,
        context_tokens=count(fields.get("n_kv_max")) or known.context_tokens,
        batch_tokens=count(fields.get("n_batch")) or known.batch_tokens,
        micro_batch_tokens=count(fields.get("n_ubatch")) or known.micro_batch_tokens,
        threads=count(fields.get("n_threads")) or known.threads,
        layers_on_device=known.layers_on_device if layers is None else int(layers),
        flash_attention={0: False, 1: True}.get(count(flash) or 0)
        if count(flash) is not None
        else known.flash_attention,
    )


def _run(fields: Mapping[str, object], *, line: int, last_line: int, setup: Setup, engine: str) -> Run | None:
    read, wrote = count(fields.get("pp")), count(fields.get("tg"))
    if read is None or wrote is None:
        return None
    sweep = engine == "ik_llama.cpp"
    sequences = 1 if sweep else count(fields.get("pl"))
    total = positive(fields.get("speed_tg"))
    prefill = positive(fields.get("speed_pp")) if read else None
    if total is None and prefill is None:
        return None
    depth = count(fields.get("n_kv")) if sweep else 0
    label = f"{read} in, {wrote} out" + (f" @ {depth}" if depth else "") + (f" × {sequences}" if sequences else "")
    return Run(
        tool="llama-sweep-bench" if sweep else "llama-batched-bench",
        kind="request",
        line=line,
        last_line=last_line,
        label=label,
        engine=engine,
        setup=setup,
        prompt_tokens=read,
        output_tokens=wrote,
        depth_tokens=depth,
        sequences=sequences,
        prefill_s=positive(fields.get("t_pp")),
        decode_s=positive(fields.get("t_tg")),
        decode_passes=wrote,
        total_s=positive(fields.get("t")),
        prefill_tokens_per_s=prefill,
        decode_tokens_per_s=total / sequences if total is not None and sequences else None,
        decode_total_tokens_per_s=total,
        combined_tokens_per_s=positive(fields.get("speed")),
        doubts=_doubts(fields, sequences),
    )


def _doubts(fields: Mapping[str, object], sequences: int | None) -> tuple[str, ...]:
    if count(fields.get("is_pp_shared")) and sequences != 1:
        return ("all sequences share one prompt, which was read once",)
    return ()
