"""Options that an author gives a demo block: YAML read strictly, each option with its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import yaml

Value = str | int | float | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One `name: value` of a demo block; `line` counts from 0 at the block's first line of options."""

    name: str
    value: Value
    line: int


class OptionError(Exception):
    """What is wrong with a block's options; `line` counts from 0 at its first line of options."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class _Loader(yaml.SafeLoader):
    """YAML 1.2's plain values: `on`, `12:30` or `2026-01-01` stay the texts that they look like."""


_Loader.yaml_implicit_resolvers = {}  # none of the base's

for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|", ["~", "n", ""]),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first))

KINDS = {"tag:yaml.org,2002:int": int, "tag:yaml.org,2002:float": float}


def read_options(body: Sequence[str]) -> list[Option]:
    """Return the options of a demo block, in order; raises OptionError for the first thing wrong."""
    try:
        node = yaml.compose("\n".join(body), Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise OptionError(f"the options are not valid YAML: {problem}", mark.line if mark else 0) from None
    if node is None:
        return []
    if not isinstance(node, yaml.MappingNode):
        kind = "a list" if isinstance(node, yaml.SequenceNode) else f'the text "{_short(str(node.value))}"'
        raise OptionError(f"the options must be lines of `name: value`, not {kind}", node.start_mark.line)
    options: dict[str, Option] = {}
    for key, value in node.value:
        option = _option(key, value)
        if option.name in options:
            raise OptionError(f'the option "{option.name}" is given twice', option.line)
        options[option.name] = option
    return list(options.values())


def _option(key: yaml.Node, value: yaml.Node) -> Option:
    line = key.start_mark.line
    if not isinstance(key, yaml.ScalarNode):
        raise OptionError("an option's name must be a single word", line)
    name = str(key.value)
    if not isinstance(value, yaml.ScalarNode):
        kind = "a list" if isinstance(value, yaml.SequenceNode) else "a mapping"
        raise OptionError(f'the option "{name}" must be one number, text, true or false, not {kind}', line)
    text = str(value.value)
    if value.tag == "tag:yaml.org,2002:null":
        raise OptionError(f'the option "{name}" has no value (an empty text is written "")', line)
    if value.tag == "tag:yaml.org,2002:bool":
        return Option(name=name, value=text == "true", line=line)
    return Option(name=name, value=KINDS.get(value.tag, str)(text), line=line)


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
