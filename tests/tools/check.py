"""Checks of the whole project: is the code clean, typed and spelled, do links lead somewhere, is the HTML valid?

Two checks run at a time. All of them run, also after one has failed, and a list of the failed ones ends the output.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date

from hooks.facts.claims import aged, claims
from hooks.paths import ROOT
from tests.tools.build import built_site
from tests.tools.html_faults import checked_html, faults_of, unused_allowances
from tests.tools.links import broken_links
from tests.tools.wording import slips

PAPERS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
FOLDERS_OF_PAGES = {"embed", "lessons", "notes"}
AT_A_TIME = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a check printed, and whether it found nothing."""

    clean: bool
    text: str


def command(*arguments: str) -> Outcome:
    done = subprocess.run(arguments, cwd=ROOT, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return Outcome(clean=done.returncode == 0, text=done.stdout.rstrip())


def module(*arguments: str) -> Outcome:
    return command(sys.executable, "-m", *arguments)


def outcome(complaints: list[str], otherwise: str) -> Outcome:
    return Outcome(clean=not complaints, text="\n".join(complaints) or otherwise)


def links() -> Outcome:
    """Follow every link inside the strictly built site."""
    site = built_site()
    pages = list(site.rglob("*.html"))
    return outcome(
        list(broken_links(site.resolve())), f"{len(pages)} pages, every link inside the site leads somewhere"
    )


def valid_html() -> Outcome:
    """Hold every written page, and source listings of each kind, against the HTML standard."""
    site = built_site()
    pages = checked_html(site)
    faults = faults_of(pages, site)
    missing = FOLDERS_OF_PAGES - {page.parent.name for page in pages}
    complaints = [
        *(f"no page of {folder}/ was looked at" for folder in sorted(missing)),
        *(str(fault) for fault in faults if not fault.allowance),
        *unused_allowances(faults),
    ]
    return outcome(complaints, f"{len(pages)} pages are valid HTML, but for what the theme does")


def old_claims() -> Outcome:
    """List what the pages say of programs' defaults and nobody has looked up for a year; that alone fails nothing."""
    old = [f"{claim.key}: looked up on {claim.looked_up}, see {claim.source}" for claim in aged(date.today())]
    return Outcome(clean=True, text="\n".join(old) or f"{len(claims())} claims were looked up within a year")


def wording() -> Outcome:
    """Look for the phrases that CONTRIBUTING asks to avoid."""
    return outcome([str(slip) for slip in slips()], "no phrase of the list is used")


# The long ones first, so that the short ones fill up the time beside them.
CHECKS: dict[str, Callable[[], Outcome]] = {
    "types of Python": lambda: module("mypy"),
    "links": links,
    "HTML": valid_html,
    "types of JavaScript": lambda: command("node_modules/.bin/tsc", "--project", "tsconfig.json"),
    "wording": wording,
    "dated claims": old_claims,
    "lint": lambda: module("ruff", "check"),
    "format": lambda: module("ruff", "format", "--check", "--quiet"),
    "spelling": lambda: module("codespell_lib", "docs", "demos", "pysim", "hooks", "tests", "examples", *PAPERS),
}


def result(check: Callable[[], Outcome]) -> Outcome:
    """Run one check; a strict build that fails is what the check found."""
    try:
        return check()
    except AssertionError as failure:
        return Outcome(clean=False, text=str(failure))


def main() -> None:
    """Run all checks, print each as it comes in order, and end with the names of those that found something."""
    failed = []
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        for name, checked in zip(CHECKS, pool.map(result, CHECKS.values()), strict=True):
            print(f"— {name}", checked.text, sep="\n", flush=True)
            if not checked.clean:
                failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")
    print("all clean")


if __name__ == "__main__":
    main()
