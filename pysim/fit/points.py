"""Measured points: which are published, and what would pysim have to predict for each?

measured.csv has one row per published line. A row gives up to two points: a prefill speed and a
decode speed, or one time of the whole run where the source counts prefill in (the column
`decode_includes_prefill` of sources.csv, or of a row).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from pysim.catalog.files import device_keys, model_keys
from pysim.deployed import Deployed
from pysim.engines.load import find_engine
from pysim.engines.names import find_backend
from pysim.fit.measured import measured_rows
from pysim.load import load_device, load_model

Phase = Literal["prefill", "decode"]
# Remarks that describe a run's nature and do not speak against the number.
HARMLESS: Final = ("overhead_bound: HF transformers", "compute_bound_quant")
# What runs had that say nothing of it: chats and short test prompts.
UNSAID_TOKENS: Final = 100
UNSAID_ANSWER_TOKENS: Final = 128
REPORT_ONE_IN: Final = 5
FIRST_COLLECTION: Final = "S"
_MICRO_BATCH: Final = re.compile(r"\b(?:n_)?ub(?:atch)?[ =](\d{1,6})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One measured time, and the run it was measured on.

    `measured_s` is the time of the prompt (phase "prefill"), of one pass (phase "decode"), or of
    prompt and answer together where `whole`. Prompt and answer tokens are per sequence. `flash`: attention ran in
    one kernel. `micro_batch_tokens`: where it was chosen.
    """

    row: str
    phase: Phase
    whole: bool
    measured_s: float
    model: str
    device: str
    weights: str
    kv: str
    engine: str
    backend: str | None
    flash: bool
    build_year: int | None
    micro_batch_tokens: int | None
    n_devices: int
    split: Literal["tensor", "layers"]
    batch: int
    prompt_tokens: int
    prompt_depth: int
    output_tokens: int
    source: str
    title: str
    url: str
    note: str
    flag: str

    @property
    def group(self) -> str:
        """Points of one group are fitted together or not at all: they differ in lengths and batch alone."""
        return "|".join((self.device, self.model, self.weights, self.engine))

    @property
    def reported(self) -> bool:
        """Is its group kept out of the fit? A fixed fifth of the first collection's groups is, by a digest of the name.

        What later sources measured of these groups is not fitted either (`kept_out_groups`), and not reported: of
        them whole sources are kept out instead (fresh.csv).
        """
        return (
            self.source.startswith(FIRST_COLLECTION)
            and int(hashlib.sha256(self.group.encode()).hexdigest(), 16) % REPORT_ONE_IN == 0
        )

    @property
    def sound(self) -> bool:
        """Does nothing speak against the number?"""
        return is_sound(self.flag)


def is_sound(flag: str) -> bool:
    """Does a row's remark on its quality leave the number usable?"""
    return not flag or flag.startswith(HARMLESS)


@lru_cache(maxsize=1)
def points() -> tuple[Point, ...]:
    """All points whose model, device and batch are known, in the order of the file."""
    models, devices = frozenset(model_keys()), frozenset(device_keys())
    known_points: list[Point] = []
    for row in measured_rows().values():
        known = row["model_key"] in models and row["device_key"] in devices and _split_is_known(row)
        if known and row["batch"].isdigit() and row["quant"]:
            known_points += points_of(row)
    return tuple(known_points)


def _split_is_known(row: dict[str, str]) -> bool:
    """Do the devices share layers, or take turns at them? Experts spread over devices ("TP8 EP8") are neither."""
    return int(row["n_devices"] or 1) == 1 or " ep" not in f" {row['parallelism'].lower()}"


@lru_cache(maxsize=1)
def kept_out_groups() -> frozenset[str]:
    """The groups of the first collection that are kept out of the fit, by whichever source they were measured again."""
    return frozenset(point.group for point in points() if point.reported)


def deployed(point: Point, *, engine: bool = True) -> Deployed:
    """What a point was measured on; its engine apart on demand, which no catalog may have."""
    return Deployed(
        load_model(point.model),
        load_device(point.device),
        n_devices=point.n_devices,
        split=point.split,
        weight_format=point.weights,
        kv_format=point.kv,
        engine=point.engine if engine else None,
        backend=find_backend(point.backend) if point.backend else None,
        flash_attention=point.flash,
        build_year=point.build_year,
        micro_batch_tokens=point.micro_batch_tokens,
    )


def points_of(row: dict[str, str]) -> list[Point]:
    """The points of one row in the columns of measured.csv, whose numbers can be read."""
    batch = int(row["batch"])
    prompt = _tokens(row["prompt_tokens"], UNSAID_TOKENS)
    answer = _tokens(row["gen_tokens"], UNSAID_ANSWER_TOKENS)
    of_row = []
    if row["prefill_tok_s"]:
        seconds = prompt * batch / float(row["prefill_tok_s"])
        of_row.append(_point(row, "prefill", seconds, prompt, _tokens(row["prompt_depth"], 0), 1))
    includes_prefill = row["decode_includes_prefill"] or (row["e2e_s"] and not row["decode_tok_s"])
    if includes_prefill and (row["e2e_s"] or row["decode_tok_s"]):
        seconds = float(row["e2e_s"]) if row["e2e_s"] else batch * answer / float(row["decode_tok_s"])
        of_row.append(_point(row, "decode", seconds, prompt, 0, answer, whole=True))
    elif row["decode_tok_s"]:
        # Decode starts at its depth, else after the prompt, and grows by the answer; a token at least stands before it.
        depth = max(1, _tokens(row["decode_depth"], prompt))
        of_row.append(_point(row, "decode", batch / float(row["decode_tok_s"]), depth, 0, answer + 1))
    return of_row


def _point(
    row: dict[str, str], phase: Phase, seconds: float, prompt: int, depth: int, output: int, *, whole: bool = False
) -> Point:
    return Point(
        row=row["row_id"],
        phase=phase,
        whole=whole,
        measured_s=seconds,
        model=row["model_key"],
        device=row["device_key"],
        weights=row["quant"],
        kv=row["kv_dtype"] or "f16",
        engine=row["engine"],
        backend=row["backend"] or None,
        flash=_flash(row),
        build_year=int(row.get("source_date", "")[:4]) if row.get("source_date", "")[:4].isdigit() else None,
        micro_batch_tokens=int(found[1]) if (found := _MICRO_BATCH.search(row["metric_note"])) else None,
        n_devices=int(row["n_devices"]),
        split="layers" if row["parallelism"] == "layer split" else "tensor",
        batch=int(row["batch"]),
        prompt_tokens=prompt,
        prompt_depth=depth,
        output_tokens=output,
        source=row["source_id"],
        title=row["source_title"],
        url=row["source_url"],
        note=row["metric_note"],
        flag=row["quality_flag"],
    )


def _flash(row: dict[str, str]) -> bool:
    """Did attention run in one kernel? An engine whose file has a date did so on demand alone before it."""
    if row.get("flash_attn", ""):
        return row.get("flash_attn", "") == "1"
    engine = find_engine(row["engine"])
    since = engine.fused_since if engine is not None else None
    return since is None or not row.get("source_date", "")[:1].isdigit() or row.get("source_date", "") >= since


def _tokens(text: str, unsaid: int) -> int:
    return round(float(text)) if text else unsaid
