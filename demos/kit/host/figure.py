"""The figure of a demo in a page before any script has run, with the first frame inside."""

from __future__ import annotations

from collections.abc import Mapping

from simple_html import (
    Node,
    SafeString,
    Tag,
    a,
    button,
    details,
    div,
    figure,
    footer,
    form,
    h1,
    header,
    input_,
    label,
    noscript,
    option,
    p,
    select,
    span,
    strong,
    summary,
)

from demos.kit.declare.controls import Value
from demos.kit.declare.demo import Demo, Scene
from demos.kit.host.control_html import control_html
from demos.kit.host.session import explained, timing
from demos.kit.html import Attributes, data_json, element

SPEEDS = (("0.25", "¼×"), ("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"))
SCRUB_STEPS = 1000
NO_SCRIPT = (
    "Without JavaScript, this picture shows the start of the example; "
    "its numbers were computed when the page was built."
)


def figure_html(
    demo: Demo,
    *,
    figure_id: str,
    options: Mapping[str, object],
    recording_url: str | None,
    python_url: str,
    numpy: bool = False,
    preset_recordings: Mapping[str, str] | None = None,
    heads_page: bool = False,
) -> str:
    """Return the `<figure>` of a demo set by `options` (values as YAML gives them).

    Raises KitError naming an option or value that the demo does not allow. `preset_recordings`
    maps the labels of recorded presets to the addresses of their recordings. A figure that
    `heads_page` has its title as the page's first heading.
    """
    values = demo.options(options)
    scene = demo.module.scene(**values)
    run = timing(demo, scene)
    attributes = {
        "class": "demo",
        "id": figure_id,
        "data-demo": demo.demo_id,
        "data-state": "static",
        "aria-labelledby": f"{figure_id}-title",
        "data-numpy": "true" if numpy else "false",
        "data-run": demo.word,
        "data-values": data_json(demo.texts(values)),
        "data-stops": data_json(run["stops"]),
        "data-end-s": str(run["end_s"]),
        "data-rate": str(run["rate"]),
        "data-says": data_json(run["says"]),
        "data-measure": data_json(run["measure"]),
        **({"data-sets": data_json(list(options))} if options else {}),
        **({"data-recording": recording_url} if recording_url else {}),
    }
    return element(
        figure,
        attributes,
        _head(demo, figure_id, h1 if heads_page else strong),
        _controls(demo, values),
        *(_transport(demo.word) if len(demo.module.stops(scene)) > 1 else []),
        element(div, {"class": "demo-frame", "data-part": "frame"}, SafeString(demo.module.frame(scene, 0.0))),
        _foot(demo, scene, python_url, preset_recordings or {}),
    ).safe_str


def _head(demo: Demo, figure_id: str, title: Tag) -> SafeString:
    return element(
        header,
        {"class": "demo-head"},
        title({"class": "demo-title", "id": f"{figure_id}-title"}, demo.module.TITLE),
        p({"class": "demo-lead"}, demo.module.LEAD),
    )


def _controls(demo: Demo, values: Mapping[str, Value]) -> SafeString:
    """Return the form: main controls, and the others behind "More settings"; what a page sets there is its start."""
    main: list[Node] = []
    more: list[Node] = []
    for control in demo.module.CONTROLS:
        first = not demo.main or control.name in demo.main
        (main if first else more).append(control_html(control, values[control.name]))
    if more:
        main.append(
            element(
                details,
                {"class": "demo-more control-grow"},
                summary("More settings", span({"class": "demo-changed", "data-part": "changed"})),
                element(div, {"class": "demo-more-controls"}, *more),
            )
        )
    return element(form, {"class": "demo-controls", "autocomplete": "off"}, *main)


def _transport(word: str) -> list[SafeString]:
    speeds = [
        option({"value": value, **({"selected": None} if value == "1" else {})}, shown) for value, shown in SPEEDS
    ]
    bounds: Attributes = {
        "type": "range",
        "data-do": "scrub",
        "min": "0",
        "max": str(SCRUB_STEPS),
        "step": "1",
        "value": "0",
    }
    return [
        element(
            div,
            {"class": "demo-transport"},
            button({"type": "button", "class": "demo-run", "data-do": "run"}, word),
            button({"type": "button", "data-do": "pause"}, "Pause"),
            button({"type": "button", "data-do": "step"}, "Step"),
            button({"type": "button", "data-do": "reset"}, "Reset"),
            label({"class": "demo-time"}, "Time", input_(bounds)),
            label({"class": "demo-speed"}, "Speed", select({"data-do": "speed"}, *speeds)),
        )
    ]


def _foot(demo: Demo, scene: Scene, python_url: str, recordings: Mapping[str, str]) -> SafeString:
    presets: list[Node] = [
        button(
            {
                "type": "button",
                "class": "demo-preset",
                "data-values": data_json(dict(preset.values)),
                **({"data-recording": recordings[preset.label]} if preset.label in recordings else {}),
            },
            preset.label,
        )
        for preset in demo.presets
    ]
    return element(
        footer,
        {"class": "demo-foot"},
        p({"class": "demo-status", "role": "status"}, demo.module.say(scene, 0.0)),
        noscript(p({"class": "demo-noscript"}, NO_SCRIPT)),
        div(
            {"class": "demo-presets", "role": "group", "aria-label": "Settings to try"},
            *presets,
            button({"type": "button", "data-do": "start-values"}, "Start values"),
        ),
        details(
            {"class": "demo-share"},
            summary("Share and save"),
            div(
                {"class": "demo-actions"},
                button({"type": "button", "data-do": "link"}, "Copy link to this setting"),
                button({"type": "button", "data-do": "csv"}, "Copy as CSV"),
                button({"type": "button", "data-do": "embed"}, "Copy embed code"),
                button({"type": "button", "data-save": "png"}, "Save as PNG"),
                button({"type": "button", "data-save": "svg"}, "Save as SVG"),
                a({"class": "demo-source", "href": python_url}, "See the Python"),
            ),
        ),
        details(
            {"class": "demo-math"},
            summary("Show the math"),
            div({"data-part": "math"}, SafeString(explained(demo, scene))),
        ),
    )
