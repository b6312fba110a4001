"""Is every page valid HTML? What the theme does wrong by itself is allowed, each with the reason why it stays.

`html_rules.json` switches off three rules that are no faults: integrity hashes on the site's own files, which a page
opened from a folder could not check; submit buttons in forms that answer every change at once; and a preference for
other elements where a role says the same.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hooks.paths import ROOT
from tests.tools.pages import page_addresses

VALIDATOR = ROOT / "node_modules" / ".bin" / "html-validate"
RULES = Path(__file__).with_name("html_rules.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """A fault that stays: its rule, the elements of the theme that have it, and why."""

    rule: str
    selector: str
    why: str


ALLOWED = (
    Allowance(
        rule="valid-autocomplete",
        selector=r"#__(?:drawer|search)",
        why="the theme keeps its open menus in checkboxes and asks browsers to forget them; browsers do as it says",
    ),
    Allowance(
        rule="input-missing-label",
        selector=r"#__(?:search|toc)",
        why="those checkboxes are hidden from everybody; the buttons that site.js puts beside them carry the names",
    ),
    Allowance(
        rule="attribute-allowed-values",
        selector=r"#__nav_\d+_label",
        why="the theme writes an empty tabindex, which counts as none; site.js takes it away",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault of one page; `allowance` is set where it is the theme's own."""

    page: str
    line: int
    rule: str
    message: str
    selector: str

    @property
    def allowance(self) -> Allowance | None:
        return next(
            (each for each in ALLOWED if each.rule == self.rule and re.fullmatch(each.selector, self.selector)), None
        )

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.message} ({self.rule}: {self.selector})"


def checked_html(site: Path) -> list[Path]:
    """The pages that are looked at."""
    return [site / address for address in page_addresses(site)]


def faults_of(pages: Sequence[Path], site: Path) -> list[Fault]:
    """All faults of some pages of a site; raises if the validator itself fails."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "faults.json"
        options = ["--config", str(RULES), "--formatter", f"json={told}"]
        command = [str(VALIDATOR), *options, *map(str, pages)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if not told.is_file():
            raise RuntimeError(f"html-validate ended with {done.returncode}: {done.stdout}{done.stderr}")
        results = json.loads(told.read_text(encoding="utf-8"))
    return [
        Fault(
            page=Path(result["filePath"]).relative_to(site).as_posix(),
            line=message["line"],
            rule=message["ruleId"],
            message=message["message"],
            selector=message["selector"] or "",
        )
        for result in results
        for message in result["messages"]
    ]


def unused_allowances(faults: Sequence[Fault]) -> Iterator[str]:
    """Yield a line for each allowance that nothing needs any more."""
    used = {fault.allowance for fault in faults}
    for each in ALLOWED:
        if each not in used:
            yield f"no page has the fault {each.rule} at {each.selector} any more: take its allowance out of {__name__}"
