"""Times of a pass on a device: how long it takes, and whether memory or arithmetic decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from pysim.arrays.numeric import greater, lesser

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.engines.efficiency import Efficiency
    from pysim.roofline.work import Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """How a model's numbers are stored: bytes of its parts.

    `layers`: all layers but their routed experts, with the norms; `expert`: one routed expert.
    `embedding_row`: one token's row of a separate input table, 0 where the head is the table.
    `kv_number`: one cached number.
    """

    layers: float
    head: float
    embedding_row: float
    expert: float
    kv_number: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """The bytes that a pass moves."""

    weights_read: Numeric
    kv_read: Numeric
    kv_written: Numeric
    kv_seen: Numeric

    @property
    def total(self) -> Numeric:
        """All of them; what a token sees of the other fed ones need not leave the chip."""
        return self.weights_read + self.kv_read + self.kv_written


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A device, or several as one, that works on a `share` of the layers in every pass.

    `overhead_s`: what every micro-batch costs besides its bytes and FLOP. `link_bytes`: what each token's all-reduces
    send over a device's link, of `link_bytes_per_s`.
    """

    share: Numeric
    peak_flop_per_s: Numeric
    bandwidth_bytes_per_s: Numeric
    kv_bandwidth_bytes_per_s: Numeric
    efficiency: Efficiency
    overhead_s: Numeric
    link_bytes: Numeric = 0.0
    link_bytes_per_s: Numeric = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The parts of a pass's time; `roof_memory_s` and `roof_compute_s` are those of the spec sheet's roofline."""

    roof_memory_s: Numeric
    roof_compute_s: Numeric
    memory_s: Numeric
    compute_s: Numeric
    overhead_s: Numeric
    time_s: Numeric


def moved(work: Work, stored: Stored) -> Moved:
    """Weights once, of a mixture the experts that are visited; rows and states read, new ones written."""
    return Moved(
        weights_read=stored.layers * work.pieces
        + stored.head * lesser(work.logit_rows, 1.0)
        + stored.expert * work.experts_read
        + stored.embedding_row * work.embedding_rows,
        kv_read=stored.kv_number * work.kv_numbers_read + work.fixed_read_bytes,
        kv_written=stored.kv_number * work.kv_numbers_written + work.fixed_written_bytes,
        kv_seen=stored.kv_number * work.kv_numbers_seen,
    )


# Kernels that multiply a block of queries at once fill it up to so many.
QUERY_BLOCK_TOKENS: Final = 16
# How sharp the corner is between kernels and between reading and arithmetic: the fourth power. Where both take
# equally long, a pass takes 1.19 times as long as with either alone, and the better of two kernels 0.84 times.
SHARP: Final = 4.0


def stage_times(work: Work, bytes_moved: Moved, stage: Stage) -> Times:
    """The time of a stage: its overhead, and of each kind of kernel what its reading and its arithmetic take.

    Layers' matrices and attention are different kernels, one after the other: the reading of the one hides nothing
    of the other's arithmetic. Of matrices the longer side decides, with a round corner; of attention, whose kernels
    wait for what they read, both count. At the spec sheet's speed everything overlaps (`Efficiency.apart`).
    """
    measured, share = stage.efficiency, stage.share
    per_kv_byte = share / stage.kv_bandwidth_bytes_per_s
    per_flop = share / stage.peak_flop_per_s
    weights = bytes_moved.weights_read * (share / (measured.weights * stage.bandwidth_bytes_per_s))
    cache = (bytes_moved.kv_read + bytes_moved.kv_written) * (per_kv_byte / measured.kv)
    flop = work.linear_flop + work.head_flop
    vector = flop / measured.vector + work.weights_touched * (2 * measured.vector_unpack_tokens)
    matrix = flop / measured.matrix + work.weights_touched * (2 * measured.matrix_unpack_tokens)
    matrix = matrix + work.expert_weights * (2 * measured.expert_pad_tokens)
    blocks = (work.attention_flop + work.query_flop * QUERY_BLOCK_TOKENS) / measured.attention
    attention = lesser(work.attention_flop / measured.attention_vector, blocks) * per_flop
    attention = attention + bytes_moved.kv_seen * (measured.reread * per_kv_byte)
    overhead = stage.overhead_s * work.pieces
    overhead = overhead + work.embedding_rows * (stage.link_bytes / stage.link_bytes_per_s)
    if measured.apart:
        linear = (vector**-SHARP + matrix**-SHARP) ** (-1 / SHARP) * per_flop
        time = overhead + (weights**SHARP + linear**SHARP) ** (1 / SHARP) + cache + attention
    else:
        linear = lesser(vector, matrix) * per_flop
        time = overhead + greater(weights + cache, linear + attention)
    return Times(
        roof_memory_s=bytes_moved.weights_read * (share / stage.bandwidth_bytes_per_s)
        + (bytes_moved.kv_read + bytes_moved.kv_written) * per_kv_byte,
        roof_compute_s=(flop + work.attention_flop) * per_flop,
        memory_s=weights + cache,
        compute_s=linear + attention,
        overhead_s=overhead,
        time_s=time,
    )


def pass_times(work: Work, bytes_moved: Moved, stages: tuple[Stage, ...]) -> Times:
    """The times of stages that a pass goes through one after the other, added."""
    first = stage_times(work, bytes_moved, stages[0])
    for stage in stages[1:]:
        more = stage_times(work, bytes_moved, stage)
        first = Times(
            roof_memory_s=first.roof_memory_s + more.roof_memory_s,
            roof_compute_s=first.roof_compute_s + more.roof_compute_s,
            memory_s=first.memory_s + more.memory_s,
            compute_s=first.compute_s + more.compute_s,
            overhead_s=first.overhead_s + more.overhead_s,
            time_s=first.time_s + more.time_s,
        )
    return first


# Prompts of a layer split go through the devices in pieces of so many tokens (llama.cpp's n_ubatch).
MICRO_BATCH_TOKENS: Final = 512


def pipeline_gain(devices: Numeric, tokens: Numeric, piece_tokens: Numeric, exponent: Numeric) -> Numeric:
    """How much faster a prompt passes through devices in a row, each working on another piece of it.

    m pieces through n devices take the time of m + n - 1 pieces on one of them, against n × m without overlap.
    """
    pieces = greater(tokens / piece_tokens, 1.0)
    return cast("Numeric", (devices * pieces / (pieces + devices - 1)) ** exponent)
