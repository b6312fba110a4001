"""Is the code clean, typed and spelled, do all links lead somewhere, and is the HTML valid?

Runs every check, also after one has failed, and ends with a list of the failed ones.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from hooks.paths import ROOT
from tests.tools.build import built_site
from tests.tools.html_faults import checked_html, faults_of, unused_allowances
from tests.tools.links import broken_links

PAPERS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")


def succeeds(*command: str) -> bool:
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def module(*arguments: str) -> bool:
    return succeeds(sys.executable, "-m", *arguments)


def links() -> bool:
    """Build strictly, then follow every link inside the site."""
    try:
        site = built_site()
    except AssertionError as failure:
        print(failure)
        return False
    broken = list(broken_links(site.resolve()))
    print("\n".join(broken) or f"{len(list(site.rglob('*.html')))} pages, every link inside the site leads somewhere")
    return not broken


def valid_html() -> bool:
    """Build strictly, then hold every written page and listings of each kind against the HTML standard."""
    try:
        site = built_site()
    except AssertionError as failure:
        print(failure)
        return False
    pages = checked_html(site)
    found = faults_of(pages, site)
    complaints = [*map(str, (fault for fault in found if not fault.allowance)), *unused_allowances(found)]
    print("\n".join(complaints) or f"{len(pages)} pages are valid HTML, but for what the theme does")
    return not complaints


CHECKS: dict[str, Callable[[], bool]] = {
    "lint": lambda: module("ruff", "check"),
    "format": lambda: module("ruff", "format", "--check", "--quiet"),
    "types of Python": lambda: module("mypy"),
    "types of JavaScript": lambda: succeeds("node_modules/.bin/tsc", "--project", "tsconfig.json"),
    "spelling": lambda: module("codespell_lib", "docs", "demos", "pysim", "hooks", "tests", *PAPERS),
    "links": links,
    "HTML": valid_html,
}


def main() -> None:
    failed = []
    for name, check in CHECKS.items():
        print(f"— {name}", flush=True)
        if not check():
            failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")
    print("all clean")


if __name__ == "__main__":
    main()
