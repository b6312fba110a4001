"""Engines named once: outside pysim/engines and the readers of their own forms, no code decides by an engine's name.

A name in a comparison, an `in`, a match case, a dictionary's keys, a collection or a call's arguments decides
something; in a sentence for people, a docstring or a web address it does not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pysim.catalog.files import names_in
from pysim.catalog.names import plain_name
from pysim.errors import BadValue
from pysim.formats.names import weight_format

ROOT = Path(__file__).parents[2]
# Where a tool's own form is read, its name is part of the form.
ALLOWED = ("pysim/engines/", "pysim/doctor/read/", "pysim/doctor/readers/")
# Measurements and known values of publications name the engine that was measured, as models and devices.
MEASURED = ("pysim/fit/known_values.py",)
FILES = sorted(
    path
    for folder in ("pysim", "demos", "hooks")
    for path in (ROOT / folder).rglob("*.py")
    if not path.relative_to(ROOT).as_posix().startswith(ALLOWED + MEASURED)
)
# A text that is such a name, or a short one with such a word, decides: "ollama", "kobold", "vllm log". A sentence,
# which has more words, does not.
WORDS = frozenset(
    plain_name(name) for names in names_in("engines").values() for name in names if plain_name(name) not in {"typical"}
)
PARTS = frozenset({"kobold", "exllama", "lmdeploy", "openvino", "tensorrt", "trt", "mlx", "gpt fast"})
MOST_WORDS = 2


def is_engine(text: str) -> bool:
    """Is this text an engine's name, or two words with one in them? Formats of weights may have such words."""
    plain = plain_name(text)
    if plain in WORDS | PARTS:
        return True
    if len(plain.split()) > MOST_WORDS or "/" in text or _is_format(text):
        return False
    return any(re.search(rf"(?<![\w.]){re.escape(word)}(?![\w.])", plain) for word in WORDS)


def _is_format(text: str) -> bool:
    try:
        return bool(weight_format(text))
    except BadValue:
        return False


def named(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of every engine's name that decides something."""
    for node in ast.walk(ast.parse(source)):
        for constant in _deciding(node):
            if isinstance(constant.value, str) and is_engine(constant.value):
                yield constant.lineno, constant.value


def _deciding(node: ast.AST) -> Iterator[ast.Constant]:
    match node:
        case ast.Compare():
            parts: list[ast.expr | None] = [node.left, *node.comparators]
        case ast.Dict():
            parts = [*node.keys]
        case ast.Set() | ast.List() | ast.Tuple():
            parts = [*node.elts]
        case ast.MatchValue():
            parts = [node.value]
        case ast.Call():
            parts = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg not in PROSE)]
        case ast.Subscript():
            parts = [node.slice]
        case _:
            return
    yield from (part for part in parts if isinstance(part, ast.Constant))


# Arguments that are shown to people.
PROSE = frozenset({"help", "label", "name", "title", "source", "note"})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_code_decides_by_an_engine_s_name(path: Path) -> None:
    places = [
        f'{path.relative_to(ROOT).as_posix()}:{line}: "{text}"'
        for line, text in named(path.read_text(encoding="utf-8"))
    ]
    assert not places, "put it in catalog/engines/*.toml and ask the Engine: " + ", ".join(places)


@pytest.mark.parametrize(
    "code",
    [
        'if "ollama" in tool.lower(): pass', 'SMALLER = {"mlx-lm": 1}', 'reservation("vllm", model)',
        'x = engine == "hf transformers"', 'OWN = ("llama.cpp", "ik_llama.cpp")', 'load(engine="SGLang")',
        'match engine:\n    case "tgi": pass', 'table["TensorRT-LLM"]', 'if "kobold" in name: pass',
    ],
)  # fmt: skip
def test_a_name_that_decides_is_found(code: str) -> None:
    assert len(list(named(code))) >= 1


@pytest.mark.parametrize(
    "code",
    [
        '"""What ollama does."""', 'print("run `ollama run MODEL --verbose` and paste all that it prints")',
        'SOURCE = "https://github.com/vllm-project/vllm/issues/1"', 'model("llama-3.1-8b")',
        'if "llama3.1" in name: pass', 'add("--engine", help="llama.cpp, vLLM")', 'weights in ("MLX q4", "FP8")',
    ],
)  # fmt: skip
def test_a_name_that_only_tells_is_not(code: str) -> None:
    assert not list(named(code))
