"""Do styles stay what they are without their comments?"""

from __future__ import annotations

from hooks.assets.minify import small_style


def test_a_space_before_a_pseudo_class_stays_also_within_a_block() -> None:
    style = "/* why */\n@container demo (max-width: 30em) {\n  .table :is(th, td) { padding: 0 } /* end */\n}\n"
    assert small_style(style) == "@container demo (max-width: 30em) {\n.table :is(th, td) { padding: 0 } \n}\n"
