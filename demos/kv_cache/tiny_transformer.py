"""A small transformer that reads a text with or without the keys and values of what it has read before.

A decoder-only transformer, small enough for a page: token embeddings, layers of grouped-query attention and
a feed-forward network with RMSNorm before each, and its own output head. Position enters as ALiBi (Press,
Smith and Lewis, 2021, arXiv:2108.12409), and each token looks back on a window. Its weights come from a seed
and were never trained: it shows the mechanism, not meaning.

Every number is a multiple of a power of two, small enough that products and sums are exact in a float64, in
any order; what is left (division, square root) is rounded alike everywhere by IEEE 754, and the exponential
is a table. So the result is the same to the last bit on every machine, and with the cache as without it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Cache: TypeAlias = tuple[Array, ...]

WIDTH = 32
LAYERS = 2
HEADS = 4
KV_HEADS = 2
HEAD_WIDTH = 4
HIDDEN = 64
WINDOW = 24
# Two layers that look back on WINDOW tokens each: nothing older can change what the last token gives.
REACH = LAYERS * (WINDOW - 1) + 1

MOST_TOKENS = REACH + WINDOW  # of one pass with the rows before it

WEIGHT_STEP = 1 / 64
VALUE_STEP = 1 / 256
SCORE_STEP = 1 / 16
SHARE_STEP = 1 / 1024
EXP_STEP = 2**-20
EPSILON = 2**-10

QUERIES = HEADS * HEAD_WIDTH
KEYS = KV_HEADS * HEAD_WIDTH
SHARED = HEADS // KV_HEADS
# A score below the best by 256 steps has no weight left: exp(-16) is less than EXP_STEP.
EXP_TABLE = np.array([round(math.exp(-k * SCORE_STEP) / EXP_STEP) * EXP_STEP for k in range(255)] + [0.0])


def _penalties() -> Array:
    """What ALiBi takes off a score by distance (head, query, key), and all of it where a token must not look."""
    places = np.arange(MOST_TOKENS)
    distance = places[:, None] - places[None, :]
    slopes = np.array([2.0 ** -(1 + head) for head in range(HEADS)]).reshape(KV_HEADS, SHARED, 1, 1)
    return np.where((distance >= 0) & (distance < WINDOW), slopes * distance, 1024.0)


PENALTIES = _penalties()


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The weights of one layer; `attend` holds those of queries, keys and values side by side."""

    attend: Array
    output: Array
    up: Array
    down: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a pass gives: scores of the next token, where its last token looked, and the rows to keep.

    `looks` are shares of the last layer's attention, mean of its heads, for the last `len(looks)` tokens;
    multiples of SHARE_STEP / HEADS, about 1 together. `cache` has an array per layer, a row per token.
    """

    scores: Array
    looks: Array
    cache: Cache

    @property
    def token(self) -> int:
        """The token with the best score (the first of equals)."""
        return int(np.argmax(self.scores))


class TinyTransformer:
    """The network of one seed and vocabulary size."""

    def __init__(self, seed: int, vocabulary: int) -> None:
        """Draw the weights by chance from the seed."""
        chance = random.Random(seed).random

        def weights(inputs: int, outputs: int, most: int) -> Array:
            drawn = [round((2 * chance() - 1) * most) for _ in range(inputs * outputs)]
            # Stored by output: numpy without BLAS multiplies one row fastest by a transposed array.
            return (np.array(drawn, dtype=np.float64).reshape(outputs, inputs) * WEIGHT_STEP).T

        self.embedding = np.ascontiguousarray(weights(WIDTH, vocabulary, 48).T)
        self.head = weights(WIDTH, vocabulary, 48)
        self.layers = [
            Layer(
                attend=weights(WIDTH, QUERIES + 2 * KEYS, 32),
                output=weights(QUERIES, WIDTH, 20),
                up=weights(WIDTH, HIDDEN, 20),
                down=weights(HIDDEN, WIDTH, 14),
            )
            for _ in range(LAYERS)
        ]

    def read(self, tokens: Sequence[int], cache: Cache = ()) -> Read:
        """Run one pass over `tokens`, which follow the cached ones (of these the last WINDOW - 1 are seen).

        Raises ValueError where tokens and seen rows are more than MOST_TOKENS: what came before REACH may be left out.
        """
        if len(tokens) + (WINDOW - 1 if cache else 0) > MOST_TOKENS:
            raise ValueError(f"{len(tokens)} tokens are too many: a pass has at most {MOST_TOKENS} with the rows seen")
        flow = self.embedding[list(tokens)]
        kept: list[Array] = []
        shares = PENALTIES
        for index, layer in enumerate(self.layers):
            mixed = to_step(product(normal(flow), layer.attend), VALUE_STEP)
            rows = mixed[:, QUERIES:]
            if cache:
                rows = np.concatenate([cache[index][1 - WINDOW :], rows])
            kept.append(rows)
            seen, shares = attention(mixed[:, :QUERIES], rows)
            flow = flow + to_step(product(seen, layer.output), VALUE_STEP)
            inner = to_step(np.maximum(product(normal(flow), layer.up), 0.0), VALUE_STEP)
            flow = flow + to_step(product(inner, layer.down), VALUE_STEP)
        last = shares[:, :, -1, -WINDOW:]
        return Read(
            scores=product(normal(flow[-1:]), self.head)[0],
            looks=last.sum(axis=(0, 1)) / HEADS,
            cache=tuple(kept),
        )


def attention(queries: Array, rows: Array) -> tuple[Array, Array]:
    """Mix the values of `rows` for each query; also returns the shares by (KV head, head, query, row)."""
    asked, there = len(queries), len(rows)
    query = queries.reshape(asked, KV_HEADS, SHARED, HEAD_WIDTH).transpose(1, 2, 0, 3)
    keys, values = rows.reshape(there, 2, KV_HEADS, 1, HEAD_WIDTH).transpose(1, 2, 3, 0, 4)
    scores = query @ keys.swapaxes(-1, -2) / math.sqrt(HEAD_WIDTH)
    scores -= PENALTIES[:, :, there - asked : there, :there]
    behind = np.rint((scores.max(axis=-1, keepdims=True) - scores) / SCORE_STEP)
    raised = EXP_TABLE[np.minimum(behind, len(EXP_TABLE) - 1).astype(np.intp)]
    shares = to_step(raised / raised.sum(axis=-1, keepdims=True), SHARE_STEP)
    mixed = to_step(shares @ values, VALUE_STEP)
    return mixed.transpose(2, 0, 1, 3).reshape(asked, QUERIES), shares


def normal(flow: Array) -> Array:
    """RMSNorm (Zhang and Sennrich, 2019, arXiv:1910.07467) without a gain."""
    mean = np.einsum("ij,ij->i", flow, flow) / WIDTH
    return to_step(flow / np.sqrt(mean + EPSILON)[:, None], VALUE_STEP)


def to_step(values: Array, step: float) -> Array:
    """Round to multiples of a power of two."""
    return np.rint(values / step) * step


def product(rows: Array, weights: Array) -> Array:
    """Multiply matrices the way that is fastest without BLAS; the order of the sums does not matter here."""
    return rows @ weights if len(rows) == 1 else np.einsum("ij,jk->ik", rows, weights)
