"""Which pages of the built site stand for all of them?"""

from __future__ import annotations

import re
from pathlib import Path


def page_addresses(folder: Path) -> list[str]:
    """Every page that somebody wrote, and of the generated source listings as many as show every kind of element.

    The listings are some hundreds of files through one template; what differs is which kinds of code they hold.
    """
    every = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.html"))]
    written = [address for address in every if not address.startswith("source/")]
    kinds = {
        address: set(re.findall(r'<\w+[^>]*? class="[^"]*"', (folder / address).read_text(encoding="utf-8")))
        for address in every
        if address not in written
    }
    chosen = []
    unseen = set().union(*kinds.values())
    while unseen:
        best = max(kinds, key=lambda address: len(kinds[address] & unseen))
        chosen.append(best)
        unseen -= kinds[best]
    return written + chosen
