"""Does a demo work alone, in a frame on another host and in slides from a folder, and lead back with its setting?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.figures import ANSWER_MS, START_MS, Figure
from tests.tools.static_host import static_host
from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
SETTING = "kv-memory.context_tokens=128000"
LAPTOP = {"width": 1280, "height": 720}
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
HEIGHTS = """addEventListener("message", event => {
    window.told = window.told || [];
    window.told.push({keys: Object.keys(event.data).sort().join(), ...event.data});
})"""
SLIDES = """<!doctype html>
<html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Slides</title>
<body>{code}</body></html>"""


@pytest.fixture
def other_host(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder for somebody else's page, and where a host of theirs serves it."""
    with static_host(tmp_path) as base:
        yield tmp_path, base


def allow_host(visits: Visits, base: str) -> None:
    visits.allow(rf"request leaves the site: {re.escape(base)}")


def height_of(page: Page, address: str) -> int:
    page.goto(address)
    height: int = page.evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)")
    return height


@pytest.mark.parametrize(
    "value",
    ["%3C%2Fscript%3E%3Cimg%20src%3Dx%20onerror%3Dhurt()%3E", "9" * 5000, "1&kv-memory.context_tokens=2", "%00%F0", ""],
    ids=["markup", "five-thousand-digits", "twice", "broken-bytes", "nothing"],
)
def test_a_hostile_value_in_the_address_is_refused_in_words(visit: Visits, value: str) -> None:
    page = visit("embed/kv-memory.html", query=f"kv-memory.context_tokens={value}&javascript:alert(1)//.x=1")
    demo = Figure(page, "kv-memory")
    demo.is_ready()
    expect(demo.root.locator(".control-problem")).to_be_visible()
    demo.shows(context_tokens=8192)
    expect(page.locator("img")).to_have_count(0)
    expect(page.locator("a.demo-home")).to_have_attribute("href", re.compile(rf"{LESSON}(\?[^#<>\"]*)?#kv-memory$"))


def test_the_system_decides_between_light_and_dark(visit: Visits) -> None:
    page = visit("embed/two-phases.html", color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(20, 24, 31)"
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"{ground} === 'rgb(255, 255, 255)'")


def test_copied_code_works_on_another_host_and_its_listener_makes_it_fit(
    visit: Visits, other_host: tuple[Path, str]
) -> None:
    folder, base = other_host
    allow_host(visit, base)
    page = visit(LESSON, query=SETTING, viewport=LAPTOP, permissions=["clipboard-read", "clipboard-write"])
    demo = Figure(page, "kv-memory")
    demo.is_ready()
    demo.shows(context_tokens=128_000)
    demo.button("Copy embed code").focus()
    page.keyboard.press("Enter")
    expect(demo.status).to_have_text("The embed code is copied.")
    code = page.evaluate("navigator.clipboard.readText()")
    assert 'loading="lazy"' in code
    assert 'title="How big does the cache get next to the weights?"' in code
    listener = code[code.index("<script>") :].strip()
    assert len(listener.splitlines()) == 5
    (folder / "talk.html").write_text(SLIDES.format(code=code))
    page.goto(f"{base}/talk.html")
    shown = Figure(page.frame_locator("iframe"), "kv-memory")  # type: ignore[arg-type]
    expect(shown.root).to_have_attribute("data-state", "ready", timeout=START_MS)
    shown.shows(context_tokens=128_000)
    expect(page.frame_locator("iframe").locator("a.demo-home")).to_be_visible()
    page.wait_for_function(
        "document.querySelector('iframe').clientHeight > 300 && "
        "Number(document.querySelector('iframe').height) === document.querySelector('iframe').clientHeight"
    )


def test_a_frame_tells_its_height_and_its_demo_and_nothing_else(visit: Visits, other_host: tuple[Path, str]) -> None:
    folder, base = other_host
    allow_host(visit, base)
    frame = f'<iframe title="demo" width="700" height="300" src="{visit.site.url("embed/one-pass.html")}"></iframe>'
    (folder / "page.html").write_text(SLIDES.format(code=f"<script>{HEIGHTS}</script>{frame}"))
    page = visit()
    page.goto(f"{base}/page.html")
    page.wait_for_function("window.told && told.length > 0")
    first = page.evaluate("told[0]")
    assert first == {"keys": "demo,height", "demo": "one-pass", "height": first["height"]}
    page.evaluate("document.querySelector('iframe').width = 400")
    page.wait_for_function("told.at(-1).height > told[0].height")


@pytest.mark.parametrize("width", [720, 1000])
def test_the_height_in_the_code_holds_the_whole_demo(visit: Visits, width: int) -> None:
    page = visit(LESSON, viewport=LAPTOP)
    heights: dict[str, int] = page.evaluate(
        "Object.fromEntries(TwoSpeeds.figures.map(each => [each.element.id, EmbedCode.height(each.element)]))"
    )
    page.set_viewport_size({"width": width, "height": 400})
    for demo_id, height in heights.items():
        assert height_of(page, visit.site.url(f"embed/{demo_id}.html")) <= height, demo_id


def test_slides_from_a_folder_hold_a_demo_that_computes(file_visit: Visits, tmp_path: Path) -> None:
    file_visit.allow(r"request leaves the site: file:///.*slides\.html")
    address = file_visit.site.url("embed/kv-memory.html", query=SETTING)
    (tmp_path / "slides.html").write_text(
        SLIDES.format(code=f'<script>{HEIGHTS}</script><iframe title="demo" width="900" height="500" src="{address}">')
    )
    page = file_visit()
    page.goto((tmp_path / "slides.html").as_uri())
    shown = page.frame_locator("iframe")
    expect(shown.locator("figure")).to_have_attribute("data-state", "ready", timeout=START_MS)
    readout = shown.locator("output[data-readout=context_tokens]")
    expect(readout).to_have_attribute("data-value", "128000", timeout=ANSWER_MS)
    page.wait_for_function("window.told && told.at(-1).height > 300")


def test_where_there_is_no_clipboard_the_code_is_shown_selected(visit: Visits) -> None:
    page = visit(LESSON, init_script=NO_CLIPBOARD)
    demo = Figure(page, "one-pass")
    demo.press("Copy embed code")
    field = demo.root.get_by_role("textbox", name="Embed code")
    expect(field).to_be_focused()
    expect(field).to_have_value(
        re.compile(r'^<iframe src="[^"]*/embed/one-pass\.html\?one-pass\.weights=q4_k_m" title=')
    )
    assert page.evaluate("document.activeElement.selectionEnd - document.activeElement.selectionStart") > 200


def test_from_a_folder_the_code_has_the_published_address(file_visit: Visits) -> None:
    published = "<link rel='canonical' href='https://example.org/two/lessons/prefill-and-decode.html'>"
    script = f'addEventListener("DOMContentLoaded", () => document.head.insertAdjacentHTML("beforeend", "{published}"))'
    page = file_visit(LESSON, init_script=NO_CLIPBOARD + ";" + script)
    Figure(page, "one-pass").press("Copy embed code")
    field = page.get_by_role("textbox", name="Embed code")
    expect(field).to_have_value(
        re.compile(r'^<iframe src="https://example\.org/two/embed/one-pass\.html\?one-pass\.weights=q4_k_m"')
    )
