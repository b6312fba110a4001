"""What does a llama.cpp command line ask for?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from pysim.doctor.read.numbers import whole
from pysim.doctor.read.text import Text

Facts = dict[str, object]

PROGRAMS: Final = (
    "llama-bench",
    "llama-server",
    "llama-cli",
    "llama-completion",
    "llama-batched-bench",
    "llama-sweep-bench",
    "llama-run",
    "/main ",
    "/server ",
    "koboldcpp",
)
_OPTION: Final = re.compile(r"\s--?[a-zA-Z]")
_MOST_LINES: Final = 40
_MOST_WORDS: Final = 200
_SWITCH: Final = {"1": True, "on": True, "true": True, "0": False, "off": False, "false": False}


def base_name(path: str) -> str:
    """The last part of a path, however its folders are separated; a colon that a shell escaped is none."""
    return path.replace("\\:", ":").replace("\\ ", " ").replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def _file_name(path: str) -> str | None:
    """A model file's name; None for the digest that a program's own store has instead."""
    name = base_name(path)
    return None if name.startswith(("sha256-", "sha256:")) else name


def _offloaded(value: str) -> object:
    return -1 if value in ("all", "auto") else whole(value)


_OPTIONS: Final[dict[str, tuple[str, Callable[[str], object]]]] = {
    "-m": ("model_file", _file_name),
    "--model": ("model_file", _file_name),
    "-hf": ("model", str),
    "--hf-repo": ("model", str),
    "-ngl": ("layers_on_device", _offloaded),
    "--gpu-layers": ("layers_on_device", _offloaded),
    "--gpulayers": ("layers_on_device", _offloaded),
    "--n-gpu-layers": ("layers_on_device", _offloaded),
    "-ctk": ("kv_keys", str),
    "--cache-type-k": ("kv_keys", str),
    "-ctv": ("kv_values", str),
    "--cache-type-v": ("kv_values", str),
    "-c": ("context_tokens", whole),
    "--ctx-size": ("context_tokens", whole),
    "--contextsize": ("context_tokens", whole),
    "-b": ("batch_tokens", whole),
    "--batch-size": ("batch_tokens", whole),
    "-ub": ("micro_batch_tokens", whole),
    "--ubatch-size": ("micro_batch_tokens", whole),
    "-t": ("threads", whole),
    "--threads": ("threads", whole),
    "-np": ("slots", whole),
    "--parallel": ("slots", whole),
    "-fa": ("flash_attention", _SWITCH.get),
    "--flash-attn": ("flash_attention", _SWITCH.get),
}
_HOST: Final = {"-ot": "{}", "--override-tensor": "{}", "-ncmoe": "n_cpu_moe={}", "--n-cpu-moe": "n_cpu_moe={}"}
_ALL_ON_HOST: Final = {"-cmoe": "all experts", "--cpu-moe": "all experts"} | dict.fromkeys(
    ("-nkvo", "--no-kv-offload"), "the cache, -nkvo"
)


def commands(text: Text) -> Iterator[tuple[int, Facts]]:
    """Index of each command's line and what it asks for; "ik" is among the facts of the ik_llama.cpp fork."""
    for index in text.places(*PROGRAMS):
        line = text.lines[index].text
        goes_on = line.rstrip().endswith(("\\", "^", "`"))
        if not _OPTION.search(line) and not goes_on:
            continue
        last = index
        while goes_on and last + 1 < len(text.lines) and last - index < _MOST_LINES:
            last += 1
            goes_on = text.lines[last].text.rstrip().endswith(("\\", "^", "`"))
        words = " ".join(line.text.rstrip(" \\^`") for line in text.lines[index : last + 1]).split(None, _MOST_WORDS)
        yield index, _facts(words)


def _facts(words: list[str]) -> Facts:
    facts: Facts = {}
    on_host: list[str] = []
    for place, word in enumerate(words[:_MOST_WORDS]):
        option, _, joined = word.partition("=") if word.startswith("--") else (word, "", "")
        value = (joined or (words[place + 1] if place + 1 < len(words) else "")).strip("'\"")
        if option in _HOST and value:
            on_host.append(_HOST[option].format(value))
        elif option in _ALL_ON_HOST:
            on_host.append(_ALL_ON_HOST[option])
        elif option in ("-fa", "--flash-attn") and (value.startswith("-") or not value):
            facts["flash_attention"] = True
        elif option in _OPTIONS and "," not in value:
            name, convert = _OPTIONS[option]
            facts[name] = convert(value)
    if on_host:
        facts["tensors_on_host"] = ";".join(on_host)
    return facts
