"""Expected writing of a model that is partly in the host's memory.

The bytes that a token needs of the part on the host come from its memory, the others from the device's, one after the
other. Each memory gives the share of its bandwidth that runs on such machines reach.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Expected
from pysim.doctor.expect.host_memory import host_memory
from pysim.doctor.judge.prediction import predicted
from pysim.doctor.judge.stream import active_bytes
from pysim.load import load_device
from pysim.memory.weights import stored_weights

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence
    from pysim.doctor.expect.host_memory import HostMemory
    from pysim.doctor.judge.prediction import PossibleRun, Prediction
    from pysim.hardware.device import Device

# A processor of the catalog, for what its kind reaches of a memory; its bandwidth is replaced by the text's.
_PROCESSOR: Final = "ryzen-7950x"
_LAYERS: Final = re.compile(r"n_cpu_moe=(\d{1,4})")
_ALL_EXPERTS: Final = re.compile(r"exps=CPU|cpu[-_]moe", re.IGNORECASE)


def expected_of(evidence: Evidence) -> Expected | None:
    """What writing should reach; None where nothing is on the host, or how much of a token's bytes is not known."""
    judgement = evidence.judgement
    if judgement.on_host is None or not judgement.possible or judgement.case.decode is None:
        return None
    if any(run.answer_sequences > 1 for run in judgement.possible):
        return None
    memory = host_memory(evidence.words)
    shares = [host_share(evidence, run) for run in judgement.possible]
    if memory is None or any(share is None for share in shares):
        return None
    slow, fast = (_processor(memory, speed) for speed in (memory.low_bytes_per_s, memory.high_bytes_per_s))
    lows, middles, highs = [], [], []
    for run, share in zip(judgement.possible, shares, strict=True):
        times = [_times_s(run, share or 0.0, processor) for processor in (slow, fast)]
        if None in times:
            return None
        (longest, long_s, _), (_, short_s, shortest) = (time for time in times if time is not None)
        lows.append(1 / longest)
        middles.append(2 / (long_s + short_s))
        highs.append(1 / shortest)
    return Expected(
        low_tokens_per_s=min(lows),
        typical_tokens_per_s=(min(middles) * max(middles)) ** 0.5,
        high_tokens_per_s=max(highs),
        memory=memory.words,
        low_bytes_per_s=memory.low_bytes_per_s,
        high_bytes_per_s=memory.high_bytes_per_s,
        assumed=memory.assumed,
    )


def host_share(evidence: Evidence, run: PossibleRun) -> float | None:
    """How much of the weights that a token needs is in the host's memory, from 0 to 1."""
    setup, model = evidence.setup, run.on.model
    if setup.tensors_on_host:
        return _experts_share(setup.tensors_on_host, run)
    if setup.host_share is not None:
        return min(1.0, setup.host_share)
    asked, layers = setup.layers_on_device, setup.layers or model.num_hidden_layers
    return None if asked is None or not 0 <= asked <= layers else 1 - asked / layers


def _experts_share(words: str, run: PossibleRun) -> float | None:
    model = run.on.model
    if not model.moe_layers:
        return None
    counted = _LAYERS.search(words)
    layers = len(model.moe_layers)
    hosted = min(int(counted[1]), layers) if counted else layers if _ALL_EXPERTS.search(words) else None
    if hosted is None:
        return None
    stored = stored_weights(model, run.on.weight_format, run.on.engine)
    experts = stored.experts_bytes * model.num_experts_per_tok / model.num_experts
    return experts * hosted / layers / active_bytes(model, run.on.weight_format, run.on.engine)


def _processor(memory: HostMemory, bytes_per_s: float) -> Device:
    return replace(load_device(_PROCESSOR), memory_bandwidth_bytes_per_s=bytes_per_s, memory_bytes=None)


def _times_s(run: PossibleRun, share: float, processor: Device) -> tuple[float, float, float] | None:
    """Seconds of a token: of a slow run, of a typical and of a fast one."""
    device, host = predicted(run, "decode"), predicted(run.moved_to(processor), "decode")
    if device is None or host is None:
        return None
    slow, typical, fast = (
        (1 - share) * one + share * other for one, other in zip(_band(device), _band(host), strict=True)
    )
    return slow, typical, fast


def _band(prediction: Prediction) -> tuple[float, float, float]:
    return prediction.high_s, prediction.typical_s, max(prediction.low_s, prediction.best_s)
