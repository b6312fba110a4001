"""The band of an estimate: what does one run in ten fall below, and one in ten exceed?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pysim.arrays.numeric import exponential

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.engines.spread import Spread


class Parts(NamedTuple):
    """The times of a request that are predicted: of its prompt, of a decode pass if there is one, and of all."""

    ttft_s: Numeric
    tpot_s: Numeric | None
    decode_s: Numeric


def band(
    spread: Spread, parts: Parts, *, prompt: Numeric, depth: Numeric, rows: Numeric, batch: Numeric
) -> dict[str, tuple[Numeric, Numeric]]:
    """The ends of the band by field, from how far measured runs scatter about predictions.

    `depth` tokens are cached before the `prompt`, `rows` after the answer.
    """
    fast, slow = (exponential(end) for end in spread.prefill.at(depth + prompt, batch))
    quick, lame = (exponential(end) for end in spread.decode.at(rows, batch))
    ttft_s, tpot_s, decode_s = parts
    ends = {
        "ttft_s": (ttft_s * fast, ttft_s * slow),
        "prefill_tokens_per_s": (prompt * batch / (ttft_s * slow), prompt * batch / (ttft_s * fast)),
        "total_s": (ttft_s * fast + decode_s * quick, ttft_s * slow + decode_s * lame),
    }
    if tpot_s is not None:
        ends["tpot_s"] = (tpot_s * quick, tpot_s * lame)
        ends["decode_tokens_per_s"] = (1 / (tpot_s * lame), 1 / (tpot_s * quick))
        ends["decode_total_tokens_per_s"] = (batch / (tpot_s * lame), batch / (tpot_s * quick))
    return ends
