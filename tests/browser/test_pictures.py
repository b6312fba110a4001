"""Does a demo's picture become a file, as it stands on the page, and is a refusal answered?"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from tests.browser.downloads import saved
from tests.browser.figures import Figure
from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
LAPTOP = {"width": 1280, "height": 720}
SVG = "{http://www.w3.org/2000/svg}"
# What WebKit does with a canvas that holds a page's own HTML.
TAINTED = "HTMLCanvasElement.prototype.toBlob = () => { throw new DOMException('tainted', 'SecurityError') }"
PRINTS = "window.printed = 0; window.print = () => { window.printed += 1 }"


def texts(root: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in root.iter(f"{SVG}text")]


def test_the_plots_become_drawings_that_other_programs_read(visit: Visits, tmp_path: Path) -> None:
    page = visit(LESSON, viewport=LAPTOP)
    for demo_id, words, plots in (("kv-memory", "context, tokens", 1), ("batching", "ridge: 59", 2)):
        demo = Figure(page, demo_id)
        saved(page, demo, "SVG").save_as(tmp_path / "plots.svg")
        root = ElementTree.parse(tmp_path / "plots.svg").getroot()
        assert root.tag == f"{SVG}svg"
        assert root.find(f"{SVG}title") is not None
        assert len(root.findall(f"{SVG}g")) == plots
        assert words in texts(root)
        assert root.find(f".//{SVG}polyline") is not None
        assert root.find(f".//{SVG}foreignObject") is None
        assert "var(" not in (tmp_path / "plots.svg").read_text()
        shown = [each.strip() for each in demo.frame.locator(".plot .tick").all_inner_texts()]
        assert set(shown) <= set(texts(root))


def test_a_demo_without_plots_becomes_a_drawing_of_its_picture(visit: Visits, tmp_path: Path) -> None:
    page = visit(LESSON, viewport=LAPTOP)
    demo = Figure(page, "two-phases")
    saved(page, demo, "SVG").save_as(tmp_path / "picture.svg")
    root = ElementTree.parse(tmp_path / "picture.svg").getroot()
    assert root.findtext(f"{SVG}title") == "How many times does the text go through the model?"
    assert root.find(f"{SVG}foreignObject") is not None
    expect(demo.status).to_contain_text("drawing programs may not")


def test_a_files_name_tells_the_setting_and_the_keyboard_saves_it(visit: Visits) -> None:
    page = visit(LESSON, query="kv-memory.context_tokens=128000", viewport=LAPTOP)
    demo = Figure(page, "kv-memory")
    demo.is_ready()
    demo.shows(context_tokens=128_000)
    demo.button("Save as PNG").focus()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename == "kv-memory-context-tokens-128000.png"


def test_a_picture_asked_for_before_python_is_there_is_the_one_that_was_asked_for(visit: Visits) -> None:
    page = visit("embed/kv-memory.html", query="kv-memory.context_tokens=128000")
    demo = Figure(page, "kv-memory")
    saved(page, demo, "PNG")
    demo.shows(context_tokens=128_000)


def test_characters_that_xml_forbids_do_no_harm(visit: Visits) -> None:
    page = visit("embed/two-phases.html", viewport=LAPTOP)
    demo = Figure(page, "two-phases").wait_for_python()
    demo.prompt.fill("a\u0001b \ufffe <b>&amp;</b> ]]> 👩‍👩‍👧")
    expect(demo.frame).to_contain_text("]]>")
    saved(page, demo, "PNG")
    expect(demo.status).to_contain_text("The picture is saved")


def test_where_the_browser_refuses_printing_is_offered_and_prints_the_picture_alone(visit: Visits) -> None:
    page = visit(LESSON, init_script=f"{TAINTED};{PRINTS}", viewport=LAPTOP)
    demo = Figure(page, "one-pass")
    demo.press("Save as PNG")
    expect(demo.status).to_contain_text("doesn't let a page turn its picture into a file")
    expect(demo.button("Print the picture")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("window.printed") == 1
    page.emulate_media(media="print")
    expect(demo.frame).to_be_visible()
    expect(demo.root.locator(".demo-title")).to_be_visible()
    expect(page.locator("h1")).to_be_hidden()
    expect(page.locator("figure#two-phases")).to_be_hidden()
    expect(demo.status).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("h1")).to_be_visible()


def test_without_a_connection_the_reader_is_told(visit: Visits) -> None:
    visit.allow("pictures.js|Failed to load resource")

    def cut(page: Page) -> None:
        page.route("**/pictures.js", lambda route: route.abort())

    page = visit(LESSON, before=cut)
    demo = Figure(page, "one-pass")
    demo.press("Save as PNG")
    expect(demo.status).to_contain_text("check the connection and try again")
    page.unroute_all()
    saved(page, demo, "PNG")
