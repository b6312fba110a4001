"""Chats in a text: what was asked and answered in a window names devices and models that ran nothing."""

from __future__ import annotations

import re
from typing import Final

_ASKED: Final = re.compile(r"^>>> (?!/)")


def without_chat(plain: str) -> str:
    """The text with spaces for what was said in ollama's window, from a prompt to the figures behind its answer."""
    if ">>> " not in plain:
        return plain
    lines = plain.split("\n")
    asked: int | None = None
    for number, line in enumerate(lines):
        if _ASKED.match(line):
            asked = number
        elif asked is not None and "total duration:" in line:
            lines[asked:number] = [" " * len(spoken) for spoken in lines[asked:number]]
            asked = None
    return "\n".join(lines)
