"""The box for a model of the reader's own: a config.json or the header of a GGUF file, checked as it arrives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pysim
from demos.kit.declare.controls import Text, Value
from demos.kit.errors import KitError
from pysim.load import read_pasted_model

# A quantizer's list of what it left alone makes some configs of megabytes.
LIMIT = 4_000_000
EXAMPLE = '{"model_type": "llama", "hidden_size": 4096, …}'


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigText(Text):
    """The text of a config.json, private; an empty one is allowed and means "none"."""

    def allowed(self) -> str:
        """Return what may be pasted."""
        return "the text of a config.json from Hugging Face, or a GGUF file dropped here"

    def kept(self, value: Value) -> str:
        """Name the model that stays when another text is refused."""
        return f"the config of {pasted_model(str(value)).name}" if str(value).strip() else "nothing pasted"

    def parse(self, text: str) -> Value:
        # Named outright: a class with slots is made anew, which an argumentless super() would miss.
        """Return the text; raises KitError if it describes no model."""
        value = str(Text.parse(self, text))
        if value.strip():
            try:
                pasted_model(value)
            except pysim.PysimError as error:
                raise KitError(str(error)) from error
        return value


@lru_cache(maxsize=8)
def pasted_model(text: str) -> pysim.Model:
    """Return the model that a pasted text describes; raises pysim's BadConfig."""
    return read_pasted_model(text)


def config_text(label: str = "Your own config.json or .gguf") -> ConfigText:
    """Return the control."""
    return ConfigText(name="config", label=label, start="", limit=LIMIT, private=True, drop=True, placeholder=EXAMPLE)
