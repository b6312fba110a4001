"""Unknown model: what the size of its file alone says about a run.

A dense model's file is read once per token, all of it but the input table, which is small. Of a mixture of
experts only a part is read, so nothing is said where the text hints at one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Phase
from pysim.doctor.recognise.label import may_have_experts

if TYPE_CHECKING:
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.setups import Known

_MIXTURE: Final = re.compile(
    r"moe|mixtral|\b\d{1,3}x\d|[-_. ]a\d{1,3}(?:\.\d)?b\b|expert|deepseek|gpt-oss|scout|maverick", re.IGNORECASE
)
_MOST: Final = 1.03


def is_mixture(names: str) -> bool:
    """Do a model's words hint at a mixture of experts, of which a token reads only a part?

    So does llama.cpp's label of an architecture of which the catalog has such a model, or none at all.
    """
    return _MIXTURE.search(names) is not None or may_have_experts(names)


def from_bytes(
    group: Group, known: Known, prefill: Phase | None, decode: Phase | None
) -> tuple[Phase | None, Phase | None]:
    """Both phases with the shares that follow from the size and the number of parameters, if it is a dense model."""
    setup = group.first.setup
    names = f"{setup.model} {setup.weights} {setup.model_file}"
    if len(known.devices) != 1 or known.n_devices != 1 or is_mixture(names):
        return prefill, decode
    (device,) = known.devices
    stored, parameters = setup.weights_bytes, setup.parameters
    claimed = group.first.achieved_bytes_per_s
    if decode is not None and decode.pass_s and stored:
        moved = stored / decode.pass_s
        decode = replace(
            decode,
            moved_bytes=stored,
            mbu=moved / device.memory_bandwidth_bytes_per_s,
            side="memory",
            best_tokens_per_s=device.memory_bandwidth_bytes_per_s / stored * (decode.tokens_per_s or 0) * decode.pass_s,
            doubt=_doubt(moved / device.memory_bandwidth_bytes_per_s),
        )
    elif claimed:
        share = claimed / device.memory_bandwidth_bytes_per_s
        decode = replace(decode or Phase(at_least=True), mbu=share, side="memory", doubt=_doubt(share))
    peak = device.peak_flop_per_s.get("fp16", device.peak_flop_per_s.get("fp32"))
    if prefill is not None and prefill.tokens_per_s and parameters and peak and (prefill.tokens or 0) >= 64:
        flop = 2 * parameters
        prefill = replace(prefill, flop=flop * (prefill.tokens or 0), mfu=flop * prefill.tokens_per_s / peak)
    return prefill, decode


def _doubt(mbu: float) -> str | None:
    if mbu <= _MOST:
        return None
    return (
        f"reading the whole file for every token would take {mbu:.2f} times the spec sheet's bandwidth: "
        "it is a mixture of experts, the device is a different one, or guesses were accepted"
    )
