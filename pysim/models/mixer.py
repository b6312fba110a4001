"""The mixer: the part of a layer that mixes tokens, by what it stores, keeps and computes.

Attention keeps rows that grow with the text; linear attention, state-space layers and short convolutions keep a
state of fixed size for each sequence. A layer may have one mixer, two side by side, or none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# Recurrent states are kept in 32 bits: by llama.cpp always, by vLLM where the config asks for it, as those of Qwen3.5
# (mamba_ssm_dtype) and Nemotron (mamba_ssm_cache_dtype) do.
STATE_BYTES: Final = 4
# The last inputs of a convolution are kept in 16 bits, as vLLM and SGLang do; llama.cpp takes 32, which is 1 to 3%
# more of the whole state.
CONV_BYTES: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """One kind of rows that a layer keeps in the cache, or reads from another layer's.

    `numbers`: kept per row in the cache's format, 0 where another layer keeps them; `read`: numbers of a row
    that a look at it reads. `fixed_bytes`: kept and read per row in its own format, whatever the cache's.
    `window`: the most tokens looked back at, None for all. `tokens_per_row`: how many tokens one row stands for.
    `most_read`: the most rows that one query reads, chosen by an index; None where it reads all. `heads`: into how
    many parts devices that work together can divide a row.
    FLOP of one query against one row: `pair_flop`, or `absorbed_pair_flop` after `expand_flop` per cached row.
    """

    numbers: int
    read: int
    pair_flop: float
    absorbed_pair_flop: float
    expand_flop: float = 0.0
    fixed_bytes: float = 0.0
    window: int | None = None
    tokens_per_row: int = 1
    most_read: int | None = None
    heads: int = 1

    @property
    def sight_tokens(self) -> int | None:
        """How many tokens back the rows reach that one query reads; None is all."""
        chosen = None if self.most_read is None else self.most_read * self.tokens_per_row
        return chosen if self.window is None else self.window if chosen is None else min(self.window, chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The arithmetic of a recurrence: `token_flop` per token, and `pair_flop` per token and token of its chunk."""

    token_flop: float
    pair_flop: float = 0.0
    chunk_tokens: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixer:
    """One mixer: parameters by the matrix they are in, what it keeps, and what it computes.

    `other`: parameters besides the four matrices. `state` counts 32-bit numbers, `conv` 16-bit ones, both per sequence.
    """

    kind: str
    query: int
    output: int
    key: int = 0
    value: int = 0
    other: int = 0
    rows: tuple[Rows, ...] = ()
    state: int = 0
    conv: int = 0
    scan: Scan | None = None

    @property
    def params(self) -> int:
        """All parameters."""
        return self.query + self.key + self.value + self.output + self.other

    @property
    def state_bytes(self) -> int:
        """Bytes of the fixed state of one sequence."""
        return STATE_BYTES * self.state + CONV_BYTES * self.conv

    @property
    def layer_type(self) -> str:
        """What Hugging Face calls such a layer."""
        looks = [rows.window for rows in self.rows if rows.read]
        if not looks:
            return "linear_attention"
        return "full_attention" if None in looks else "sliding_attention"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerParameters:
    """One layer's parameters. `expert` is one routed expert, `shared` all shared ones together."""

    attention: int
    dense: int
    experts: int
    expert: int
    shared: int
    router: int
    norms: int

    @property
    def ffn(self) -> int:
        """Everything between the attention and the next layer, norms apart."""
        return self.dense + self.experts + self.shared + self.router


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer: its mixers and its parameters."""

    mixers: tuple[Mixer, ...]
    params: LayerParameters

    @property
    def layer_type(self) -> str:
        """The kind that matters for the cache: full attention before a window before a fixed state; else "none"."""
        kinds = [mixer.layer_type for mixer in self.mixers]
        return next((kind for kind in ("full_attention", "sliding_attention") if kind in kinds), (*kinds, "none")[0])
