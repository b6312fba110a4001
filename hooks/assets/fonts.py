"""KaTeX's fonts, cut down to the characters that the site's formulas draw."""

from __future__ import annotations

import html
import io
import logging
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from fontTools.subset import Options, Subsetter  # type: ignore[import-untyped]
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

DRAWN = re.compile(r'<span class="katex-html".*', re.DOTALL)
TAG = re.compile(r"<[^>]+>")
# What KaTeX's style sheet offers for each font, of which the cut one takes the place.
OFFERED = re.compile(r'url\(fonts/(?P<name>[\w-]+)\.woff2\) format\("woff2"\)(?:,url\([^)]*\) format\("[a-z]+"\))*')

# The fonts' dates lie before 1970, which is no news.
logging.getLogger("fontTools").setLevel(logging.ERROR)


def characters(formulas: Iterable[str]) -> str:
    """Return the characters that set formulas draw, each once and in order; their MathML is drawn by other fonts."""
    drawn = (picture[0] for formula in formulas if (picture := DRAWN.search(formula)))
    return "".join(sorted(set(html.unescape(TAG.sub("", "".join(drawn))))))


def cut_css(css: str) -> str:
    """Return KaTeX's style sheet naming the cut fonts."""
    return OFFERED.sub(r'url(fonts/\g<name>.woff) format("woff")', css)


def cut_fonts(folder: Path, wanted: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each font of a folder with no other characters than those wanted."""
    for path in sorted(folder.glob("*.ttf")):
        yield f"{path.stem}.woff", cut(path, wanted)


def cut(path: Path, wanted: Collection[str]) -> bytes:
    """Return a font with no other characters than those wanted, packed for the web; equal askings give equal bytes."""
    options = Options()
    options.hinting = False
    options.layout_features = []  # KaTeX places every sign itself
    options.bidi_closure = False
    font = TTFont(path, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(wanted))
    subsetter.subset(font)
    font.flavor = "woff"
    packed = io.BytesIO()
    font.save(packed)
    return packed.getvalue()
