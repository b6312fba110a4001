"""The mixers of one layer of a GGUF file, by its tensors: attention, latent attention, a state, a convolution."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pysim import checks
from pysim.errors import BadConfig, quoted
from pysim.models.kinds.attention import attention
from pysim.models.kinds.gated_deltanet import delta_scan
from pysim.models.kinds.latent_attention import latent_attention
from pysim.models.mixer import Mixer, Rows, Scan

if TYPE_CHECKING:
    from pysim.gguf.blocks import Block
    from pysim.gguf.header import Header

MOST_SIZE = 10**9


@dataclass(frozen=True, slots=True)
class Hyper:
    """A file's numbers for one layer: a list in the file has one for each."""

    header: Header
    layer: int

    def number(self, name: str) -> int | None:
        """A whole number, 0 allowed; None where the file does not say. BadConfig names what is none."""
        value = self.header.of(name)
        key = f"{self.header.architecture}.{name}"
        if isinstance(value, tuple):
            if value and self.layer >= len(value):
                raise BadConfig(f"{key} has {len(value):,} entries, but there is a layer {self.layer:,}")
            value = value[self.layer] if value else None
        return None if value is None else checks.count(value, key, least=0, most=MOST_SIZE)

    def wanted(self, name: str) -> int:
        """A whole number of at least 1, without which the layer cannot be counted."""
        value = self.number(name)
        if not value:
            lacking = "missing" if value is None else "zero"
            raise BadConfig(f"{self.header.architecture}.{name} is {lacking} in the file")
        return value


def mixers(header: Header, block: Block, window: int | None, *, keeps: bool) -> tuple[Mixer, ...]:
    """What one layer mixes tokens with; nothing for a layer that is a feed-forward part alone.

    `keeps`: False where the layer reads the rows of an earlier one. All parameters are the tensors' own.
    """
    numbers = Hyper(header, block.number)
    built = []
    if block.has("attn_kv_a_mqa"):
        built.append(_exact(_latent(numbers, block), block, "attn_", "indexer."))
    elif _attends(block):
        built.append(_exact(_heads(numbers, block, window, keeps=keeps), block, "attn_"))
    if block.has("ssm_conv1d", "ssm_conv1d_q", "ssm_in", "ssm_a"):
        also = () if built else ("attn_",)
        built.append(_exact(_state(numbers, block), block, "ssm_", *also))
    if block.has("shortconv.conv"):
        kernel = block.size("shortconv.conv", 0) or 1
        conv = (kernel - 1) * (block.size("shortconv.conv", 1) or 1)
        built.append(_exact(Mixer(kind="short_conv", query=0, output=0, conv=conv), block, "shortconv."))
    if any(name.startswith("time_mix") for name in block.tensors):
        built.append(_exact(_rwkv(numbers), block, "time_mix"))
    return tuple(built)


def _attends(block: Block) -> bool:
    """Does the layer have heads of attention? Next to a state (Falcon-H1) they have their own queries and keys."""
    if block.has("ssm_conv1d", "ssm_conv1d_q", "ssm_in"):
        return block.has("attn_q") and block.has("attn_k") and not block.has("ssm_conv1d_q")
    return block.has("attn_q", "attn_qkv")


def _exact(mixer: Mixer, block: Block, *beginnings: str) -> Mixer:
    """The mixer with as many parameters as its tensors have, norms before and behind it apart."""
    names = [name for name in block.tensors if name.startswith(beginnings) and not is_norm(name)]
    total = sum(block.tensors[name].weights for name in names)
    matrices = mixer.query + mixer.key + mixer.value + mixer.output
    if matrices > total:
        return replace(mixer, query=total, key=0, value=0, output=0, other=0)
    return replace(mixer, other=total - matrices)


def is_norm(name: str) -> bool:
    """Is a tensor a norm of the layer's whole width, not one within its attention?"""
    inner = name.startswith(("attn_q_norm", "attn_k_norm", "attn_q_a_norm", "attn_kv_a_norm", "attn_sub_norm", "ssm_"))
    return "norm" in name and not inner


def _heads(numbers: Hyper, block: Block, window: int | None, *, keeps: bool) -> Mixer:
    heads, hidden = numbers.wanted("attention.head_count"), numbers.wanted("embedding_length")
    key, value = _widths(numbers, hidden // heads if hidden >= heads else 1, windowed=window is not None)
    kv_heads = numbers.number("attention.head_count_kv") or heads
    projects = block.has("attn_k", "attn_qkv")
    row = block.size("attn_k", 1)
    if row is not None and row != kv_heads * key:
        if row % kv_heads:
            raise BadConfig(
                f"blk.{block.number}.attn_k has {row:,} rows, and {quoted(numbers.header.architecture)} says "
                f"{kv_heads:,} heads of {key:,}"
            )
        value = row // kv_heads if value == key else value
        key = row // kv_heads
    return attention(
        hidden, heads, kv_heads, key, value,
        window=window, own_value=block.has("attn_v", "attn_qkv"), keeps=keeps and projects, projects=projects,
    )  # fmt: skip


def _widths(numbers: Hyper, usual: int, *, windowed: bool) -> tuple[int, int]:
    """The widths of a key and of a value."""
    own = ("_swa", "") if windowed else ("",)
    key = next((width for end in own if (width := numbers.number(f"attention.key_length{end}"))), usual)
    value = next((width for end in own if (width := numbers.number(f"attention.value_length{end}"))), key)
    return key, value


def _latent(numbers: Hyper, block: Block) -> Mixer:
    latent = numbers.number("attention.kv_lora_rank") or block.size("attn_kv_a_norm", 0)
    row = block.size("attn_kv_a_mqa", 1)
    if not latent or not row or row < latent:
        raise BadConfig(f"blk.{block.number}.attn_kv_a_mqa does not fit the latent of {latent or 0:,} numbers")
    rope = row - latent
    # Since 2025 the plain lengths are those of the latent row, and those of a head stand under names of their own.
    key = numbers.number("attention.key_length_mla") or numbers.wanted("attention.key_length")
    value = numbers.number("attention.value_length_mla") or numbers.wanted("attention.value_length")
    index: tuple[Rows, ...] = ()
    chosen = numbers.number("attention.indexer.top_k") or None
    if chosen is not None and block.has("indexer.attn_k", "indexer.wk"):
        width = numbers.wanted("attention.indexer.key_length")
        flop = 2.0 * width * numbers.wanted("attention.indexer.head_count")
        index = (Rows(numbers=0, read=0, fixed_bytes=2.0 * width, pair_flop=flop, absorbed_pair_flop=flop),)
    return latent_attention(
        numbers.wanted("embedding_length"), numbers.wanted("attention.head_count"),
        latent=latent, rope=rope, nope=max(1, key - rope), value=value,
        query_rank=block.size("attn_q_a", 1), index=index, most_read=chosen,
    )  # fmt: skip


def _state(numbers: Hyper, block: Block) -> Mixer:
    """A recurrent state of 32-bit numbers, and the last inputs of a convolution (llama_hparams::n_embd_s, n_embd_r)."""
    width = numbers.number("kda.head_dim")
    if width is not None:
        heads = numbers.wanted("attention.head_count")
        convs = ("ssm_conv1d_q", "ssm_conv1d_k", "ssm_conv1d_v")
        conv = sum(((block.size(name, 0) or 1) - 1) * heads * width for name in convs)
        scan = delta_scan(heads, width, width)
        return Mixer(kind="kimi_delta", query=0, output=0, state=heads * width * width, conv=conv, scan=scan)
    inner, state = numbers.wanted("ssm.inner_size"), numbers.wanted("ssm.state_size")
    groups, rank = numbers.number("ssm.group_count") or 0, numbers.number("ssm.time_step_rank") or 0
    kernel = block.size("ssm_conv1d", 0) or numbers.wanted("ssm.conv_kernel")
    channels = block.size("ssm_conv1d", 1) or inner + 2 * groups * state
    if block.has("attn_qkv", "ssm_beta_alpha", "ssm_ba", "ssm_alpha") and rank:
        kind, scan = "gated_deltanet", delta_scan(rank, state, inner // rank)
    elif groups:
        kind = "mamba2"
        scan = Scan(token_flop=4.0 * inner * state, pair_flop=2.0 * groups * state + 2.0 * inner, chunk_tokens=256)
    else:
        kind, scan = "mamba", Scan(token_flop=6.0 * inner * state)
    return Mixer(kind=kind, query=0, output=0, state=inner * state, conv=(kernel - 1) * channels, scan=scan)


def _rwkv(numbers: Hyper) -> Mixer:
    hidden, head = numbers.wanted("embedding_length"), numbers.wanted("wkv.head_size")
    scan = Scan(token_flop=4.0 * hidden * head)
    return Mixer(kind="linear_heads", query=0, output=0, state=hidden * head, conv=2 * hidden, scan=scan)
