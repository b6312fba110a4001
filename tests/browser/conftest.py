"""How do tests open the built site, served and from the file system?

`visit` opens a page of the site in Chromium, over http and from an unzipped folder in turn; `http_visit` and
`file_visit` open it one way only; `firefox_visit` does what `visit` does in Firefox. All of them fail the test on a
console error, a page error or a request that leaves the site.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.tools import find_browser
from tests.tools.build import built_site, unzipped_site
from tests.tools.firefox import Firefox
from tests.tools.firefox_page import FirefoxVisits
from tests.tools.static_host import static_host
from tests.tools.watched import CHROMIUM_FLAGS, Site, Visits

# Playwright keeps an event loop running in this thread, which other tests want for themselves: so these live no
# longer than the tests of this folder.


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder."""
    path = find_browser.chromium()
    assert path is not None, "no Chromium for the browser tests: `make test` finds or installs one"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def site_folder() -> Path:
    """The strictly built site, once for all tests."""
    return built_site()


@pytest.fixture(scope="session")
def http_site(site_folder: Path) -> Iterator[Site]:
    with static_host(site_folder) as base:
        yield Site(kind="http", base=base)


@pytest.fixture(scope="session")
def file_site() -> Site:
    """The unzipped download in a folder whose path is as awkward as a reader's may be."""
    return Site(kind="file", base=unzipped_site().as_uri())


@pytest.fixture(params=["http", "file"])
def site(request: pytest.FixtureRequest) -> Site:
    """The site both ways, one after the other."""
    found: Site = request.getfixturevalue(f"{request.param}_site")
    return found


def watched(browser: Browser, site: Site) -> Iterator[Visits]:
    visits = Visits(browser, site)
    yield visits
    visits.close()
    visits.check()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visits]:
    yield from watched(browser, site)


@pytest.fixture
def http_visit(browser: Browser, http_site: Site) -> Iterator[Visits]:
    yield from watched(browser, http_site)


@pytest.fixture
def file_visit(browser: Browser, file_site: Site) -> Iterator[Visits]:
    yield from watched(browser, file_site)


@pytest.fixture
def firefox_visit(firefox: Firefox, site: Site) -> Iterator[FirefoxVisits]:
    visits = FirefoxVisits(firefox, site)
    yield visits
    visits.close()
    visits.check()
