"""Does the sentence under a moving picture keep up with it for the eyes, while the line for the ears stays slow?"""

from __future__ import annotations

import itertools

import pytest

from tests.browser.figures import Figure
from tests.tools.watched import Visits

# Frame by frame: the moment's own sentence, the one that is seen, and the one that is spoken.
WATCH = """(id) => new Promise((done) => {
  const figure = TwoSpeeds.figures.find((each) => each.element.id === id);
  const seen = figure.element.querySelector("[data-part=sentence]");
  const heard = figure.element.querySelector("[role=status]");
  const samples = [];
  const begin = performance.now();
  const look = () => {
    if (figure.state.playing) samples.push([figure.state.say(), seen.textContent, heard.textContent]);
    if (performance.now() - begin < 4000) requestAnimationFrame(look);
    else done(samples);
  };
  requestAnimationFrame(look);
})"""


@pytest.mark.parametrize(("demo_id", "start"), [("two-phases", "Run"), ("kv-cache", "Play")])
def test_the_sentence_is_that_of_the_moment_and_the_spoken_line_changes_rarely(
    visit: Visits, demo_id: str, start: str
) -> None:
    page = visit(f"embed/{demo_id}.html")
    demo = Figure(page, demo_id)
    demo.wait_for_python()
    demo.press(start)
    samples = page.evaluate(WATCH, demo_id)
    assert len({moment for moment, _, _ in samples}) > 3
    assert all(moment == seen for moment, seen, _ in samples)
    spoken = [heard for _, _, heard in samples]
    # In four seconds a line that changes at most every two changes no more than three times.
    assert sum(later != earlier for earlier, later in itertools.pairwise(spoken)) <= 3


def test_what_is_seen_is_not_spoken_twice(visit: Visits) -> None:
    page = visit("embed/two-phases.html")
    demo = Figure(page, "two-phases")
    assert demo.root.locator("[data-part=sentence]").get_attribute("aria-hidden") == "true"
    box = demo.root.locator("[role=status]").bounding_box()
    assert box is not None
    assert box["width"] <= 1
