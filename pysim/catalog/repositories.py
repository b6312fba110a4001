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


def _own(words: list[str]) -> list[str]:
    """The words without a publisher in front."""
    return words[1:] if len(words) > 1 and words[0] in _PUBLISHERS else words
