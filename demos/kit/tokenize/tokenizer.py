"""The tokenizer: byte-pair encoding with a vocabulary of our own.

A text is cut into words, each word into UTF-8 bytes, and neighbours are joined as long as the
vocabulary knows what they make together, pieces learned early first. The tokens' bytes in a row
are the text's bytes, whatever it holds: lone surrogates too, which browsers let through.
"""

import codecs
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import pairwise

from demos.kit.tokenize.vocabulary import read_pieces
from demos.kit.tokenize.word_borders import words

# What each token stands for, its id being its place: the 256 bytes, then the learned pieces.
_PIECES = [*(bytes([byte]) for byte in range(256)), *read_pieces()]
_IDS = {piece: token for token, piece in enumerate(_PIECES)}
VOCABULARY_SIZE = len(_PIECES)


def encode(text: str) -> list[int]:
    """The tokens of a text, as ids below `VOCABULARY_SIZE`."""
    tokens: list[int] = []
    for word in words(text):
        tokens += _word_tokens(word)
    return tokens


def decode(tokens: Iterable[int]) -> str:
    """The text of these tokens; a character that they hold only in part reads as U+FFFD."""
    data = b"".join([_PIECES[token] for token in tokens])
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def token_bytes(token: int) -> bytes:
    """The bytes that a token stands for."""
    return _PIECES[token]


def pieces(text: str) -> list[str]:
    """The text's tokens in order, each as `piece` shows it."""
    return [piece(token) for token in encode(text)]


@cache
def piece(token: int) -> str:
    """A token's text; bytes that are only part of a character as `⟨E2⟩`."""
    return _PIECES[token].decode("utf-8", "byte-labels")


def _label_broken(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join([f"⟨{byte:02X}⟩" for byte in error.object[error.start : error.end]]), error.end


codecs.register_error("byte-labels", _label_broken)


@lru_cache(maxsize=8_192)
def _word_tokens(word: str) -> tuple[int, ...]:
    data = word.encode("utf-8", "surrogatepass")
    whole = _IDS.get(data)
    if whole is not None:
        return (whole,)
    parts = [data[i : i + 1] for i in range(len(data))]
    # joined[i] is the token that parts i and i + 1 make together; the lowest was learned first.
    joined = [_IDS.get(left + right, VOCABULARY_SIZE) for left, right in pairwise(parts)]
    while joined and (first := min(joined)) < VOCABULARY_SIZE:
        at = joined.index(first)
        parts[at : at + 2] = [_PIECES[first]]
        del joined[at]
        if at > 0:
            joined[at - 1] = _IDS.get(parts[at - 1] + parts[at], VOCABULARY_SIZE)
        if at < len(joined):
            joined[at] = _IDS.get(parts[at] + parts[at + 1], VOCABULARY_SIZE)
    return tuple([_IDS[part] for part in parts])


def forget_words() -> None:
    """Empty the memory of words already cut, so that a measurement starts cold."""
    _word_tokens.cache_clear()
