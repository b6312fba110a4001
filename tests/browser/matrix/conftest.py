"""The matrix: tests of what may differ between a host and a folder, in Chromium and in Firefox."""

from __future__ import annotations

import pytest

from tests.tools.watched import Site


@pytest.fixture(params=["http", "file"])
def site(request: pytest.FixtureRequest) -> Site:
    """The site both ways, one after the other."""
    opened: Site = request.getfixturevalue(f"{request.param}_site")
    return opened
