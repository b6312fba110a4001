"""The text of the small transformer during a pass, each token with its row and how much is looked at it."""

from __future__ import annotations

from functools import lru_cache

from simple_html import SafeString, div, p, span, strong

from demos.kit.draw.tokens import cell, quoted_token
from demos.kit.html import element
from demos.kv_cache.tiny_run import WORDS, prompt_word, tiny_run
from demos.kv_cache.tiny_transformer import WINDOW
from demos.kv_cache.token_rows import AGAIN, FIRST, KEPT, NONE, SPENT, Earlier, TokenRow, token_rows

MOST_DRAWN = 22
COMPARED = 3
HONEST = "A small untrained transformer writes this text: it shows the mechanism, not meaning."


@lru_cache(maxsize=64)
def text_rows(prompt: int, answer: int, done: int, *, working: bool, cache: bool) -> SafeString:
    """The last tokens with their rows after `done` of `answer` passes, or during the next; the same for all of it."""
    tokens = prompt + done
    first = max(0, tokens - MOST_DRAWN)
    reader = done if working else done - 1
    looks = tiny_run(prompt).looks(reader) if reader >= 0 else []
    looked_from = prompt + reader - len(looks)
    rows = []
    for place in range(first, tokens):
        newest = place == tokens - 1
        rows.append(
            TokenRow(
                text=word_at(prompt, place),
                kind="p" if place < prompt else "d",
                state=state(done, working=working, cache=cache, newest=newest),
                look=looks[place - looked_from] if 0 <= place - looked_from < len(looks) else 0,
                now=working and (newest or not cache or not done),
            )
        )
    earlier = Earlier(
        tokens=first,
        state=state(done, working=working, cache=cache, newest=False),
        look=sum(looks[: max(0, first - looked_from)]),
    )
    return token_rows(rows, earlier, to_come=min(prompt + answer, MOST_DRAWN) - len(rows))


def state(done: int, *, working: bool, cache: bool, newest: bool) -> str:
    """What becomes of a token's row; the newest token has not been fed before this pass."""
    if newest or not done:
        return FIRST if working else NONE
    if cache:
        return KEPT
    return AGAIN if working else SPENT


@lru_cache(maxsize=64)
def legend(prompt: int, done: int, *, working: bool) -> SafeString:
    """What the bars over the tokens are, and where the newest token looks most."""
    reader = done if working else done - 1
    about = most_looked_at(prompt, reader) if reader >= 0 else "Bars above: how much the newest token looks at each."
    return element(div, {"class": "looks-legend"}, p({"class": "cap"}, about), p({"class": "cap"}, HONEST))


def most_looked_at(prompt: int, reader: int) -> str:
    """Where the last token that pass `reader` was fed looks most."""
    looks = tiny_run(prompt).looks(reader)
    back = len(looks) - 1 - looks.index(max(looks))
    newest, target = (word_at(prompt, prompt + reader - offset) for offset in (1, 1 + back))
    seen = f"the last {WINDOW}" if prompt + reader > WINDOW else "each"
    most = f"most at {quoted_token(target) if back else 'itself'}, {max(looks)} %"
    return f"Bars above: how much {quoted_token(newest)} looks at {seen} (attention), {most}."


def word_at(prompt: int, place: int) -> str:
    """The token at a place of the text."""
    if place < prompt:
        return prompt_word(prompt - place)
    return WORDS[tiny_run(prompt).token(place - prompt)]


@lru_cache(maxsize=64)
def both_answers(prompt: int, done: int) -> SafeString:
    """The last tokens of the answer as both ways give them, each computed."""
    run = tiny_run(prompt)
    written = range(max(0, done - COMPARED), done)
    kept, again = [run.token(index) for index in written], [run.recomputed(index) for index in written]
    verdict = ("the same tokens" if kept == again else "different tokens") if kept else "no token written yet"
    return element(
        div,
        {"class": "both-answers tokens"},
        *(_answer("Cache off wrote", again) + _answer("cache on wrote", kept) if kept else []),
        strong({"class": "cap"}, verdict),
    )


def _answer(label: str, tokens: list[int]) -> list[SafeString]:
    return [element(span, {"class": "cap"}, label), *[cell(WORDS[token], "d") for token in tokens]]
