"""Does Python start and answer from a host, from scripts on a host and from a folder, in Chromium and in Firefox?"""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.tools.firefox import Firefox
from tests.tools.firefox_page import FirefoxVisits
from tests.tools.watched import Site, Visits

PROMPT = "ß </script>\u2028 😀\0"
START = """async (numpy) => {
  const told = { fractions: [], texts: [], ready: 0 };
  TwoSpeeds.python.on("progress", ({ fraction, text }) => { told.fractions.push(fraction); told.texts.push(text); });
  TwoSpeeds.python.on("ready", () => { told.ready += 1; });
  const before = TwoSpeeds.python.state;
  await Promise.all([TwoSpeeds.python.start({ numpy }), TwoSpeeds.python.start({ numpy })]);
  return { ...told, before, after: TwoSpeeds.python.state, timing: TwoSpeeds.python.timing };
}"""
ASK = "([call, ...args]) => TwoSpeeds.python.ask(call, args)"

# What a page may come to need: each is imported in a started Python, one after the other.
LIBRARY = (
    "json tomllib csv re html html.parser random statistics fractions decimal dataclasses importlib.resources zipfile "
    "string string.templatelib compression.gzip compression.bz2 compression.lzma compression.zlib compression.zstd "
    "datetime _strptime hashlib difflib pprint traceback tokenize unicodedata urllib.parse base64 uuid logging "
    "encodings.cp437 encodings.utf_16 encodings.idna textwrap bisect heapq graphlib itertools functools typing"
)


@pytest.fixture
def visit(chromium: Browser, small_site: Site) -> Iterator[Visits]:
    visits = Visits(chromium, small_site)
    yield visits
    visits.close()
    visits.check()


def test_python_starts_answers_and_has_the_library_that_pages_need(visit: Visits) -> None:
    page = visit()
    started = page.evaluate(START, False)
    assert (started["before"], started["after"], started["ready"]) == ("idle", "ready", 1)
    assert started["fractions"] == sorted(started["fractions"])
    assert started["texts"][0] == "Starting Python: 0 %"
    assert list(started["timing"]) == sorted(started["timing"], key=started["timing"].get)
    answer = json.loads(page.evaluate(ASK, ["show", "key", "demo", PROMPT, "0.5"]))
    assert answer == {"asked": ["key", "demo", PROMPT, "0.5"], "letters": "äöü 😀", "python": [3, 14]}
    assert page.evaluate(ASK, ["explain", LIBRARY]) == str(len(LIBRARY.split()))


@pytest.mark.parametrize("at_once", [True, False], ids=["from the start", "later"])
def test_numpy_comes_when_it_is_asked_for(visit: Visits, at_once: bool) -> None:
    page = visit()
    page.evaluate(START, at_once)
    assert any("numpy" in address for address in visit.requests) is at_once
    page.evaluate("() => TwoSpeeds.python.start({ numpy: true })")
    product, middle, drawn, determinant = json.loads(page.evaluate(ASK, ["table", "key"]))
    # Rows 0 1 2 and 3 4 5: 0+1+4, 0+4+10, 9+16+25; the median of 0..5; 5 × 50 - 14 × 14.
    assert product == [[5.0, 14.0], [14.0, 50.0]]
    assert (middle, drawn) == (2.5, 3)
    assert determinant == pytest.approx(54.0)


def test_python_starts_and_answers_in_firefox(firefox: Firefox, small_site: Site) -> None:
    visits = FirefoxVisits(firefox, small_site)
    page = visits()
    started = page.evaluate(f"({START})(true)")
    assert (started["before"], started["after"], started["ready"]) == ("idle", "ready", 1)
    answer = json.loads(page.evaluate(f"({ASK})({json.dumps(['show', 'key', 'demo', PROMPT, '0.5'])})"))
    assert answer["asked"] == ["key", "demo", PROMPT, "0.5"]
    assert json.loads(page.evaluate(f"({ASK})(['table', 'key'])"))[1] == 2.5
    visits.close()
    visits.check()
