"""The model of a GGUF file: layers from its tensors and numbers, weights in exactly the bytes that it has for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from pysim import units
from pysim.errors import BadConfig, BadValue, one_line
from pysim.gguf.blocks import beside, blocks
from pysim.gguf.file_bytes import TABLES, bytes_by_part
from pysim.gguf.layers import count_experts, dense_width, guesses, layer_of
from pysim.gguf.mixers import Hyper
from pysim.gguf.parts import joined
from pysim.gguf.windows import windows
from pysim.models.model import Block as Build
from pysim.models.model import Model

if TYPE_CHECKING:
    from pysim.gguf.blocks import Block
    from pysim.gguf.header import Header
    from pysim.models.mixer import Layer
    from pysim.models.model import LayerType

LONGEST_NAME: Final = 60
_VISION: Final = frozenset({"clip", "mmproj"})
# What general.type says of files that are no model.
_NO_MODELS: Final = {
    "adapter": "a LoRA adapter; give the model it belongs to",
    "imatrix": "a quantizer's importance matrix; give the model itself",
    "controlvector": "a control vector; give the model it belongs to",
}


def model_of(headers: Mapping[str, Header]) -> Model:
    """The model that files describe together, by the files' names: one file, its parts, and its vision part.

    BadConfig names the file and what is wrong or missing.
    """
    vision = {name: header for name, header in headers.items() if _is_vision(header)}
    language = {name: header for name, header in headers.items() if name not in vision}
    if not language:
        name = next(iter(headers), "no file")
        raise BadConfig(
            f"{name}: it is the vision part of a model (mmproj); give it together with the model's own file"
        )
    first = min(language)
    try:
        return _model(joined(language), first, sum(header.stored_bytes for header in vision.values()))
    except (BadValue, BadConfig) as error:
        raise BadConfig(str(error) if str(error).startswith(first) else f"{first}: {error}") from error


def _is_vision(header: Header) -> bool:
    """Is it the vision or audio part of a model, which llama.cpp has in a separate file?"""
    return header.architecture in _VISION or header.values.get("general.type") == "mmproj"


def _model(header: Header, file: str, vision_bytes: int) -> Model:
    kind = header.values.get("general.type")
    if isinstance(kind, str) and kind in _NO_MODELS:
        raise BadConfig(f"it is {_NO_MODELS[kind]}")
    if not header.architecture:
        raise BadConfig("general.architecture is missing, and nothing else describes the model's structure")
    every = blocks(header)
    own = tuple(block for block in every if not guesses(block))
    if not own:
        raise BadConfig("all its layers guess tokens ahead; give the file of the whole model")
    _check_count(header, len(own))
    told, assumed = windows(header, len(own))
    keeping = len(own) - (Hyper(header, 0).number("attention.shared_kv_layers") or 0)
    experts, used, width = count_experts(header, own)
    built = [layer_of(header, block, told[i], experts, keeps=i < keeping) for i, block in enumerate(own)]
    distinct = tuple(dict.fromkeys(built))
    held = bytes_by_part(header, own, vision_bytes)
    name = one_line(str(header.values.get("general.name") or ""), LONGEST_NAME).strip()
    stem = one_line(file.removesuffix(".gguf"), LONGEST_NAME).strip()
    return Model(
        key=stem or "gguf",
        name=name or stem or "a GGUF file",
        model_type=header.architecture,
        num_hidden_layers=len(own),
        max_position_embeddings=Hyper(header, 0).wanted("context_length"),
        intermediate_size=dense_width(own),
        moe_intermediate_size=width,
        num_experts=experts,
        num_experts_per_tok=used,
        layer_types=tuple(cast("LayerType", layer.layer_type) for layer in built),
        sliding_window=next((window for window in told if window is not None), None),
        distinct_layers=distinct,
        layer_order=tuple(distinct.index(layer) for layer in built),
        block=Build(),
        left_out=_left_out(header, tuple(block for block in every if guesses(block)), vision_bytes),
        quantization_note=assumed,
        quantization=held.format_name,
        file_bytes=held,
        source=f"the header of {stem}.gguf",
        **_sizes(header, own, built),
        **_tables(header),
    )


def _sizes(header: Header, own: Sequence[Block], built: Sequence[Layer]) -> dict[str, Any]:
    """The sizes of the first layer with attention; ones where no layer has any."""
    hidden = Hyper(header, 0).wanted("embedding_length")
    first = next((i for i, layer in enumerate(built) if any(mixer.rows for mixer in layer.mixers)), None)
    if first is None:
        return {"hidden_size": hidden, "num_attention_heads": 1, "num_key_value_heads": 1, "head_dim": hidden}
    numbers = Hyper(header, own[first].number)
    heads = numbers.wanted("attention.head_count")
    return {
        "hidden_size": hidden,
        "num_attention_heads": heads,
        "num_key_value_heads": numbers.number("attention.head_count_kv") or heads,
        "head_dim": numbers.number("attention.key_length") or max(1, hidden // heads),
    }


def _tables(header: Header) -> dict[str, Any]:
    """What is outside the layers: the vocabulary, whether the head is the input table, and other parameters."""
    apart = {name: tensor.weights for name, tensor in beside(header).items()}
    table = beside(header).get("token_embd")
    hidden = Hyper(header, 0).wanted("embedding_length")
    if table is None or len(table.shape) != 2 or table.shape[0] != hidden:
        raise BadConfig(f"the tensor token_embd.weight of {hidden:,} by the vocabulary is missing")
    looked_up = sum(apart.get(name, 0) for name in TABLES[1:])
    counted = apart["token_embd"] + apart.get("output", 0) + looked_up + hidden
    return {
        "vocab_size": table.shape[1],
        "tie_word_embeddings": "output" not in apart,
        "table_params": looked_up,
        "other_params": max(0, sum(apart.values()) - counted),
    }


def _check_count(header: Header, layers: int) -> None:
    """Refuse a file that says another number of layers than it has tensors of: a part of it would be missing.

    The number has the layers that guess ahead in it (llama.cpp: n_layer_all), whether or not the file has them.
    """
    said, guessing = Hyper(header, 0).number("block_count"), Hyper(header, 0).number("nextn_predict_layers") or 0
    if said is not None and layers not in (said, said - guessing):
        raise BadConfig(f"{header.architecture}.block_count is {said:,}, but there are tensors of {layers:,} layers")


def _left_out(header: Header, guessing: Sequence[Block], vision_bytes: int) -> tuple[str, ...]:
    """What the files have and pysim does not count, in words."""
    out = []
    if vision_bytes:
        out.append(f"a vision encoder in a separate file (its {units.show(vision_bytes, 'B', digits=3)} are counted)")
    if guessing:
        size = sum(tensor.stored_bytes for block in guessing for tensor in block.tensors.values())
        layers = "a layer that predicts" if len(guessing) == 1 else f"{len(guessing)} layers that predict"
        out.append(f"{layers} more tokens (MTP, {units.show(size, 'B', digits=3)} of the file)")
    out += header.notes
    return tuple(out)
