"""Notes of the command line: what to know about an answer besides its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.models.model import Model


def model_notes(model: Model, tokens: int) -> list[str]:
    """What a model's answer leaves out: tokens beyond its context, and parts that are not counted."""
    notes = []
    if tokens > model.max_position_embeddings:
        notes.append(
            f"{model.name} ends at {model.max_position_embeddings:,} tokens; {tokens:,} are counted as if it continued"
        )
    if model.left_out:
        notes.append(f"not counted: {', '.join(model.left_out)}")
    if model.quantization is None and model.quantization_note:
        notes.append(f"{model.quantization_note}: counted as 16 bits unless --weights says otherwise")
    return notes


def deployment_notes(on: Deployed, tokens: int) -> list[str]:
    """The same, and the devices that hold no part of the model."""
    notes = model_notes(on.model, tokens)
    if on.host is not None and not on.layers_on_host:
        notes.append(f"no layer runs on {on.host.name}: --layers-on-host sets how many")
    layers = on.model.num_hidden_layers - on.layers_on_host
    if on.split == "layers" and on.n_devices > layers:
        notes.append(f"{on.n_devices - layers:,} of the {on.n_devices:,} devices hold none of the {layers} layers")
    return notes


def joined(rows: list[dict[str, object]]) -> list[str]:
    """The notes of all rows, each once."""
    told: dict[str, None] = {}
    for row in rows:
        notes = row.get("notes")
        told |= dict.fromkeys(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else {}
    return list(told)
