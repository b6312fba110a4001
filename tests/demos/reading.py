"""What does a drawn frame hold? A small reader of its HTML for tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta", "line", "circle", "rect", "wbr"}


@dataclass
class Read:
    """Every element's name and attributes, the text, and the readouts by name."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.read = Read()
        self.open: list[str] = []
        self.readout: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.read.elements.append((tag, attributes))
        if tag not in VOID:
            self.open.append(tag)
        name = attributes.get("data-readout")
        if name:
            assert name not in self.read.outputs, f"readout {name} stands twice"
            self.read.outputs[name] = attributes["data-value"] or ""
            self.readout = name

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another element"
        if tag == "output":
            self.readout = None

    def handle_data(self, data: str) -> None:
        self.read.text += data
        if self.readout:
            self.read.shown[self.readout] = self.read.shown.get(self.readout, "") + data


def read(html: str) -> Read:
    """Return what `html` holds; fails where elements are not closed in order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open, f"left open: {reader.open}"
    return reader.read


def classes(drawn: Read, start: str) -> list[tuple[str, str]]:
    """Return the (class, style) of every element whose first class is `start`."""
    styled = [(a.get("class") or "", a.get("style") or "") for _, a in drawn.elements]
    return [(name, style) for name, style in styled if name.split(" ")[0] == start]
