"""What do tests of every folder share?"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.tools import find_browser
from tests.tools.firefox import Firefox, running_firefox


@pytest.fixture(scope="session")
def firefox() -> Iterator[Firefox]:
    """One Firefox for all tests; where there is none its tests are skipped, unless REQUIRE_FIREFOX is set."""
    path = find_browser.firefox()
    if path is None:
        if os.environ.get("REQUIRE_FIREFOX"):
            pytest.fail("no Firefox here, and REQUIRE_FIREFOX is set")
        pytest.skip("no Firefox here (FIREFOX_PATH names one)")
    with running_firefox(path) as started:
        yield started
