"""Attention scores: what does attention move where scores are written to memory and not kept in the chip?

Without a fused kernel every head's scores, one 32-bit number per new token and token looked at, are written, read
and written by the softmax, and read again for the values: four times through memory. A fused kernel (FlashAttention,
arXiv:2205.14135) keeps them in the chip.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim import checks
from pysim.memory.kv_cache import windows

if TYPE_CHECKING:
    from pysim.models.model import Model

_TIMES: Final = 4
_SCORE_BYTES: Final = 4


def score_bytes(model: Model, new_tokens: int, context_tokens: int, sequences: int = 1) -> float:
    """Bytes of scores that one pass of `new_tokens` of each sequence, after `context_tokens`, moves without fusing."""
    new = checks.count(new_tokens, "new_tokens")
    before = checks.count(context_tokens, "context_tokens", least=0)
    several = checks.count(sequences, "sequences")
    # Unfused kernels compute the whole rectangle and mask half of it away.
    seen = sum(layers * min(before + new, window or before + new) for layers, window in windows(model))
    return float(_TIMES * _SCORE_BYTES * model.num_attention_heads * new * seen * several)
