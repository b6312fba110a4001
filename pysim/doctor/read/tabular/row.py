"""TableRow: one row of a table in a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its first and last index in the text's lines, its cells, and the header's cells or none.

    `broken`: the text ends in this row's last cell, which so may lack its end.
    """

    index: int
    last_index: int
    cells: tuple[str, ...]
    header: tuple[str, ...]
    broken: bool = False

    @property
    def named(self) -> dict[str, str]:
        """Cells by the header's words in lower case."""
        return {name.lower(): cell for name, cell in zip(self.header, self.cells, strict=False)}
