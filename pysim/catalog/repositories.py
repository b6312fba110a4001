"""Names of repositories and files: what is left of one without the words that do not change how a model is built?

"unsloth/Qwen3.5-27B-Instruct-GGUF", "mlx-community/Qwen3.5-27B-4bit" and "Qwen3.5-27B-UD-Q4_K_XL.gguf" are one model,
stored in different ways. What changes the model, such as a date, a distillation or another's name, stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pysim.catalog.names import plain_name

_LONGEST: Final = 300
_ID: Final = re.compile(
    r"(?:(?:https://)?(?:hf\.co|huggingface\.co)/)?(?:[A-Za-z0-9][\w.-]*/)?[\w.:\- ()]+\Z", re.ASCII | re.IGNORECASE
)
_FILE: Final = re.compile(r"(?:-\d{5}-of-\d{5})?(?:\.(?:gguf|safetensors|bin))?\Z", re.IGNORECASE)
# How weights are stored, by whom and with what.
_STORED: Final = re.compile(
    r"(?<![a-z0-9])(?:(?:ud-)?i?q\d(?:_\d|_k(?:_(?:xxs|xs|xl|[sml]))?|_(?:xxs|xs|xl|nl|[sml]))?(?:_r\d)?|tq\d_\d"
    r"|(?:mxfp|nvfp|fp|bf|f)(?:4|8|16|32)|w\d{1,2}a\d{1,2}(?:kv\d)?|int[248]|[2-8]-?bits?|g(?:32|64|128)|\d\.\d{1,2}bpw"
    r"|awq|gptq|gguf|ggml|mlx|exl[23]|bnb|hqq|autoround|dwq|qat|nf4|imatrix|imat|i1|ud|onnx|quantized|dynamic|static"
    r"|unsloth|marlin|modelopt|block|gs\d{2,3})(?![a-z0-9])",
    re.IGNORECASE,
)
_QUANT: Final = re.compile(
    r"(?<![a-z0-9])(?:ud-)?(?:q[2-8]_k_xl|iq[1-4]_(?:xxs|xs|nl|[sm])|q[2-6]_k(?:_[sml])?|q[458]_[01])(?![a-z0-9])"
)
_OF_MLX: Final = re.compile(r"(?<![a-z0-9])mlx[-/]")  # its repositories name their bits alone
_BITS: Final = re.compile(r"(?<![a-z0-9])([2-8])-?bits?(?![a-z0-9])")
_MARKS: Final = tuple(
    (re.compile(rf"(?<![a-z0-9])(?:{mark})(?![a-z0-9])"), stored)
    for mark, stored in (
        ("nvfp4", "nvfp4"), ("mxfp4", "mxfp4"), ("fp8", "fp8"), ("awq", "awq-int4"), ("bnb-4bit", "nf4"),
        ("w4a16", "gptq-int4"), ("w8a8", "int8"), ("w8a16", "int8-cw"), ("gptq-(?:int8|8-?bit)", "gptq-int8"),
        ("gptq", "gptq-int4"), ("bf16", "bf16"),
        ("fp16|f16", "f16"),
    )
)  # fmt: skip
# How a model was trained further, which its sizes do not show.
_TUNED: Final = frozenset(
    ("instruct", "it", "chat", "hf", "base", "pt", "meta", "text", "thinking", "reasoning", "abliterated", "latest")
)
# Publishers who begin the names of their models, or of copies of others' models, with their own.
_PUBLISHERS: Final = frozenset(
    ("nvidia", "meta", "google", "qwen", "mistralai", "deepseek", "openai", "microsoft", "ibm", "zai", "moonshotai",
     "allenai", "liquidai", "tiiuae", "arcee", "poolside", "baidu", "tencent", "huggingfacetb", "minimaxai", "stepfun")
)  # fmt: skip


def built_names(name: str) -> Iterator[str]:
    """Names under which the model of a Hugging Face id, a file or an ollama tag may be known, the longest first."""
    if len(name) > _LONGEST or not _ID.match(name):  # a path, or a text
        return
    last = name.rpartition("/")[2]
    stored = _STORED.sub(" ", _FILE.sub("", last))
    plain = plain_name(stored.replace(":", " ")).strip(". ")
    every = plain.split()
    without = [word for word in every if word not in _TUNED]
    seen = {plain_name(name)}
    for words in (plain_name(_FILE.sub("", last)).split(), every, without, _own(every), _own(without)):
        built = " ".join(words)
        if built and built not in seen:
            seen.add(built)
            yield built


def stored_as(name: str) -> str | None:
    """The weight format that the name of a repository, a file or a tag gives; None where it gives none."""
    if len(name) > _LONGEST or not _ID.match(name):
        return None
    owner, _, last = name.lower().rpartition("/")
    quants: list[str] = _QUANT.findall(last)
    if quants:
        return quants[-1]
    for mark, stored in _MARKS:
        if mark.search(last):
            return stored
    bits = _BITS.search(last)
    if bits is None:
        return None
    return f"mlx-q{bits[1]}" if _OF_MLX.search(f"{owner}/{last}") else None


def _own(words: list[str]) -> list[str]:
    """The words without a publisher in front."""
    return words[1:] if len(words) > 1 and words[0] in _PUBLISHERS else words
