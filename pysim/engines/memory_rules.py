"""Memory rules: how an engine stores the cache, what it sets aside, and what it needs besides weights and cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

ReservationKind = Literal["share of memory", "whole context", "context by memory", "all but a reserve"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheRule:
    """How an engine stores the cache of its conversations.

    `step_tokens`: rows are taken in whole steps (blocks, padding). `window_pass_tokens`: a layer with a window has
    room for the window and for so many tokens of a pass. `window_format`: the format of rows with a window where the
    cache is quantized; None as the others. `unread_windows`: architectures whose window the engine does not read; with
    `whole_windows` it is as if it read none. `conv_bytes`: of one cached input of a convolution. `state_copies`: how
    often a conversation's state is kept. `slots`: for how many conversations it keeps room; `shared_up_to`: up to so
    many share one cache, more have one each. `equal_pages`: all kinds of layers take pages of one size from one pool.
    """

    step_tokens: int = 1
    window_pass_tokens: int = 0
    window_format: str | None = None
    unread_windows: tuple[str, ...] = ()
    whole_windows: bool = False
    conv_bytes: int = 2
    state_copies: int = 1
    slots: int = 1
    shared_up_to: int = 0
    equal_pages: bool = False


# Rows as they are: no steps, no spare room, one conversation at a time.
PLAIN_CACHE: Final = CacheRule()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationRule:
    """How an engine sets memory aside for the KV cache before the first token.

    `kind`: a pool of a `share` of each device's memory, a pool of all but a reserve, the whole context of every
    conversation, or a context chosen by the memory of all devices. `earlier_shares`: pairs of a version and the share
    before it, newest first. `reserves`: pairs of a device's least memory and what is left free of it, largest first;
    `reserve_per_device_bytes`: more for each device. `contexts`: pairs of the least memory in bytes and the tokens
    chosen from there on, largest first. `step_tokens`: contexts are rounded up to whole steps (blocks, padding).
    `margin_bytes`: what a program that fits models by itself leaves free; `least_context_tokens`: the shortest context
    that it cuts to before it moves layers. `rule` and `note` are sentences for readers, `order` the place among
    engines shown side by side, None for one that is not.
    """

    kind: ReservationKind
    order: int | None
    share: float
    step_tokens: int
    contexts: tuple[tuple[float, int], ...]
    rule: str
    note: str
    source: str
    earlier_shares: tuple[tuple[str, float], ...] = ()
    reserves: tuple[tuple[float, float], ...] = ()
    reserve_per_device_bytes: float = 0.0
    margin_bytes: float = 0.0
    least_context_tokens: int = 0

    @property
    def pooled(self) -> bool:
        """Does the engine take its part at once, whatever the conversations need?"""
        return self.kind in {"share of memory", "all but a reserve"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PassSize:
    """The largest pass that an engine prepares for, on devices of at least so much memory.

    `tokens` in one pass, `sequences` whose next tokens are chosen after it. `except_devices`: words in the names of
    devices for which the engine's own list makes an exception.
    """

    least_bytes: float
    tokens: int
    sequences: int
    except_devices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingRule:
    """What an engine needs besides weights and cache: buffers of its largest pass, graphs, its own process.

    `passes`: the largest pass by the memory of a device, largest first. `logits_of`: scores are kept of every token of
    the pass or of one for each sequence, `logit_bytes` of each while the next token is chosen. `number_bytes`: of one
    number between two layers; at its widest a layer holds `ffn_copies` of its inner width and `hidden_copies` of its
    hidden one for each token. `logits_hidden_copies`: hidden rows that are still held with the scores.
    `holds_expert_rows`: buffers of a row for each token and chosen expert are kept. `fixed_bytes`: whatever the model.
    `graph_layer_bytes`: recorded graphs, for each layer, where the engine leaves room for them. `outside_bytes`: of the
    process itself on a single card, `together_bytes` where several work together over their own links. `earlier`:
    pairs of a version and the rule before it, newest first.
    """

    passes: tuple[PassSize, ...]
    logits_of: Literal["pass", "sequences"]
    logit_bytes: float
    number_bytes: float
    hidden_copies: float
    ffn_copies: float
    logits_hidden_copies: float = 0.0
    holds_expert_rows: bool = False
    fixed_bytes: float = 0.0
    graph_layer_bytes: float = 0.0
    outside_bytes: float = 0.0
    together_bytes: float = 0.0
    note: str = ""
    source: str = ""
    earlier: tuple[tuple[str, WorkingRule], ...] = ()


# An engine that nobody named takes about what the most sparing known one does: scores of a pass of 512 tokens in 32
# bits, the widest layer of it, and the process on the card.
PLAIN_WORKING: Final = WorkingRule(
    passes=(PassSize(least_bytes=0.0, tokens=512, sequences=1),),
    logits_of="pass",
    logit_bytes=4.0,
    number_bytes=4.0,
    hidden_copies=4.0,
    ffn_copies=2.0,
    fixed_bytes=8 * 2**20,
    outside_bytes=470 * 2**20,
    note="as llama.cpp takes it, the most sparing of the known engines",
    source="https://github.com/ggml-org/llama.cpp/issues/23679",
)
