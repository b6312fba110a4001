"""Seconds of a step of a plain model, with everything that does not change from step to step multiplied beforehand.

The same arithmetic as `pysim.roofline.work` and `pysim.roofline.times`, for one number at a time: a simulation asks for
tens of thousands of steps. Plain are layers of full and windowed attention, dense or with experts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pysim.roofline.setting import Setting
from pysim.roofline.times import QUERY_BLOCK_TOKENS, SHARP, Stage
from pysim.roofline.work import distinct_experts

# New tokens of each sequence, rows cached before, sequences.
Part = tuple[int, float, int]
FOURTH: Final = 1 / SHARP


@dataclass(frozen=True, slots=True)
class _Seconds:
    """A stage's seconds for each unit of work."""

    weight_byte: float
    kv_byte_moved: float
    kv_byte_seen: float
    flop_vector: float
    flop_matrix: float
    touched_vector: float
    touched_matrix: float
    expert_matrix: float
    attention_vector: float
    attention_blocks: float
    overhead: float
    token: float
    apart: bool

    @classmethod
    def of(cls, stage: Stage) -> _Seconds:
        """The rates of a stage, turned over."""
        measured, share = stage.efficiency, float(stage.share)
        per_flop = share / float(stage.peak_flop_per_s)
        per_kv_byte = share / float(stage.kv_bandwidth_bytes_per_s)
        return cls(
            weight_byte=share / (float(measured.weights) * float(stage.bandwidth_bytes_per_s)),
            kv_byte_moved=per_kv_byte / float(measured.kv),
            kv_byte_seen=per_kv_byte * float(measured.reread),
            flop_vector=per_flop / float(measured.vector),
            flop_matrix=per_flop / float(measured.matrix),
            touched_vector=per_flop * 2 * float(measured.vector_unpack_tokens),
            touched_matrix=per_flop * 2 * float(measured.matrix_unpack_tokens),
            expert_matrix=per_flop * 2 * float(measured.expert_pad_tokens),
            attention_vector=per_flop / float(measured.attention_vector),
            attention_blocks=per_flop / float(measured.attention),
            overhead=float(stage.overhead_s),
            token=float(stage.link_bytes) / float(stage.link_bytes_per_s),
            apart=bool(measured.apart),
        )


class PlainStep:
    """A deployment's steps; build it with `plain_step`."""

    def __init__(self, at: Setting) -> None:
        shape = at.shape
        self._shape, self._stored = shape, at.stored
        self._stages = tuple(_Seconds.of(stage) for stage in at.stages)
        self._kinds = tuple(
            (count, rows.window, rows.read, rows.pair_flop) for count, rows in shape.held.rows
        )  # fmt: skip
        self._written = sum(count * rows.numbers for count, rows in shape.held.rows)

    def seconds(self, parts: Sequence[Part]) -> float:
        """Seconds of a step that carries these parts."""
        tokens = sequences = 0
        attention = query = read = seen = 0.0
        for new, context, batch in parts:
            tokens, sequences = tokens + new * batch, sequences + batch
            own = 0.0
            for count, window, row_numbers, pair_flop in self._kinds:
                if window is None:
                    pairs, there = new * context + new * (new + 1) / 2, context
                else:
                    growing = min(max(window - context, 0.0), new)
                    pairs = growing * context + growing * (growing + 1) / 2 + (new - growing) * window
                    there = min(context, window)
                own += count * pair_flop * pairs
                read += count * row_numbers * there * batch
                seen += count * row_numbers * pairs * batch
            attention += own * batch
            query += own * batch / new
        shape, stored = self._shape, self._stored
        experts = 0.0
        if shape.moe_layers:
            experts = shape.moe_layers * float(
                distinct_experts(shape.num_experts, shape.num_experts_per_tok, tokens, shape.routing_independence)
            )
        flop = shape.linear_flop_per_token * tokens + shape.head_flop_per_row * sequences
        visited = shape.expert_params * experts
        touched = shape.dense_params + visited
        weights = stored.layers + stored.head + stored.expert * experts + stored.embedding_row * tokens
        moved, again = stored.kv_number * (read + self._written * tokens), stored.kv_number * seen
        blocks = attention + query * QUERY_BLOCK_TOKENS
        total = 0.0
        for each in self._stages:
            vector = flop * each.flop_vector + touched * each.touched_vector
            matrix = flop * each.flop_matrix + touched * each.touched_matrix + visited * each.expert_matrix
            attended = min(attention * each.attention_vector, blocks * each.attention_blocks)
            attended += again * each.kv_byte_seen
            reading, cache = weights * each.weight_byte, moved * each.kv_byte_moved
            total += each.overhead + tokens * each.token
            if each.apart:
                linear = (vector**-SHARP + matrix**-SHARP) ** -FOURTH
                total += (reading**SHARP + linear**SHARP) ** FOURTH + cache + attended
            else:
                total += max(reading + cache, min(vector, matrix) + attended)
        return total


def plain_step(at: Setting) -> PlainStep | None:
    """The steps of a setting, or None where a layer is none of the plain kinds."""
    shape = at.shape
    plain = all(
        rows.tokens_per_row == 1 and rows.most_read is None and not rows.expand_flop and not rows.fixed_bytes
        for _, rows in shape.held.rows
    )
    return PlainStep(at) if plain and not shape.scans and not shape.held.state and shape.piece_tokens is None else None
