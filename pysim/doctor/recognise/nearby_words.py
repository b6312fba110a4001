"""Words and patterns of names in running text: how people write devices, models and formats.

Families of models, and devices in no pattern below, are the words of pysim.doctor.recognise.heard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_REACH: Final = (44, 150)
_MOST_PLACES: Final = 400
# Looked for first, since a pattern takes a hundred times as long.
DEVICE_WORDS: Final = (
    "rtx", "gtx", "geforce", "radeon", "rx ", "rx-", "instinct", "arc", "r9700", "mi1", "mi2", "mi3", "ryzen", "epyc",
    "xeon", "core", "i3-", "i5-", "i7-", "i9-", "m1", "m2", "m3", "m4", "m5", "m6", "spark", "strix", "raspberry",
    "orin", "jetson", "snapdragon", "tpu", "a100", "h100", "h200", "b200", "v100", "gb10", "gh200", "gb200", "gb300",
    "b300", "mi50", "mi60", "p40", "p100", "m40", "a30", "a16", "l20", "titan rtx", "l40", "a10", "a40", "a4000",
    "a6000", "h20", "l4", "t4", "2080", "3060", "3070", "3080", "3090", "4060", "4070", "4080", "4090", "5060",
    "5070", "5080", "5090", "a770", "a750", "b580", "b570", "7900", "7800", "6900", "6800", "9070", "9060", "ai max",
    "gfx1151",
)  # fmt: skip
FORMAT_WORDS: Final = ("q2", "q3", "q4", "q5", "q6", "q8", "mxfp4", "awq", "gptq")
DEVICE: Final = re.compile(
    r"(?<![\w.-])(?:(?:nvidia |geforce |tesla |amd |intel )?(?:"
    r"(?:rtx|gtx)[ -]?(?:pro[ -]?|a)?\d{3,4}|rx[ -]?\d{4}|radeon (?:\w{1,8} ){0,2}\w{0,2}\d{3,4}|instinct mi\d{3}"
    r"|(?:amd |radeon )(?:rx ?)?[679]\d[0-9]0\b|(?:[67]\d[05]0|90[67]0) ?(?:xtx?|gre)\b"
    r"|(?:ryzen )?ai max\+? (?:pro )?\d{3}|gfx1151\b"
    r"|arc(?:\(tm\))? (?:pro )?[ab]\d{2,3}|r9700|mi(?:50|60|100|210|250|3\d\d)x?\b|titan rtx"
    r"|(?:ryzen|epyc|xeon|core)(?:\((?:r|tm)\))? [\w() +-]{0,20}\d{3,5}|i[3579]-\d{4,5})"
    r"|(?:apple )?m[1-6][ -]?(?:max|pro|ultra|air|mini)\b|apple m[1-6]\b"
    r"|(?:macbook|mac|mini|air|imac)\b[\w ,()\"-]{0,16}?(?=\bm[1-6]\b)"
    r"|dgx[ -]spark|strix[ -]halo|raspberry pi|(?:jetson|agx|orin) \w{2,5}|snapdragon \w|tpu[ -]?v\d"
    r"|(?:(?:my|the|an?|on|single|dual|with|one|two|nvidia|geforce|i[3579]/|[1-8] ?[x×]) ?|\bgpu: )"
    r"(?=[2345]0[6-9]0(?!\d|[.,]\d| ?(?:tok|ms\b|t/s|mi?b\b)))"
    r"|(?=[2345]0[6-9]0 ?(?:ti|super)\b))",
    re.IGNORECASE,
)
# Short names are names in capitals only.
CARD: Final = re.compile(
    r"(?:(?<![\w.-])|(?<=\d[xX×]))(?:A100|H100|G?H200|G?B[23]00|V100|P100|GB10|[LPM]40|L40S|A10G?|A16|A30|A40|A[46]000|H20|L20|L4|T4|A7[57]0|B5[78]0)s?(?![\w.])"
)
JOINED: Final = re.compile(r"(?<=\d)(?=(?:ti|super|xtx|xt|gre|max|pro|ultra)\b)", re.IGNORECASE)
APPLE: Final = re.compile(r"(?<!apple )\bm(?=[1-6]\b)", re.IGNORECASE)
BARE: Final = re.compile(r"^[2345]0[6-9]0")
ENDS: Final = re.compile(
    r"[|,;:/&()\[\]*\"'?!]|\+(?! ?\d{3}\b)|  | "
    r"(?:and|with|or|to|in|at|on|for|using|running|is|was|vs|than|gets?|from|via|box|does|do|rig|i|we|it|here) "
    r"|\. |\bVRAM|\bOff\b|\bOn\b"
)
BEFORE: Final = re.compile(
    r"(?:\b([2-9]|1\d) ?[x×*]|\b(dual|two|twin|three|quad|four|six|eight)) ?(?:nvidia |geforce )*\Z", re.I
)
# "8 H100", "2 RTX 3090s": a number alone, where a plural or the kind of card makes it a count.
NUMBERED: Final = re.compile(r"(?:^|[\s(])(2|3|4|6|8|10|12|16) (?:nvidia |geforce )*\Z", re.I)
BEHIND: Final = re.compile(r"[^|\n]{0,24}?(?<!\w)[x×] ?([2-9])\b", re.IGNORECASE)
MANY: Final = {"dual": 2, "two": 2, "twin": 2, "three": 3, "quad": 4, "four": 4, "six": 6, "eight": 8}
SIZE: Final = re.compile(r"(?<![\d.])(\d{1,4}) ?Gi?B\b(?!/s)(?! (?:ssd|storage|disk|nvme|model|file))", re.I)
ROW: Final = re.compile(r"^\W{0,4}(?:GPU ?)?\W?\d{1,2}\W{1,6}(?:NVIDIA |Card [Ss]eries:)")
SPLIT: Final = re.compile(
    r"(?:tensor[-_]parallel[-_]size|--tp(?:[-_]size)?|(?<!\w)-tp|\bworld_size)[ =]{1,3}(\d{1,3})\b"
)
VISIBLE: Final = re.compile(r"(?:CUDA|HIP|ROCR)_VISIBLE_DEVICES=[\"']?(\d{1,2}(?:,\d{1,2}){0,31})")
NO_GRAPHICS: Final = re.compile(
    r"\b(?:no|without(?: an?| any)?) (?:(?:dedicated|discrete|nvidia|compatible|supported) )?"
    r"(?:d?gpus?|graphics cards?)\b"
    r"(?! (?:process|usage|util|layer|offload|driver|error|problem|issue|limit|accel|memory|support))|\bcpu[- ]only\b",
    re.IGNORECASE,
)
NOT_IT: Final = ("draft", "embed", "rerank", "mmproj")
FORMAT: Final = re.compile(
    r"(?<![\w])(?:ud-)?i?q[2-8]_?(?:k_?[sml]|k_xl|xxs|xs|nl|[01])(?![\w])|mxfp4|\bgptq\b|\bawq\b", re.I
)
OF_CACHE: Final = re.compile(r"cache|\bk?v\b|ctk|ctv|type_[kv]|- type", re.IGNORECASE)


def near(plain: str, hints: tuple[str, ...], *, whole: bool = False) -> Iterator[tuple[int, int]]:
    """The stretches around some words, in order, those that touch as one; `whole`: only where a word begins."""
    lower = plain.lower()
    places: list[int] = []
    for hint in hints:
        at = lower.find(hint)
        while at >= 0 and len(places) < _MOST_PLACES * len(hints):
            begins = not whole or at == 0 or not lower[at - 1].isalnum()
            if begins:
                places.append(at)
            at = lower.find(hint, at + (_REACH[0] if begins else 1))
    start = end = 0
    for at in sorted(places)[:_MOST_PLACES]:
        if at - _REACH[0] > end:
            if end:
                yield start, end
            start = max(0, at - _REACH[0])
        end = at + _REACH[1]
    if end:
        yield start, end
