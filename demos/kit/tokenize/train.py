"""The training of the tokenizer: `python -m demos.kit.tokenize.train` writes the vocabulary.

Writes the vocabulary that the tokenizer reads. All it learns from was written for this project and
stands in texts/corpus/: prose, and lists of what deserves a token however seldom the prose uses it.
The same corpus gives the same file, byte for byte.
"""

import heapq
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from demos.kit.tokenize.vocabulary import VOCABULARY, write_pieces
from demos.kit.tokenize.word_borders import words

CORPUS = Path(__file__).parent / "texts" / "corpus"
LEARNED_PIECES = 5_500
LISTED_COUNT = 12  # an entry of a list counts as often as a word that the prose uses so often


def corpus_words(corpus: Path) -> Counter[str]:
    """How often each word counts: its uses in the prose, and more if a list names it."""
    counts: Counter[str] = Counter()
    for path in sorted(corpus.glob("prose/*.txt")):
        counts.update(words(path.read_text(encoding="utf-8")))
    for entry in sorted(listed_words(corpus)):
        counts[entry] += LISTED_COUNT
    return counts


def listed_words(corpus: Path) -> set[str]:
    """What the lists name: words after a space, openers of a sentence also without, characters."""

    def entries(name: str) -> list[str]:
        return (corpus / "lists" / f"{name}.txt").read_text(encoding="utf-8").split()

    spaced = {f" {word}" for word in entries("words") + entries("openers")}
    return spaced.union(entries("openers"), entries("characters"))


def learn(counts: Counter[str], learned_pieces: int) -> list[bytes]:
    """Pieces in the order learned: again and again the most frequent pair of neighbours.

    Of pairs equally frequent the one that makes the shorter piece is taken, then the one first
    in byte order. A piece that two different pairs make is learned once.
    """
    spelled = [[bytes([byte]) for byte in word.encode()] for word in sorted(counts)]
    weights = [counts[word] for word in sorted(counts)]
    pairs: Counter[tuple[bytes, bytes]] = Counter()
    places: defaultdict[tuple[bytes, bytes], set[int]] = defaultdict(set)
    for place, parts in enumerate(spelled):
        for pair in pairwise(parts):
            pairs[pair] += weights[place]
            places[pair].add(place)
    heap = [_candidate(pair, count) for pair, count in pairs.items() if _may_join(pair)]
    heapq.heapify(heap)
    learned: dict[bytes, None] = {}
    while heap and len(learned) < learned_pieces:
        negative_count, _, piece, pair = heapq.heappop(heap)
        if pairs[pair] != -negative_count:
            continue  # an older count of this pair; the newer one is in the heap too
        learned[piece] = None
        touched = set()
        for place in sorted(places.pop(pair)):
            before = spelled[place]
            after = spelled[place] = _joined(before, pair)
            for old in pairwise(before):
                pairs[old] -= weights[place]
                touched.add(old)
            for new in pairwise(after):
                pairs[new] += weights[place]
                places[new].add(place)
                touched.add(new)
        for changed in touched:
            if pairs[changed] > 0 and _may_join(changed):
                heapq.heappush(heap, _candidate(changed, pairs[changed]))
    return list(learned)


def _may_join(pair: tuple[bytes, bytes]) -> bool:
    """Whether the two make whole characters or the beginning of a single one, and no mixture."""
    piece = b"".join(pair)
    try:
        piece.decode()
    except UnicodeDecodeError as error:
        return error.start == 0 and error.end == len(piece)
    return True


def _candidate(pair: tuple[bytes, bytes], count: int) -> tuple[int, int, bytes, tuple[bytes, bytes]]:
    piece = pair[0] + pair[1]
    return -count, len(piece), piece, pair


def _joined(parts: list[bytes], pair: tuple[bytes, bytes]) -> list[bytes]:
    joined: list[bytes] = []
    at = 0
    while at < len(parts):
        width = 2 if tuple(parts[at : at + 2]) == pair else 1
        joined.append(b"".join(parts[at : at + width]))
        at += width
    return joined


def main() -> None:
    """Learn the pieces from the corpus and write the vocabulary."""
    pieces = learn(corpus_words(CORPUS), LEARNED_PIECES)
    write_pieces(pieces)
    print(f"{VOCABULARY.name}: {len(pieces):,} pieces, {VOCABULARY.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
