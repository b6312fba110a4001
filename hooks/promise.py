"""`python -m hooks.promise`: list the addresses of all answers, works and terms in `docs/addresses.toml`.

Run once before a release. From then on the build fails when one of them leads nowhere.
"""

from __future__ import annotations

from hooks.markdown import glossary, questions, references
from hooks.pages import addresses
from hooks.paths import ROOT

PAGES = (questions.PAGE, references.PAGE, glossary.PAGE)


def main() -> None:
    """Add what is not listed yet, and say how many addresses were added."""
    docs = ROOT / "docs"
    pages = {page.replace(".md", ".html"): (docs / page).read_text(encoding="utf-8") for page in PAGES}
    before = (docs / addresses.FILE).read_text(encoding="utf-8")
    after = addresses.promised(before, {page: addresses.entries_of(text) for page, text in pages.items()})
    (docs / addresses.FILE).write_text(after, encoding="utf-8")
    print(f"docs/{addresses.FILE}: {after.count(chr(10)) - before.count(chr(10))} addresses added")


if __name__ == "__main__":
    main()
