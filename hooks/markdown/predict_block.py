"""The ```predict block of Markdown: a question to guess at before a demo.

    ```predict
    question: How many passes will it take?
    a: One
    b: As many as the answer has tokens
    answer: b
    reason: The first token comes out of the prefill pass, each other one out of a pass of its own.
    ```

Question, choices and reason take emphasis, terms and computed numbers like any other text. The answer's
place is kept free from the start, so that nothing moves when it shows; a `<details>` shows it without a
script, `assets/predict.js` shows it when the demo below has run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown

from demos.kit.errors import nearest
from hooks.markdown.blocks import FencedBlocks, Taken
from hooks.markdown.options import Option, OptionError, read_options
from pysim.errors import quoted

CHOICE = re.compile(r"[a-f]")
TEXTS = ("question", "answer", "reason")
LEAST_CHOICES = 2
SHOW, HIDE = "Show the answer", "Hide the answer"
MARKED = "Your guess"
INVITATION = "Pick one, then try it below."


class Predictions(FencedBlocks):
    """The extension; one instance serves one build."""

    word = "predict"
    failure = "This question can’t be shown."

    def fill(self, md: Markdown, root: Element, taken: Taken) -> None:
        """Put the question, still to be read for emphasis and numbers, in the place of the mark."""
        try:
            texts = _texts(read_options(taken.fence.body), taken.fence.info)
        except OptionError as error:
            whole = self.reporter.problem(str(error), taken.line + 1 + error.line)
            md.htmlStash.rawHtmlBlocks[taken.stash_index] = self.problem_box(whole)
            return
        for parent in root.iter():
            for at, child in enumerate(parent):
                if child.tag == "p" and (child.text or "").strip() == taken.mark:
                    parent[at] = _question(texts, f"guess-{taken.line}")
                    return


def _texts(options: list[Option], info: str) -> Mapping[str, str]:
    """Return the texts of a block by their names; raises OptionError for what is missing or unknown."""
    if info.split()[1:]:
        raise OptionError("a predict block has no name: its first line is ```predict alone", -1)
    given = {option.name: option for option in options}
    for option in options:
        if option.name not in TEXTS and not CHOICE.fullmatch(option.name):
            advice = nearest(option.name, TEXTS) or "; there are question, the choices a to f, answer and reason"
            raise OptionError(f"a question has no {quoted(option.name)}{advice}", option.line)
    for name in TEXTS:
        if not str(given[name].value if name in given else "").strip():
            raise OptionError(f"a question needs the line `{name}: …`", -1)
    choices = [name for name in given if name not in TEXTS]
    if len(choices) < LEAST_CHOICES:
        raise OptionError("a question needs at least the choices a and b", -1)
    answer = given["answer"]
    if answer.value not in choices:
        raise OptionError(f"the answer {quoted(answer.value)} is none of {', '.join(choices)}", answer.line)
    return {name: str(option.value).strip() for name, option in given.items()}


def _question(texts: Mapping[str, str], name: str) -> Element:
    block = Element("div", {"class": "predict"})
    choices = SubElement(block, "fieldset", {"class": "predict-choices"})
    legend = SubElement(choices, "legend", {"class": "predict-question"})
    SubElement(legend, "span", {"class": "predict-mark"}).text = MARKED
    SubElement(legend, "span").text = texts["question"]
    for key in sorted(key for key in texts if key not in TEXTS):
        right = " predict-right" if key == texts["answer"] else ""
        label = SubElement(choices, "label", {"class": f"predict-choice{right}"})
        SubElement(label, "input", {"type": "radio", "name": name, "value": key})
        SubElement(label, "span").text = texts[key]
    side = SubElement(block, "div", {"class": "predict-side"})
    SubElement(side, "p", {"class": "predict-status", "role": "status"}).text = INVITATION
    show = SubElement(side, "details", {"class": "predict-show", "data-search-exclude": ""})
    switch = SubElement(show, "summary")
    SubElement(switch, "span", {"class": "predict-closed"}).text = SHOW
    SubElement(switch, "span", {"class": "predict-opened"}).text = HIDE
    answer = SubElement(side, "p", {"class": "predict-answer"})
    right = texts[texts["answer"]]
    SubElement(answer, "strong").text = right if right.endswith((".", "!", "?")) else f"{right}."
    SubElement(answer, "span").text = " " + texts["reason"]
    return block
