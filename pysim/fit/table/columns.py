"""The heading of a table: which of its columns does pysim know, and is one of them misspelled?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pysim.errors import BadValue, quoted

# What a point is made of; the first of a pair is a key of the catalogue, the second a name.
READ: Final = (
    "row_id", "device", "device_key", "n_devices", "parallelism", "model", "model_key", "quant", "engine", "backend",
    "flash_attn", "kv_dtype", "prompt_tokens", "prompt_depth", "batch", "prefill_tok_s", "ttft_ms", "gen_tokens",
    "decode_depth", "decode_tok_s", "tpot_ms", "e2e_s", "decode_includes_prefill", "metric_note", "quality_flag",
    "engine_version", "source", "source_id", "source_title", "source_url", "source_date",
)  # fmt: skip
# Columns of tables in this form that no prediction needs.
BESIDES: Final = (
    "split", "split_group", "weights_gib_reported", "params_b_reported", "provenance",
)  # fmt: skip
NEEDED: Final = (("device_key", "device"), ("model_key", "model"), ("quant",))
# What people call these columns otherwise.
CALLED: Final = {
    "device": ("gpu", "hardware", "machine", "chip", "accelerator", "card"),
    "model": ("llm", "model_id", "hf_id", "checkpoint"),
    "quant": ("format", "dtype", "precision", "weight_format", "weights"),
    "decode_tok_s": ("tok_s", "tokens_per_s", "tokens_per_second", "tps", "tg", "speed", "throughput"),
    "prefill_tok_s": ("pp", "prompt_tok_s", "prompt_eval"),
}
SPEEDS: Final = ("prefill_tok_s", "decode_tok_s", "tpot_ms", "ttft_ms", "e2e_s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Where each known column is; `ignored` are the names of those that are not known."""

    places: dict[str, int]
    ignored: tuple[str, ...]
    width: int

    def row(self, cells: Sequence[str]) -> dict[str, str]:
        """A row's cells by column, trimmed; "" for a column that is missing."""
        given = dict.fromkeys(READ, "")
        for name, place in self.places.items():
            if place < len(cells):
                given[name] = cells[place].strip()
        return given


def read_heading(cells: Sequence[str], name: str) -> Columns:
    """The columns of a heading, in any order; BadValue names one that is missing, doubled or misspelled."""
    places: dict[str, int] = {}
    unknown: list[str] = []
    for place, cell in enumerate(cells):
        word = "_".join(cell.strip().lower().split())
        if word in places:
            raise BadValue(f"{name}: the column {quoted(word)} appears twice")
        if word in READ or word in BESIDES:
            places[word] = place
        elif word:
            unknown.append(word)
    for word in unknown:
        absent = [column for column in READ if column not in places]
        close = get_close_matches(word[:100], absent, n=1, cutoff=0.75)
        if close:
            raise BadValue(f"{name}: unknown column {quoted(word)}; did you mean {quoted(close[0])}?")
    for choice in (*NEEDED, SPEEDS):
        if not any(column in places for column in choice):
            raise BadValue(f"{name}: no column {' or '.join(choice)}{_nearest(choice, unknown)}")
    return Columns(places=places, ignored=tuple(unknown), width=len(cells))


def _nearest(choice: Sequence[str], unknown: Sequence[str]) -> str:
    if not unknown:
        return "; the columns are those of pysim/fit/measured.csv"
    close = [(word, column) for word in unknown if (column := _meant(word, choice))]
    if close:
        return f"; is {quoted(close[0][0])} meant to be {quoted(close[0][1])}?"
    return f"; none of the columns {', '.join(quoted(word, 30) for word in unknown[:6])} is known"


def _meant(word: str, choice: Sequence[str]) -> str | None:
    close = get_close_matches(word[:100], choice, n=1, cutoff=0.4)
    if close:
        return close[0]
    return next((column for column in choice if word in CALLED.get(column, ())), None)
