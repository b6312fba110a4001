"""Which model does the text of a config.json describe, as somebody pasted it?"""

from __future__ import annotations

import json
import re
from typing import Final, cast

from pysim import checks
from pysim.errors import BadConfig, one_line
from pysim.models.config import read_config
from pysim.models.model import Model

# A model's config nests three or four levels; what goes much deeper is no config, and breaks parsers.
DEEPEST: Final = 32
LONGEST_NAME: Final = 60
# Lists of what a quantizer left alone make some configs of megabytes; beyond this a text is something else.
LARGEST_CHARACTERS: Final = 10_000_000
_MARKS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)


def read_config_text(text: str) -> Model:
    """The model; BadConfig names the line or the field that is wrong.

    Its name is what the config calls itself, shortened to one line; the text is data and nothing else.
    """
    config = json_of(text)
    if not isinstance(config, dict):
        raise BadConfig(f"a config.json is one JSON object in braces, not {checks.typed(config)}")
    called = config.get("_name_or_path") or config.get("model_type") or "pasted config"
    name = one_line(str(called), LONGEST_NAME).strip('"').strip()
    return read_config(
        config, key="pasted-config", name=name or "pasted config", source="the pasted config.json", where="config.json"
    )


def json_of(text: str) -> object:
    """What a text says as JSON, with or without a byte-order mark; BadConfig says where it is none.

    Bounded in size and depth before it is parsed, so no text takes more than a moment.
    """
    if len(text) > LARGEST_CHARACTERS:
        raise BadConfig(f"it is longer than {LARGEST_CHARACTERS:,} characters, too long for a config.json")
    _check_depth(text)
    try:
        return cast("object", json.loads(text.lstrip("\ufeff")))
    except json.JSONDecodeError as error:
        raise BadConfig(f"line {error.lineno}, column {error.colno}: {_lower(error.msg)}") from None
    except ValueError as error:  # a number of thousands of digits
        raise BadConfig(f"a number in it is too long: {_lower(str(error))[:60]}") from None


def _check_depth(text: str) -> None:
    depth = 0
    for found in _MARKS.finditer(text):
        mark = found[0]
        if mark in "[{":
            depth += 1
            if depth > DEEPEST:
                raise BadConfig(f"it nests deeper than {DEEPEST} levels, too deep for a config.json")
        elif mark in "]}":
            depth -= 1


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
