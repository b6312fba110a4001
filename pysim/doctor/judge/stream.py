"""Stream: how many bytes a second writing reads, by what each token needs of the weights and of the cache.

That needs no device: it is the least that the memory gives in which the weights are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Stream
from pysim.doctor.judge.unknown_model import is_mixture
from pysim.formats.names import weight_format
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.weights import stored_weights

if TYPE_CHECKING:
    from pysim.doctor.case import Phase
    from pysim.doctor.judge.setups import Known
    from pysim.doctor.judge.timing import Timing
    from pysim.doctor.read.run import Run
    from pysim.models.model import Model

# Set-ups that a text leaves open may differ by so much and still say the same of a memory.
_SAME: Final = 1.35
_MUCH_SHORTER: Final = 0.7
_SOME_TOKENS: Final = 16
_ACTIVE: Final = re.compile(r"(?<![a-z0-9])a(\d{1,3}(?:\.\d)?)b(?![a-z0-9])", re.IGNORECASE)
_BILLIONS: Final = re.compile(r"(?<![\w.])(\d{1,4}(?:\.\d{1,2})?) ?b(?![a-z0-9/])", re.IGNORECASE)
_BILLION: Final = 1e9


def stream_of(
    run: Run, timing: Timing, known: Known, decode: Phase | None, prefill: Phase | None = None
) -> Stream | None:
    """What a run reads while it writes; None where the bytes of a token, or the time of a pass, are not known."""
    pass_s, alone = _pass_s(run, decode)
    sequences = timing.answer_sequences or timing.sequences
    weights = _read_bytes(run, known, sequences) if pass_s else None
    if not pass_s or weights is None:
        return None
    size, source = weights
    moved = size + _cache_bytes(known, timing, sequences)
    share = None
    if len(known.devices) == 1 and known.n_devices == 1:
        share = moved / pass_s / known.devices[0].memory_bandwidth_bytes_per_s
    return Stream(
        bytes_per_pass=moved,
        bytes_per_s=moved / pass_s,
        pass_s=pass_s,
        source=source,
        share=share,
        prompt_pass_s=_shorter(pass_s, prefill),
        if_writing=alone,
    )


def _shorter(pass_s: float, prefill: Phase | None) -> float | None:
    """The time of the prompt's pass, if it read the same weights in much less time than a token took to write."""
    if prefill is None or prefill.at_least or not prefill.pass_s or (prefill.tokens or 0) < _SOME_TOKENS:
        return None
    return prefill.pass_s if prefill.pass_s < _MUCH_SHORTER * pass_s else None


def _pass_s(run: Run, decode: Phase | None) -> tuple[float | None, bool]:
    """Seconds of a decode pass, and whether they come from a rate that may be of another phase."""
    if decode is not None and not decode.at_least and decode.doubt is None:
        return decode.pass_s, False
    if run.kind == "combined" and run.combined_tokens_per_s and run.prompt_tokens is None and decode is None:
        return 1 / run.combined_tokens_per_s, True
    return None, False


def _read_bytes(run: Run, known: Known, sequences: float) -> tuple[float, str] | None:
    """Bytes of weights that a pass reads, and where they are from: the catalog, or the text's own sizes."""
    keys = _weights_keys(known)
    if known.models and keys:
        if sequences > 1 and any(model.is_moe for model in known.models):
            return None  # which experts several sequences share is not known
        engine = known.engine.key
        sizes = [active_bytes(model, key, engine) for model in known.models for key in keys]
        if max(sizes) > _SAME * min(sizes):
            return None
        return (min(sizes) * max(sizes)) ** 0.5, "the model's weights"
    return _by_text(run, keys, sequences)


def active_bytes(model: Model, weights: str, engine: str | None) -> float:
    """Bytes of weights that one token needs: all but the input table, and of the routed experts its own."""
    stored = stored_weights(model, weights, engine)
    share = model.num_experts_per_tok / model.num_experts if model.num_experts else 1.0
    return stored.layers_bytes + stored.head_bytes + stored.other_bytes + share * stored.experts_bytes


def _weights_keys(known: Known) -> tuple[str, ...]:
    if known.weights is None:
        return ()
    return (known.weights.key,) if known.weights.key is not None else known.weights.candidates


def _by_text(run: Run, keys: tuple[str, ...], sequences: float) -> tuple[float, str] | None:
    """From the file's size, or from parameters and format, as far as the text says them; "A3B" is what is active."""
    setup = run.setup
    names = " ".join(part for part in (setup.model, setup.model_file, setup.weights) if part)
    parameters = setup.parameters or _billions(names)
    stored = setup.weights_bytes
    source = "the file's size in the text"
    if stored is None and parameters is not None and len(keys) == 1:
        stored, source = parameters * weight_format(keys[0]).bits_per_weight / 8, "the parameters in the model's name"
    if stored is None:
        return None
    active = _ACTIVE.search(names)
    if active is not None:
        if sequences > 1 or not parameters:
            return None
        return stored * min(1.0, float(active[1]) * _BILLION / parameters), f"{source}, {active[0].upper()} active"
    return None if is_mixture(names) else (stored, source)


def _billions(names: str) -> float | None:
    found = {float(match[1]) for match in _BILLIONS.finditer(names.replace("_", " ").replace("-", " "))}
    return found.pop() * _BILLION if len(found) == 1 else None


def _cache_bytes(known: Known, timing: Timing, sequences: float) -> float:
    depth = timing.answer_depth_tokens
    if len(known.models) != 1 or not depth or known.kv.key is None:
        return 0.0
    return float(kv_cache_bytes(known.models[0], min(depth, 1e8), known.kv.key, max(1.0, sequences)))
