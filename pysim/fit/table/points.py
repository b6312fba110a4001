"""The points of a row of somebody else's table, each with the reason where it cannot be scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pysim.engines.names import TYPICAL, known_engine
from pysim.errors import BadValue, PysimError, quoted
from pysim.fit.points import UNSAID_ANSWER_TOKENS, UNSAID_TOKENS, Point, is_sound, points_of
from pysim.fit.table import cells
from pysim.fit.table.columns import SPEEDS
from pysim.fit.table.names import Names
from pysim.formats.names import kv_format, weight_format

MOST_SEQUENCES: Final = 100_000
MOST_DEVICES: Final = 100_000
# One sequence's time per token times the speed of all of them is their number, unless a column means something else.
_ALIKE: Final = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Why a row, or one phase of it, is not scored."""

    phase: str
    reason: str


class RowReader:
    """Makes points of rows; `assumed` counts what rows did not say and how it was taken."""

    def __init__(self) -> None:
        self.assumed: Counter[str] = Counter()
        self._names = Names()

    def points(self, row: dict[str, str]) -> Iterator[Point | LeftOut]:
        """The points of a row, in the columns of measured.csv; at least one thing comes back for every row."""
        try:
            shared = self._shared(row)
        except PysimError as error:
            yield LeftOut(phase="", reason=str(error))
            return
        given = False
        for phase, speeds in (("prefill", _prefill), ("decode", _decode)):
            try:
                measured = speeds(row, int(shared["batch"]))
                if measured is None:
                    continue
                given = True
                for point in points_of(shared | measured):
                    self._count_assumed(point, shared | measured)
                    yield point
            except PysimError as error:
                given = True
                yield LeftOut(phase=phase, reason=str(error))
        if not given:
            yield LeftOut(phase="", reason=f"no speed: {', '.join(SPEEDS)} are empty")

    def _shared(self, row: dict[str, str]) -> dict[str, str]:
        """What both phases need, in the words of measured.csv."""
        if not is_sound(row["quality_flag"]):
            raise BadValue(f"quality_flag: {quoted(row['quality_flag'])}")
        n_devices = cells.whole(row, "n_devices", least=1, most=MOST_DEVICES) or 1
        if not row["quant"]:
            raise BadValue("no weight format: quant is empty")
        kv = "" if row["kv_dtype"].lower() in {"auto", "default"} else row["kv_dtype"]
        shared = row | dict.fromkeys(SPEEDS, "") | {
            "model_key": self._names.key("model", row),
            "device_key": self._names.key("device", row),
            "quant": weight_format(row["quant"]).name,
            "kv_dtype": kv_format(kv).name if kv else "",
            "engine": known_engine(row["engine"]) if row["engine"] else TYPICAL,
            "n_devices": str(n_devices),
            "parallelism": "layer split" if cells.split(row, n_devices) == "layers" else "TP",
            "batch": str(_batch(row)),
            "decode_includes_prefill": "1" if cells.counts_prompt(row) else "",
        }  # fmt: skip
        for column in ("prompt_tokens", "prompt_depth", "gen_tokens", "decode_depth"):
            tokens = cells.whole(row, column)
            shared[column] = "" if tokens is None else str(tokens)
        if shared["prompt_tokens"] == "0":
            shared["prompt_tokens"] = ""
        if not shared["decode_depth"] and cells.decodes_from_empty(row):
            shared["decode_depth"] = "0"
        return shared

    def _count_assumed(self, point: Point, row: dict[str, str]) -> None:
        needs_prompt = point.phase == "prefill" or point.whole
        if needs_prompt and not row["prompt_tokens"]:
            self.assumed[f"prompt_tokens is empty: {UNSAID_TOKENS} assumed"] += 1
        if not needs_prompt and not row["decode_depth"]:
            depth = "the prompt's length" if row["prompt_tokens"] else str(UNSAID_TOKENS)
            self.assumed[f"decode_depth is empty: {depth} assumed"] += 1
        if point.phase == "decode" and not row["gen_tokens"]:
            self.assumed[f"gen_tokens is empty: {UNSAID_ANSWER_TOKENS} assumed"] += 1
        if point.engine == TYPICAL:
            self.assumed["engine is empty: all engines on the device's family combined"] += 1


def _batch(row: dict[str, str]) -> int:
    if not row["batch"]:
        raise BadValue("batch missing: 1 for a single conversation")
    return cells.whole(row, "batch", least=1, most=MOST_SEQUENCES) or 1


def _prefill(row: dict[str, str], batch: int) -> dict[str, str] | None:
    """The prefill speed of all sequences, or what makes it."""
    speed = cells.number(row, "prefill_tok_s")
    ttft_ms = cells.number(row, "ttft_ms")
    if speed is None and ttft_ms is not None and batch == 1:
        prompt = cells.whole(row, "prompt_tokens")
        if not prompt:
            raise BadValue("ttft_ms without prompt_tokens: how long was the prompt?")
        speed = prompt / (ttft_ms / 1000)
    elif speed is None and ttft_ms is not None:
        raise BadValue("ttft_ms of several sequences may include waiting; prefill_tok_s is empty")
    return None if speed is None else {"prefill_tok_s": repr(speed)}


def _decode(row: dict[str, str], batch: int) -> dict[str, str] | None:
    """The decode speed of all sequences or the time of the whole run, or what makes it."""
    speed = cells.number(row, "decode_tok_s")
    tpot_ms = cells.number(row, "tpot_ms")
    whole_s = cells.number(row, "e2e_s")
    if speed is None and tpot_ms is not None:
        # Each token's own time has no prompt in it, whatever is said of a speed.
        return {"decode_tok_s": repr(1000 * batch / tpot_ms), "decode_includes_prefill": ""}
    if speed is not None and tpot_ms is not None and batch > 1 and abs(speed * tpot_ms / 1000 - 1) < _ALIKE:
        raise BadValue(f"decode_tok_s is for one sequence (tpot_ms says so); here it must be for all {batch}")
    counts_prompt = cells.counts_prompt(row)
    if speed is None and whole_s is None:
        return None
    if whole_s is not None and (speed is None or counts_prompt) and not cells.whole(row, "gen_tokens"):
        raise BadValue("e2e_s without gen_tokens: how long was the answer?")
    measured = {"decode_tok_s": "" if speed is None else repr(speed)}
    if whole_s is not None and (speed is None or counts_prompt):
        measured["e2e_s"] = repr(whole_s)
    if counts_prompt and not row["prompt_tokens"] and row["decode_depth"]:
        measured["prompt_tokens"] = str(cells.whole(row, "decode_depth"))
    return measured
