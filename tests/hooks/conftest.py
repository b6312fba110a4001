"""Which site do these tests look at? The strict build and the download that all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.build import built_site, offline_zip, unzipped_site


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the strictly built site."""
    return built_site()


@pytest.fixture(scope="session")
def download() -> Path:
    """The zip that `make offline` writes."""
    return offline_zip()


@pytest.fixture(scope="session")
def unzipped() -> Path:
    """The download's folder, unpacked under an awkward path."""
    return unzipped_site()
