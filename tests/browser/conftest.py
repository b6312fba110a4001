"""The built site in a browser: how do tests open its pages?

`visit` opens a page of the site in a fresh context of Chromium, `kept` gives one that other tests have used and left at
its start values, `firefox_visit` opens a page in Firefox; all over http. `file_visit` opens a page of the unzipped
folder. Under `matrix/` the first and the third do both. All of them fail the test on a console error, a page error or a
request that leaves the site.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.kept import KeptPages
from tests.tools.build import built_site, unzipped_site
from tests.tools.find_browser import running_chromium
from tests.tools.firefox import Firefox
from tests.tools.firefox_page import FirefoxVisits
from tests.tools.static_host import static_host
from tests.tools.watched import Site, Visits

# Playwright keeps an event loop running in this thread, which other tests want for themselves: so these live no
# longer than the tests of this folder.


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder."""
    with running_chromium() as launched:
        yield launched


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


@pytest.fixture
def site(http_site: Site) -> Site:
    """The site as most readers reach it; `matrix/` looks at it from the file system too."""
    return http_site


def watched(browser: Browser, site: Site) -> Iterator[Visits]:
    visits = Visits(browser, site)
    yield visits
    visits.close()
    visits.check()


@pytest.fixture
def visit(browser: Browser, site: Site) -> Iterator[Visits]:
    yield from watched(browser, site)


@pytest.fixture(scope="package")
def kept_pages(browser: Browser, http_site: Site) -> Iterator[KeptPages]:
    visits = Visits(browser, http_site)
    yield KeptPages(visits)
    visits.close()
    visits.check()


@pytest.fixture
def kept(kept_pages: KeptPages) -> Iterator[KeptPages]:
    yield kept_pages
    kept_pages.finish()


@pytest.fixture
def file_visit(browser: Browser, file_site: Site) -> Iterator[Visits]:
    yield from watched(browser, file_site)


@pytest.fixture
def firefox_visit(firefox: Firefox, site: Site) -> Iterator[FirefoxVisits]:
    visits = FirefoxVisits(firefox, site)
    yield visits
    visits.close()
    visits.check()
