"""What does the heading of a column say that somebody made by hand: "PP t/s", "TTFT (ms)", "Tokens/Sekunde", "ISL"?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

Subject = Literal[
    "prompt", "answer", "both", "ttft", "tpot", "end", "depth", "concurrency", "batch", "model", "weights", "device"
]
Unit = Literal["rate", "ms", "s", "tokens", "words", "count"]

_RATE: Final = re.compile(
    r"\b(?:t|tok|toks|tokens?)\s{0,2}(?:/|per|p|par|por|pro)\s{0,2}s(?:ec|econd|ekunde|econde|egundo|econdo)?s?\b|\btps\b"
    r"|\bspeed\b|\brate\b|throughput|geschwindigkeit|vitesse|velocidad",
    re.IGNORECASE,
)
_PER_TOKEN: Final = re.compile(
    r"\b(?:ms|s) ?(?:/|per) ?t(?:ok(?:en)?)?\b|\btpot\b|\bitl\b|inter[- ]token|time per (?:output )?token", re.I
)
_MILLISECONDS: Final = re.compile(r"\bms\b|millisec", re.IGNORECASE)
_SECONDS: Final = re.compile(r"[(\[ ,](?:s|sec|secs|seconds)[)\]]?\s*\Z|\btime\b|\bduration\b|latency", re.IGNORECASE)
_TOKENS: Final = re.compile(r"\btok(?:en)?s?\b|\blen(?:gth)?\b|\bsize\b|#|\bisl\b|\bosl\b", re.IGNORECASE)
_PROMPT: Final = re.compile(
    r"\bpp(?:\d{1,7})?\b|prompt|prefill|\binput\b|\bisl\b|ingest|\bread(?:ing)?\b|pre-?processing|\bin\b", re.IGNORECASE
)
_ANSWER: Final = re.compile(
    r"\btg(?:\d{1,7})?\b|generation|generated|generating|decod|\boutput\b|\bosl\b|\bwrit(?:e|ing)\b|\beval(?:uation)?\b|response|completion|\bgen\b"
    r"|\bout\b|inference",
    re.IGNORECASE,
)
_TTFT: Final = re.compile(r"\bttft\b|time to (?:the )?first|first[- ]token", re.IGNORECASE)
_END: Final = re.compile(r"\be2el?\b|end[- ]to[- ]end|\btotal (?:time|duration|latency)\b|\blatency\b", re.IGNORECASE)
_DEPTH: Final = re.compile(r"\bdepth\b|\bcontext\b|\bctx\b|\bn_kv\b|\bkontext", re.IGNORECASE)
_AT_ONCE: Final = re.compile(
    r"\bconcur|parallel|\busers?\b|\bclients?\b|simultaneous|\brequests at once\b",
    re.IGNORECASE,
)
# Of llama.cpp these are the tokens of a pass, elsewhere the answers at once.
_BATCH: Final = re.compile(r"\bu?batch(?: ?size)?\b|\bbs\b", re.IGNORECASE)
_MODEL: Final = re.compile(r"\bmodell?(?:e|o)?\b|\bllm\b", re.IGNORECASE)
_WEIGHTS: Final = re.compile(r"\bquant|\bformat\b|\bprecision\b|\bdtype\b", re.IGNORECASE)
_DEVICE: Final = re.compile(
    r"\bgpus?\b|\bdevice\b|\bhardware\b|\bcard\b|\bmachine\b|\bsystem\b|\bchip\b", re.IGNORECASE
)
_NO_FIGURE: Final = re.compile(
    r"speed-?up|\bgain\b|[%Δ]|\bdiff|\bratio\b|\bchange\b|increase|improve|\bcost\b|\bwatt|\bpower\b|\bvram\b"
    r"|memory|\bgb\b|p9\d|\bmax\b|\bmin\b|\bstd\b|per (?:gpu|user|watt)|total throughput|\bload",
    re.IGNORECASE,
)
_TEST: Final = re.compile(r"\b(pp|tg) {0,2}(\d{1,7})\b", re.IGNORECASE)
_READING: Final = re.compile(r"pp|prompt processing|prefill|prompt eval(?:uation)?|pre-?fill", re.IGNORECASE)
_WRITING: Final = re.compile(
    r"tg|(?:text |token )?generation|decod(?:e|ing)|eval(?:uation)?|inference|token gen", re.IGNORECASE
)
LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class Head:
    """What a column holds, in which unit, and the tokens of its test where it is called "pp512" or "tg128"."""

    subject: Subject
    unit: Unit
    tokens: int | None = None


def is_phase_alone(words: str) -> bool:
    """Does a heading name a phase and no unit, which must be told elsewhere?"""
    words = words.strip(" *`_")
    return _READING.fullmatch(words) is not None or _WRITING.fullmatch(words) is not None


@lru_cache(maxsize=1024)
def head_of(words: str) -> Head | None:
    """The meaning of a heading, None where it has none that is known."""
    words = words.strip(" *`_")
    if not words or len(words) > LONGEST or _NO_FIGURE.search(words):
        return None
    if _TTFT.search(words):
        return Head("ttft", _time(words, "ms"))
    if _PER_TOKEN.search(words):
        return Head("tpot", _time(words, "ms"))
    return _of_rate(words) or _of_time(words) or _of_count(words) or _of_words(words)


def _of_rate(words: str) -> Head | None:
    test = _TEST.search(words)
    reads = _PROMPT.search(words) is not None
    writes = _ANSWER.search(re.sub(r"(?i)prompt eval\w*", "", words)) is not None
    tokens = int(test[2]) if test else None
    # A phase alone is its speed: "Prompt processing", "TG".
    if _READING.fullmatch(words):
        return Head("prompt", "rate")
    if _WRITING.fullmatch(words):
        return Head("answer", "rate")
    if _RATE.search(words):
        if reads == writes:
            return Head("both", "rate")
        return Head("prompt" if reads else "answer", "rate", tokens)
    if test is not None and _MILLISECONDS.search(words) is None:
        return Head("prompt" if test[1].lower() == "pp" else "answer", "rate", tokens)
    return None


def _of_time(words: str) -> Head | None:
    if not (_MILLISECONDS.search(words) or _SECONDS.search(words)):
        return None
    if _PROMPT.search(words):
        return Head("prompt", _time(words, "s"))
    if _ANSWER.search(words):
        return Head("answer", _time(words, "s"))
    return Head("end", _time(words, "s")) if _END.search(words) else None


def _time(words: str, usual: Literal["ms", "s"]) -> Unit:
    return "ms" if _MILLISECONDS.search(words) else "s" if re.search(r"[(\[ ]s(?:ec)?", words) else usual


def _of_count(words: str) -> Head | None:
    if _AT_ONCE.search(words):
        return Head("concurrency", "count")
    if _BATCH.search(words):
        return Head("batch", "count")
    if _DEPTH.search(words):
        return Head("depth", "tokens")
    if _TOKENS.search(words):
        if _PROMPT.search(words):
            return Head("prompt", "tokens")
        return Head("answer", "tokens") if _ANSWER.search(words) else None
    return None


def _of_words(words: str) -> Head | None:
    for subject, pattern in _WORDS:
        if pattern.search(words):
            return Head(subject, "words")
    return None


_WORDS: Final[tuple[tuple[Subject, re.Pattern[str]], ...]] = (
    ("model", _MODEL), ("weights", _WEIGHTS), ("device", _DEVICE),
)  # fmt: skip
