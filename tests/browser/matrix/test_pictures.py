"""Pictures on a host and from a folder: does the whole picture of every demo become a PNG?"""

from __future__ import annotations

import struct
from base64 import b64encode
from pathlib import Path

import pytest
from playwright.sync_api import expect

from demos.kit.host.registry import demo_ids
from tests.browser.downloads import saved
from tests.browser.figures import Figure
from tests.tools.watched import Visits

LAPTOP = {"width": 1280, "height": 720}
SCALE = 2
# How many colours a picture has, which share of it is opaque, and the colour of its corner.
SHOWN_HEIGHT = "frame => frame.lastElementChild.getBoundingClientRect().bottom - frame.getBoundingClientRect().top"
PIXELS = """async url => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const {data} = pen.getImageData(0, 0, image.width, image.height);
    const colours = new Set();
    let solid = 0;
    for (let at = 0; at < data.length; at += 4) {
        colours.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
        solid += data[at + 3] === 255;
    }
    return {colours: colours.size, solid: solid / (data.length / 4), first: [...data.slice(0, 3)]};
}"""


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height, as a PNG's first chunk has them."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize(("site", "scheme"), [("http", "light"), ("file", "dark")], indirect=["site"])
def test_the_whole_picture_of_every_demo_becomes_a_png(visit: Visits, tmp_path: Path, scheme: str) -> None:
    page = visit(viewport=LAPTOP, color_scheme=scheme)
    for demo_id in demo_ids():
        page.goto(visit.site.url(f"embed/{demo_id}.html"))
        demo = Figure(page, demo_id)
        download = saved(page, demo, "PNG")
        assert download.suggested_filename == f"{demo_id}.png"
        expect(demo.status).to_have_text(f"The picture is saved as {demo_id}.png.")
        download.save_as(tmp_path / "picture.png")
        png = (tmp_path / "picture.png").read_bytes()
        width, height = size_of(png)
        frame = demo.frame.bounding_box()
        assert frame is not None
        assert abs(width - SCALE * frame["width"]) <= SCALE
        # Beside a tall column of controls the frame has room below what it shows.
        assert height > SCALE * demo.frame.evaluate(SHOWN_HEIGHT)
        address = f"data:image/png;base64,{b64encode(png).decode()}"
        seen = page.evaluate(PIXELS, address)
        assert seen["solid"] == 1
        assert seen["colours"] > 30
        assert (sum(seen["first"]) < 3 * 128) == (scheme == "dark")
