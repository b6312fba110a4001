"""The default weight format: what a model's own config says, or 16 bits where it says nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.formats.names import weight_format

if TYPE_CHECKING:
    from pysim.models.model import Model

# The word that stands for "as the model's config says" wherever a weight format is chosen.
AS_CONFIG: Final = "config"
AS_CONFIG_WORDS: Final = "as its config says"
UNSAID: Final = "f16"


def format_of(model: Model, name: str = AS_CONFIG) -> str:
    """A format's name for a model: `name` itself, or the config's own format where `name` is "config"."""
    if isinstance(name, str) and name.strip().lower() == AS_CONFIG:
        return model.quantization or UNSAID
    return name


def is_configs_own(model: Model, name: str) -> bool:
    """Is a format the one that the model's config says? Not where the config says none."""
    return model.quantization is not None and weight_format(name).name == weight_format(model.quantization).name


def says_format(model: Model, name: str = AS_CONFIG) -> str:
    """A format's name with the reason for it: "MXFP4, as its config says", or what could not be read of the config."""
    chosen = format_of(model, name)
    named = weight_format(chosen).name
    if model.file_bytes is not None and is_configs_own(model, chosen):
        return f"{named}, as the file holds it ({model.file_bytes.mix})"
    if is_configs_own(model, chosen):
        return f"{named}, {AS_CONFIG_WORDS if model.stored_by == 'config' else 'as its name says'}"
    if model.quantization_note and chosen == UNSAID:
        return f"{named}, since {model.quantization_note}"
    return named
