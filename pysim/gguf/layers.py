"""The layers of a GGUF file: each with its mixers, and its parameters counted from its tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.errors import BadConfig
from pysim.gguf.mixers import Hyper, is_norm, mixers
from pysim.models.mixer import Layer, LayerParameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysim.gguf.blocks import Block
    from pysim.gguf.header import Header

EXPERTS: Final = ("ffn_up_exps", "ffn_gate_exps", "ffn_down_exps", "ffn_gate_up_exps")
_ROUTER: Final = ("ffn_gate_inp", "exp_probs_b", "ffn_exp_probs_b")
_SHARED: Final = ("ffn_up_shexp", "ffn_gate_shexp", "ffn_down_shexp", "ffn_gate_inp_shexp", "ffn_gate_up_shexp")
_MIXERS: Final = ("attn_", "ssm_", "shortconv.", "time_mix", "indexer.")


def guesses(block: Block) -> bool:
    """Is a layer there to guess more tokens (MTP), and not one that every token goes through?"""
    return any(name.startswith("nextn.") for name in block.tensors)


def count_experts(header: Header, own: Sequence[Block]) -> tuple[int, int, int]:
    """Routed experts of a layer, how many of them a token visits, and how wide one is; zeros for a dense model."""
    sparse = next((block for block in own if block.has(*EXPERTS)), None)
    if sparse is None:
        _refuse_old(own)
        return 0, 0, 0
    name = next(name for name in ("ffn_down_exps", *EXPERTS) if sparse.has(name))
    experts, width = sparse.size(name, 2), sparse.size("ffn_down_exps", 0)
    if not experts:
        raise BadConfig(f"blk.{sparse.number}.{name} has no dimension for its experts")
    used = Hyper(header, sparse.number).wanted("expert_used_count")
    if used > experts:
        raise BadConfig(f"{header.architecture}.expert_used_count is {used:,}, but there are {experts:,} experts")
    return experts, used, width or sparse.size(name, 1) or 1


def layer_of(header: Header, block: Block, window: int | None, experts: int, *, keeps: bool) -> Layer:
    """One layer; a tensor that none of the known names fits counts with the dense part, which every token visits."""
    mixing = mixers(header, block, window, keeps=keeps)
    routed = block.weights(*EXPERTS)
    if experts and routed % experts:
        routed -= routed % experts  # a scale beside the experts, not one for each
    shared, router = block.weights(*_SHARED), block.weights(*_ROUTER)
    norms = sum(tensor.weights for name, tensor in block.tensors.items() if is_norm(name))
    everything = sum(tensor.weights for tensor in block.tensors.values())
    attention = sum(mixer.params for mixer in mixing)
    return Layer(
        mixers=mixing,
        params=LayerParameters(
            attention=attention,
            dense=max(0, everything - routed - shared - router - norms - attention),
            experts=routed,
            expert=routed // experts if experts else 0,
            shared=shared,
            router=router,
            norms=norms,
        ),
    )


def dense_width(own: Sequence[Block]) -> int:
    """How wide the widest dense feed-forward part is; 1 where there is none."""
    return max((block.size("ffn_down", 0) or 1 for block in own), default=1)


def _refuse_old(own: Sequence[Block]) -> None:
    if any(block.has("ffn_down.0") for block in own):
        raise BadConfig(
            "each expert is its own tensor, as in files from before April 2024, which llama.cpp no longer reads: "
            "convert the model again"
        )
