"""What does one pass ask of a device: how many FLOP, and how many bytes of which kind?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.arrays.numeric import greater, lesser, whole
from pysim.memory.kv_cache import Held, held, rows_of
from pysim.models.layers import layers
from pysim.models.parameters import parameters

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.models.mixer import Rows, Scan
    from pysim.models.model import Model

# Tokens of one batch choose alike: n tokens visit as many different experts as n ** this many
# tokens with independent choices would. Found with the fitted constants (pysim/fit).
ROUTING_INDEPENDENCE: Final = 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a pass computes and what it touches; numbers, or arrays of one shape.

    Experts and cached numbers are summed over the layers; `weights_touched` counts parameters, and
    `kv_numbers_seen` the numbers of rows that each fed token looks at, those of the other fed tokens included.
    `expert_weights` are those of `weights_touched` that belong to routed experts, `query_flop` is the attention of one
    token of each sequence, and `pieces` counts the micro-batches, each of which touches the weights.
    `fixed_read_bytes` and `fixed_written_bytes`: keys of an index and states, whose format the cache's does not change.
    """

    linear_flop: Numeric
    head_flop: Numeric
    attention_flop: Numeric
    query_flop: Numeric
    weights_touched: Numeric
    expert_weights: Numeric
    experts_read: Numeric
    embedding_rows: Numeric
    logit_rows: Numeric
    kv_numbers_read: Numeric
    kv_numbers_written: Numeric
    kv_numbers_seen: Numeric
    pieces: Numeric = 1.0
    fixed_read_bytes: Numeric = 0.0
    fixed_written_bytes: Numeric = 0.0

    @property
    def flop(self) -> Numeric:
        """All of it."""
        return self.linear_flop + self.head_flop + self.attention_flop


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A model as far as the work of a pass goes.

    `held`: what its layers keep and read. `scans`: how many layers have which recurrence. An engine that `absorbs`
    multiplies MLA's latents themselves, however long the pass; the others take the cheaper of that and expanding the
    cached latents to keys and values (DeepSeek-V2, arXiv:2405.04434, section 2.1.2). `piece_tokens`: an engine's
    micro-batch, the most tokens that go through the layers together; None without such a limit.
    """

    layers: int
    moe_layers: int
    num_experts: int
    num_experts_per_tok: int
    held: Held
    scans: tuple[tuple[int, Scan], ...]
    absorbs: bool
    dense_params: int
    expert_params: int
    linear_flop_per_token: float
    head_flop_per_row: float
    hidden_size: int
    piece_tokens: int | None = None
    routing_independence: float = ROUTING_INDEPENDENCE

    @property
    def edges(self) -> tuple[int, ...]:
        """The lengths of a cache at which what a token reads changes its growth, ascending."""
        sights = {rows.sight_tokens for _, rows in self.held.rows}
        return tuple(sorted(sight for sight in sights if sight is not None))

    @property
    def choices(self) -> frozenset[int | None]:
        """The edges at which queries begin to choose what they read."""
        return frozenset(rows.sight_tokens for _, rows in self.held.rows if rows.most_read is not None)

    @classmethod
    @lru_cache(maxsize=512)
    def of(cls, model: Model, *, absorbs: bool = False, piece_tokens: int | None = None) -> Shape:
        """The shape of a model, as an engine that `absorbs` or not, in pieces or not, runs it."""
        params = parameters(model)
        scans = Counter(mixer.scan for layer in layers(model) for mixer in layer.mixers if mixer.scan is not None)
        return cls(
            layers=model.num_hidden_layers,
            moe_layers=len(model.moe_layers),
            num_experts=model.num_experts,
            num_experts_per_tok=model.num_experts_per_tok,
            held=held(model),
            scans=tuple((count, scan) for scan, count in scans.items()),
            absorbs=absorbs,
            dense_params=params.decode - len(model.moe_layers) * model.num_experts_per_tok * params.expert,
            expert_params=params.expert,
            linear_flop_per_token=2.0 * (params.decode - params.head),
            head_flop_per_row=2.0 * params.head,
            hidden_size=model.hidden_size,
            piece_tokens=piece_tokens,
        )


def work(shape: Shape, new_tokens: Numeric, context_tokens: Numeric, batch: Numeric, logit_rows: Numeric = 1) -> Work:
    """The work of a pass in which each of `batch` sequences feeds `new_tokens` after `context_tokens`.

    `logit_rows`: for how many tokens of each sequence the next one is predicted. An index scores every row, and
    each query then reads the rows it chose: the rows of a pass are at most all, and at most the choices of its
    queries (DeepSeek-V3.2, arXiv:2512.02556, section 2.1). A state is read once per pass, if there is one yet, and
    written once; the recurrence goes over the new tokens in chunks (`Scan`).
    """
    tokens = new_tokens * batch
    attention: Numeric = 0.0
    read: Numeric = 0.0
    seen: Numeric = 0.0
    fixed: Numeric = 0.0
    written = fixed_written = 0.0
    for count, rows in shape.held.rows:
        pairs = count * _pairs(new_tokens, context_tokens, rows.sight_tokens)
        there = count * rows_of(rows, context_tokens)
        if rows.tokens_per_row > 1:
            pairs = pairs / rows.tokens_per_row
        if rows.most_read is not None:
            there = lesser(there, count * rows.most_read * new_tokens)
        read = read + rows.read * there
        seen = seen + rows.read * pairs
        fixed = fixed + rows.fixed_bytes * there
        written += count * rows.numbers / rows.tokens_per_row
        fixed_written += count * rows.fixed_bytes / rows.tokens_per_row
        attention = attention + _attention_flop(rows, pairs, there, absorbs=shape.absorbs)
    for count, scan in shape.scans:
        attention = attention + count * _scan_flop(scan, new_tokens)
    pieces = _pieces(shape, tokens)
    experts = shape.moe_layers * _visited(shape, tokens, pieces)
    state = shape.held.state_bytes
    return Work(
        linear_flop=shape.linear_flop_per_token * tokens,
        head_flop=shape.head_flop_per_row * logit_rows * batch,
        attention_flop=attention * batch,
        query_flop=attention * batch / new_tokens,
        weights_touched=shape.dense_params * pieces + shape.expert_params * experts,
        expert_weights=shape.expert_params * experts,
        pieces=pieces,
        experts_read=experts,
        embedding_rows=tokens,
        logit_rows=logit_rows * batch,
        kv_numbers_read=read * batch,
        kv_numbers_written=written * tokens,
        kv_numbers_seen=seen * batch,
        fixed_read_bytes=(fixed + state * lesser(context_tokens, 1.0)) * batch if state or fixed_written else 0.0,
        fixed_written_bytes=fixed_written * tokens + state * batch,
    )


def _attention_flop(rows: Rows, pairs: Numeric, there: Numeric, *, absorbs: bool) -> Numeric:
    """FLOP of the queries of a pass against one kind of rows, `there` of which were cached before it."""
    if not rows.expand_flop:
        return rows.pair_flop * pairs
    if absorbs:
        return rows.absorbed_pair_flop * pairs
    return lesser(rows.pair_flop * pairs + rows.expand_flop * there, rows.absorbed_pair_flop * pairs)


def _scan_flop(scan: Scan, new_tokens: Numeric) -> Numeric:
    """FLOP of one layer's recurrence over the new tokens of a sequence; one token alone is a chunk of one."""
    return new_tokens * (scan.token_flop + scan.pair_flop * lesser(new_tokens, scan.chunk_tokens))


def add(shape: Shape, first: Work, more: Work) -> Work:
    """Two works that share a pass: the weights are touched once, of experts those that all tokens visit."""
    tokens = first.embedding_rows + more.embedding_rows
    pieces = _pieces(shape, tokens)
    experts = shape.moe_layers * _visited(shape, tokens, pieces)
    return Work(
        linear_flop=first.linear_flop + more.linear_flop,
        head_flop=first.head_flop + more.head_flop,
        attention_flop=first.attention_flop + more.attention_flop,
        query_flop=first.query_flop + more.query_flop,
        weights_touched=shape.dense_params * pieces + shape.expert_params * experts,
        expert_weights=shape.expert_params * experts,
        pieces=pieces,
        experts_read=experts,
        embedding_rows=tokens,
        logit_rows=first.logit_rows + more.logit_rows,
        kv_numbers_read=first.kv_numbers_read + more.kv_numbers_read,
        kv_numbers_written=first.kv_numbers_written + more.kv_numbers_written,
        kv_numbers_seen=first.kv_numbers_seen + more.kv_numbers_seen,
        fixed_read_bytes=first.fixed_read_bytes + more.fixed_read_bytes,
        fixed_written_bytes=first.fixed_written_bytes + more.fixed_written_bytes,
    )


def _pieces(shape: Shape, tokens: Numeric) -> Numeric:
    """How many micro-batches the tokens of a pass make: whole ones, and one for the rest."""
    if shape.piece_tokens is None:
        return 1.0
    return greater(-whole(-tokens / shape.piece_tokens), 1.0)


def _visited(shape: Shape, tokens: Numeric, pieces: Numeric) -> Numeric:
    """Experts of a layer that the micro-batches of a pass visit, each its own: whole ones, and the rest."""
    if shape.piece_tokens is None:
        return _distinct(shape, tokens)
    before = pieces - 1
    return before * _distinct(shape, shape.piece_tokens) + _distinct(shape, tokens - before * shape.piece_tokens)


def _distinct(shape: Shape, tokens: Numeric) -> Numeric:
    return distinct_experts(shape.num_experts, shape.num_experts_per_tok, tokens, shape.routing_independence)


def distinct_experts(experts: int, chosen: int, tokens: Numeric, independence: float = ROUTING_INDEPENDENCE) -> Numeric:
    """How many different experts of a layer the tokens of a pass visit, expected.

    One token visits `chosen`. If each chose independently, n tokens would leave each expert
    unvisited with probability (1 - chosen / experts) ** n.
    """
    if not experts:
        return 0.0
    unvisited = (1.0 - chosen / experts) ** (tokens**independence)
    return experts * (1.0 - unvisited)


def _pairs(new: Numeric, context: Numeric, window: int | None) -> Numeric:
    """Query-key pairs of one causal layer: token i of the pass sees the cache and the i tokens so far."""
    if window is None:
        return new * context + new * (new + 1) / 2
    growing = lesser(greater(window - context, 0.0), new)  # tokens whose view is not yet cut
    return growing * context + growing * (growing + 1) / 2 + (new - growing) * window
