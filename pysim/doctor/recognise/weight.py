"""Weight of a name in running text: is it what ran, or what a sentence compares, asks for, wishes or denies?

A command says most, then the line of a program that lists devices, then "my, I have, on", then a heading, then any
other place. What somebody else has, what is compared, asked about, wished for or denied counts for nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

COMMAND: Final = 5.0
LISTED: Final = 4.0
OWN: Final = 3.0
HEADING: Final = 2.0
SAID: Final = 1.0
ASIDE: Final = 0.0

_REACH: Final = 200
_IS_COMPARED: Final = "it is compared"
_ENDS: Final = re.compile(r"[.!?;](?=\s|\Z)|\n")
_PROGRAM: Final = re.compile(
    r"(?:^|[\s$`'\"/])(?:ollama (?:run|pull|serve)|vllm serve|lmdeploy serve|trtllm-\w+|lms load|docker run"
    r"|llama-(?:cli|server|bench|run|batched|sweep|perplexity)[\w.-]*|\./(?:main|server|build)|python3? -m"
    r"|mlx_lm[.\w]*|koboldcpp[\w.-]*)\b"
    r"|(?:^|\s)(?:-m|-hf|--model|--model[-_]path|--model[-_]id|--hf-repo|--served-model-name|--gguf[-_]path)[ =]"
)
_LISTED: Final = re.compile(
    r"^\W{0,6}(?:(?:GPU|Device|CUDA\d?|Vulkan\d?|ROCm\d?) ?\W?\d{1,2}\W{1,4}\S|\d{1,2}\W{1,4}(?:NVIDIA|AMD|Intel) "
    r"|GPU models and configuration|Card (?:series|model)|using device |ggml_\w+: )|description=\"|found device: ",
    re.IGNORECASE,
)
_OWN: Final = re.compile(
    r"\b(?:my|our|mine|i have|i've|i own|i(?: a|')m (?:on|using|running|with)|i (?:use|run|got)|we (?:have|use|run)"
    r"|(?:specs?|hardware|gpus?|setup|rig|machine|system|device|server|cpu|pc|build) (?:is|are)"
    r"|running (?:it |this )?on|ran (?:it |this )?on|tested on|tests? on|run on|measured on|here on)\b"
    r"|\b(?:specs?|hardware|gpus?|setup|rig|machine|system|device|server|cpu|pc|build)\s{0,2}[:=]",
    re.IGNORECASE,
)
_LITTLE: Final = (
    r"(?:(?:on|with|for|in|what|my|the|an?|your|our|his|her|their|old|new|unquantized|single|same|dual|full|any|using"
    r"|running|i|we|you|they|it|get|gets|got|is|does|from|of|to|use|run|real|normal|regular|actual|nvidia|amd|apple|\dx?)"
    r"[ ,]{1,2}){0,5}\W{0,3}\Z"
)
_COMPARED: Final = re.compile(
    r"\b(?:than|compar(?:ed|ing) (?:to|with)|unlike|instead of|relative to|as (?:fast|slow|good) as|not? like"
    r"|beats?|outperforms?|matche?s|close to|versus what) " + _LITTLE,
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\b(?:no|not|without|isn't|don't have|do not have|doesn't have|didn't use|never|no longer(?: have)?|used to have"
    r"|(?:upgraded|switched|moved|came|coming|went) from|sold|returned|removed|unplugged|pulled|disabled|instead) "
    + _LITTLE,
    re.IGNORECASE,
)
_DENIED_BEHIND: Final = re.compile(
    r"^[^.,;\n]{0,30}?\b(?:(?:is |was |are )?not|isn't|wasn't) (?:being )?"
    r"(?:used|detected|found|recognized|supported)\b"
    r"|^[^.,;\n]{0,12}?\b(?:sits idle|is idle|unused|out of memory|oom)\b",
    re.IGNORECASE,
)
_WISHED: Final = re.compile(
    r"\b(?:should (?:i|we)|would (?:an?|the|it|i|buying|upgrading)|could (?:an?|i)|worth|thinking (?:of|about)"
    r"|consider(?:ing)?|plan(?:ning)? (?:to|on)|going to (?:buy|get)|want(?:ed)? (?:to (?:buy|get|have)|an?)|wish"
    r"|if i (?:had|buy|get|bought|add)|waiting for|upgrad(?:e|ing)|buy(?:ing)?|purchas(?:e|ing)|looking (?:at|for)"
    r"|can't afford|save up|someday|dream"
    r"|before buying|recommend|which (?:card|gpu|model))\b",
    re.IGNORECASE,
)
_OTHERS: Final = re.compile(
    r"\b(?:others?|someone|somebody|people|friends?|colleagues?|guys?|he|she|they|everyone|everybody|reddit"
    r"|youtube|reviews?|reviewers?|reports?|reported|claims?|claimed|advertised"
    r"|supposed(?:ly)?|you guys|folks|users?|owners?)\b",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r"^\W{0,6}(?:with |on )?\W{0,3}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """How much a name counts for, and why it counts for nothing ("" where it counts).

    `heading`: its line holds hardly more. `opens`: with a colon or a mark, and what follows belongs to it.
    """

    value: float
    heading: bool = False
    opens: bool = False
    why: str = ""

    @property
    def compared(self) -> bool:
        """Is it named only to be compared with?"""
        return self.why == _IS_COMPARED


def weight_of(plain: str, start: int, end: int) -> Weight:
    """The weight of the name between two places of a text, by its line and its sentence."""
    line_start = plain.rfind("\n", 0, start) + 1
    line_end = plain.find("\n", end)
    line_end = len(plain) if line_end < 0 else line_end
    line = plain[max(line_start, start - _REACH) : min(line_end, end + _REACH)]
    if _PROGRAM.search(plain[max(line_start, start - 2 * _REACH) : start]):
        return Weight(value=COMMAND)
    if start - line_start < _REACH and _LISTED.match(plain[line_start : line_start + _REACH]):
        return Weight(value=LISTED)
    before = _ENDS.split(plain[max(line_start, start - _REACH) : start])[-1]
    behind = plain[end : min(line_end, end + _REACH)]
    close = _ENDS.search(behind)
    behind = behind if close is None else behind[: close.end()]
    # "my 3090": the word may be a part of what was found.
    before += "my " if plain[start : start + 3].lower() == "my " else ""
    aside = _aside(before, behind)
    if aside:
        return Weight(value=ASIDE, why=aside)
    if _OWN.search(before):
        return Weight(value=OWN)
    is_heading = _is_heading(line, before, behind)
    opens = is_heading and (line.lstrip().startswith("#") or behind.rstrip(" *").endswith(":"))
    return Weight(value=HEADING if is_heading else SAID, heading=is_heading, opens=opens)


def _aside(before: str, behind: str) -> str:
    """Why a sentence does not tell of what ran; "" where it does."""
    own = _OWN.search(before[-40:]) is not None
    if _COMPARED.search(before):
        return _IS_COMPARED
    if _DENIED.search(before) or _DENIED_BEHIND.search(behind):
        return "the text denies it"
    if own:
        return ""
    if _OTHERS.search(before):
        return "it is somebody else's"
    if _WISHED.search(before) or (behind.rstrip().endswith("?") and _WISHED.search(behind)):
        return "it is asked about or wished for"
    return ""


def _is_heading(line: str, before: str, behind: str) -> bool:
    """Does a line hold hardly more than the name: "RTX 4090:", "### My results on M2"?"""
    if len(line) > 80 or not _HEADING.match(before):
        return False
    return line.lstrip().startswith(("#", "*", "=", "-")) or behind.rstrip(" *").endswith(":") or len(behind) < 4
