"""What do a llama.cpp command and its start-up log say about model, device and settings?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from pysim.doctor.read.llama_cpp.command import Facts, base_name, commands
from pysim.doctor.read.numbers import amount, size_bytes, whole
from pysim.doctor.read.run import Setup
from pysim.doctor.read.text import Text

_FILE: Final = r"([^'\"\s]{1,300}\.(?:gguf|bin))"
_CONTEXT: Final = r"(?:llama_context|llama_new_context_with_model|llama_init_from_model|load_internal): "
_META: Final = r"(?:print_info|print_meta): "
_ON: Final = {"1": True, "0": False, "enabled": True, "disabled": False, "true": True, "false": False}
_BACKEND_NOTE: Final = re.compile(r"\s*\([a-z][^()]{0,60}\)\s*\Z")


class _Rule(NamedTuple):
    """A word that the line holds, its pattern, and the fact that each of its groups gives."""

    word: str
    pattern: re.Pattern[str]
    facts: tuple[tuple[str, Callable[[str], object]], ...]


def _rule(word: str, pattern: str, *facts: tuple[str, Callable[[str], object]]) -> _Rule:
    return _Rule(word, re.compile(pattern), facts)


_DEVICE: Final = ("device", str.strip)
_RULES: Final = (
    _rule("VRAM: ", r"\bDevice 0: .{2,160}VRAM: (\d{1,9} MiB)", ("device_memory_bytes", size_bytes)),
    _rule("GPU name:", r"GPU name: {1,8}([^|]{2,80})", _DEVICE),
    _rule("found device: ", r"found device: ([^|]{2,80})", _DEVICE),
    _rule("evices", r"[Ff]ound (\d{1,2}) [A-Za-z/]{3,10} devices", ("n_devices", whole)),
    _rule("general.name", _META + r"general\.name\s{0,20}= (.{1,120})", ("model", str.strip)),
    _rule("file type", _META + r"file type\s{0,20}= (.{1,60})", ("weights", str.strip)),
    _rule(" ftype", _META + r"model ftype\s{0,20}= (.{1,60})", ("weights", str.strip)),
    _rule(" ftype", r"load_internal: ftype {1,20}= \d{1,3} \(mostly ([A-Za-z0-9_]{2,12})\)", ("weights", str)),
    _rule("file size", _META + r"file size\s{0,20}= ([\d.]{1,12} [KMGT]iB)", ("weights_bytes", size_bytes)),
    _rule("model size", _META + r"model size\s{0,20}= ([\d.]{1,12} [KMGT]iB)", ("weights_bytes", size_bytes)),
    _rule("model params", _META + r"model params\s{0,20}= ([\d.]{1,12} [KMBT])", ("parameters", amount)),
    _rule("loaded meta data", rf"loaded meta data with .{{1,80}} from {_FILE}", ("model_file", base_name)),
    _rule("loading model", rf"loading model(?: from)? '?{_FILE}", ("model_file", base_name)),
    _rule("offloaded ", r"offloaded (\d{1,4})/(\d{1,4}) layers", ("layers_on_device", whole), ("layers", whole)),
    _rule("n_ctx ", _CONTEXT + r"n_ctx\s{1,20}= (\d{1,9})\b", ("context_tokens", whole)),
    _rule("n_batch ", _CONTEXT + r"n_batch\s{1,20}= (\d{1,9})\b", ("batch_tokens", whole)),
    _rule("n_ubatch ", _CONTEXT + r"n_ubatch\s{1,20}= (\d{1,9})\b", ("micro_batch_tokens", whole)),
    _rule("flash_attn ", _CONTEXT + r"flash_attn\s{1,20}= (\w{1,10})\b", ("flash_attention", _ON.get)),
    _rule("K (", r"K \((\w{2,8})\): {1,6}[\d.]{1,12} MiB, V \((\w{2,8})\)", ("kv_keys", str), ("kv_values", str)),
    _rule("system_info:", r"system_info: n_threads = (\d{1,4})", ("threads", whole)),
    _rule("n_slots = ", r"initializing slots, n_slots = (\d{1,4})", ("slots", whole)),
    _rule("build: ", r"\bbuild: (\d{1,6} \([0-9a-f]{6,12}\))", ("engine_version", str)),
    _rule("build = ", r"\bbuild = (\d{1,6} \([0-9a-f]{6,12}\))", ("engine_version", str)),
    _rule("build_info: ", r"build_info: (b\d{1,6}-[0-9a-f]{6,12})", ("engine_version", str)),
)
# Each form numbers the devices that it lists.
_LISTED: Final = {
    "Device ": re.compile(r"\bDevice (\d{1,2}): ([^,|]{2,80})"),
    "ggml_vulkan: ": re.compile(r"ggml_vulkan: (\d{1,2}) = ([^|]{2,120})"),
    "using device ": re.compile(
        r"using device [A-Za-z]{1,12}(\d{0,2}) \(([^()]{2,80}(?:\([^()]{0,40}\)[^()]{0,40})?)\)"
    ),
}
_MODEL_BEGINS: Final = "loaded meta data with"
_OF_MACHINE: Final = frozenset({"device", "device_memory_bytes", "n_devices", "engine_version", "threads"})


class Setups:
    """What a text has said up to each line; a new command forgets all, a new model what came with the last."""

    def __init__(self, text: Text) -> None:
        self._statements = sorted(_statements_of(text), key=lambda statement: statement[0])
        self._next, self._asked = 0, -1
        self._facts: Facts = {}
        self._setup = Setup()
        self._forks = text.places("ik_llama")
        self._commands = [index for index, _, kept in self._statements if kept == frozenset()]
        self._alone = self._stated_once() if sum(kept is not None for _, _, kept in self._statements) <= 1 else {}

    def at(self, index: int) -> Setup:
        """The set-up as known at a line; quick where lines are asked for in order."""
        if index < self._asked:
            self._next, self._facts = 0, {}
        self._asked, before = index, self._next
        while self._next < len(self._statements) and self._statements[self._next][0] <= index:
            _, facts, kept = self._statements[self._next]
            self._facts = self._facts if kept is None else {n: v for n, v in self._facts.items() if n in kept}
            self._facts |= {name: value for name, value in facts.items() if value is not None}
            self._next += 1
        if self._next != before or not self._next:
            self._setup = replace(Setup(), **(self._alone | self._facts))  # type: ignore[arg-type]
        return self._setup

    def _stated_once(self) -> Facts:
        """Where there is one model, what the text says about it in one way holds for lines above it too."""
        values: dict[str, set[object]] = {}
        for _, facts, _ in self._statements:
            for name, value in facts.items():
                if value is not None:
                    values.setdefault(name, set()).add(value)
        return {name: texts.pop() for name, texts in values.items() if len(texts) == 1}

    def engine_at(self, index: int) -> str:
        """The fork if the last command before the line, or without one any line, names it; else llama.cpp itself."""
        before = bisect_right(self._commands, index)
        first = self._commands[before - 1] if before else 0
        last = first if before else index
        here = bisect_right(self._forks, last) > bisect_left(self._forks, first)
        return "ik_llama.cpp" if here else "llama.cpp"


def _statements_of(text: Text) -> Iterator[tuple[int, Facts, frozenset[str] | None]]:
    """Index, facts, and which facts before stay known (None: all)."""
    for index, facts in commands(text):
        yield index, facts, frozenset()
    for index in text.places(_MODEL_BEGINS):
        yield index, {}, _OF_MACHINE | _ASKED_FOR
    for word, pattern in _LISTED.items():
        yield from _devices(text, word, pattern)
    for rule in _RULES:
        for index in text.places(rule.word):
            match = rule.pattern.search(text.lines[index].text)
            if match is not None:
                yield index, {name: make(match[n]) for n, (name, make) in enumerate(rule.facts, start=1)}, None


def _devices(text: Text, word: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, Facts, None]]:
    """The devices of a list that goes on from line to line, those that differ joined by semicolons."""
    names: list[str] = []
    for index in text.places(word):
        match = pattern.search(text.lines[index].text)
        if match is None:
            continue
        if int(match[1] or 0) != len(names):
            names = []
        names.append(_BACKEND_NOTE.sub("", match[2]).strip())
        facts: Facts = {"device": "; ".join(dict.fromkeys(names))}
        yield index, facts | ({"n_devices": len(names)} if word == "using device " else {}), None


_ASKED_FOR: Final = frozenset(
    {"layers_on_device", "flash_attention", "context_tokens", "batch_tokens", "micro_batch_tokens", "tensors_on_host"}
    | {"kv_keys", "kv_values", "slots"}
)
