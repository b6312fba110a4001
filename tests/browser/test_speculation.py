"""Can a reader add conversations and see guessing turn into a loss?"""

from __future__ import annotations

from tests.browser.figures import Figure
from tests.browser.kept import KeptPages


def test_a_busy_server_turns_the_gain_into_a_loss(kept: KeptPages) -> None:
    demo = Figure(kept("embed/speculation.html"), "speculation")
    demo.wait_for_python()
    demo.shows(pays="true")
    demo.root.get_by_role("spinbutton", name="Conversations").fill("128")
    demo.shows(pays="false", fits="true")
