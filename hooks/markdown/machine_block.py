"""The ```machine block of Markdown: which machine is yours? Numbers and demos of the page follow the choice.

Without a script it says which machine the page is about; `demos/runtime/page/machine.js` shows the choice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from markdown import Markdown
from simple_html import SafeString, button, div, fieldset, input_, label, legend, option, p, render, select, span

import pysim
from demos.kit.declare.machines import COMMON, DEVICES, MODELS, PARTS, WEIGHTS, weights_in_words
from demos.kit.facts.expression import asked
from demos.kit.html import element
from hooks.markdown.blocks import FencedBlocks, Taken

QUESTION = "Which machine is yours?"
EXACTLY = "exactly"


class MachineBlocks(FencedBlocks):
    """The extension; one instance serves one build."""

    word = "machine"
    failure = "The choice of a machine can’t be shown."

    def fill(self, md: Markdown, root: Element, taken: Taken) -> None:
        """Put the choice where the mark's HTML would go."""
        if taken.fence.body or taken.fence.info.split()[1:]:
            whole = self.reporter.problem("a machine block has no name and no options", taken.line)
            md.htmlStash.rawHtmlBlocks[taken.stash_index] = self.problem_box(whole)
            return
        md.htmlStash.rawHtmlBlocks[taken.stash_index] = render(_choice())


def _choice() -> SafeString:
    cases = {key: {part: getattr(machine, part) for part in PARTS} for key, machine in COMMON.items()}
    names = {key: machine.name for key, machine in COMMON.items()} | {EXACTLY: "Another one"}
    radios = [
        element(
            label,
            {"class": "machine-case"},
            input_({"type": "radio", "name": "machine", "value": key}),
            element(span, {}, name[0].upper() + name[1:]),
        )
        for key, name in names.items()
    ]
    pickers = [
        element(label, {}, element(span, {}, title), _select(part, options))
        for part, title, options in (
            ("device", "Device", ((key, pysim.load_device(key).name) for key in DEVICES)),
            ("model", "Model", ((key, pysim.load_model(key).name) for key in MODELS)),
            ("weights", "Weights", ((key, weights_in_words(key)) for key in WEIGHTS)),
        )
    ]
    return element(
        div,
        {"class": "machine", "data-cases": json.dumps(cases)},
        element(
            fieldset,
            {"class": "machine-cases"},
            element(legend, {}, QUESTION),
            *radios,
        ),
        element(div, {"class": "machine-exactly", "hidden": ""}, *pickers),
        p(
            "Numbers, questions and demos on this page are about ",
            _mine("my_model_name"),
            " in ",
            _mine("my_weights_name"),
            " on ",
            _mine("my_device_name"),
            ". ",
            element(button, {"type": "button", "class": "machine-forget", "hidden": ""}, "Forget my choice"),
        ),
        element(p, {"class": "machine-status", "role": "status"}),
    )


def _select(part: str, options: Iterable[tuple[str, str]]) -> SafeString:
    return element(
        select,
        {"name": f"machine-{part}", "autocomplete": "off"},
        *(option({"value": key}, text) for key, text in options),
    )


def _mine(word: str) -> SafeString:
    return element(span, {"class": "mine", "data-asks": word}, asked(word, {}).text)
