"""What the doctor asks back, with the likeliest answers as buttons, and the answer as a post to copy."""

from __future__ import annotations

from simple_html import SafeString, b, button, div, p, span

from demos.kit.html import element
from pysim.doctor.answer.ask import Ask

POST = "The post"


def ask_box(ask: Ask) -> SafeString:
    """Return the question, and a button for each guess; a guess about memory becomes a line of the text."""
    kind = "data-adds" if ask.about == "memory" else "data-sets"
    control = "text" if ask.about == "memory" else ask.about
    guesses = [button({"type": "button", kind: control, "value": guess.value}, guess.name) for guess in ask.guesses]
    others = "" if ask.about == "memory" else ", or choose it under More settings"
    return element(
        div,
        {"class": "ask"},
        p({}, b(ask.question)),
        *([div({"class": "ask-guesses"}, *guesses)] if guesses else []),
        p({"class": "cap"}, span(f"Or add to your text: {ask.paste}{others}.")),
    )


def post_button(post: str) -> SafeString:
    """Return the button that copies the answer as Markdown for a forum."""
    copy = button({"type": "button", "data-copies": POST, "value": post}, "Copy as a post")
    return element(div, {"class": "post"}, copy)
