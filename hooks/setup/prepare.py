"""The order of the setup: Python packages first, then Node's."""

from __future__ import annotations

from collections.abc import Sequence

from hooks.setup import environment, node
from hooks.setup.common import fail, locked

SETS = ("site", "test")


def main(arguments: Sequence[str]) -> None:
    """`python3 -m hooks.setup site` or `... test`."""
    if len(arguments) != 1 or arguments[0] not in SETS:
        fail(f"usage: python3 -m hooks.setup {'|'.join(SETS)}")
    with locked():
        environment.ensure(arguments[0])
        node.ensure()
