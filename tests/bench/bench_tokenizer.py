"""How long does a prompt of the greatest length take to be cut into tokens, and does the cost grow evenly?"""

from __future__ import annotations

import random
import time

from demos.kit.tokenize import tokenizer
from demos.kit.tokenize.examples import EXAMPLES
from tests.bench.row import Row

LONGEST_CHARACTERS = 20_000
REPEATS = 9


def rows() -> list[Row]:
    chance = random.Random(1)
    texts = {
        "prose": " ".join(example.prompt for example in EXAMPLES.values()) * 2,
        "one letter": "a" * LONGEST_CHARACTERS,
        "letters without spaces": "".join(chance.choice("etaoinshrdlu") for _ in range(LONGEST_CHARACTERS)),
        "any characters": "".join(chr(chance.randrange(0x110000)) for _ in range(LONGEST_CHARACTERS)),
    }
    found: list[Row] = []
    for name, text in texts.items():
        whole_s, half_s = _shortest_s(text[:LONGEST_CHARACTERS]), _shortest_s(text[: LONGEST_CHARACTERS // 2])
        found.append(Row(what=f"20,000 characters, {name}", value=whole_s, unit="s", bound=0.1))
        found.append(
            Row(what=f"20,000 over 10,000 characters, {name}", value=whole_s / half_s, unit="ratio", bound=3.5)
        )
    return found


def _shortest_s(text: str) -> float:
    """The processor time of the shortest of several runs, each with the words of the last one forgotten."""
    times_s = []
    for _ in range(REPEATS):
        tokenizer.forget_words()
        start_s = time.process_time()
        tokenizer.encode(text)
        times_s.append(time.process_time() - start_s)
    return min(times_s)
