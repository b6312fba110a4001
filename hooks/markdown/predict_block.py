"""The ```predict block of Markdown: a question to guess at before a demo.

    ```predict
    question: How many passes will it take?
    a: One
    b: As many as the answer has tokens
    answer: b
    reason: The first token comes out of the prefill pass, every other one has its own pass.
    ```

Which answer is right may depend on the reader's machine. Then a measure is computed, and the answer is the first whose
bound it reaches; the last has none:

    measure: pass_s(my_model, my_device, 100) / pass_s(my_model, my_device, 1)
    answer: a from 30, b from 3, c

Question, choices and reason take emphasis, terms and computed numbers like any other text. The answer's
place is kept free from the start, so nothing moves when it shows; a `<details>` shows it without a
script, `assets/predict.js` shows it when the demo below has run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown

from demos.kit.errors import nearest
from demos.kit.facts.expression import NumberError, valued
from hooks.facts.vocabulary import FACTS
from hooks.markdown.blocks import FencedBlocks, Taken
from hooks.markdown.options import Option, OptionError, read_options
from pysim.errors import quoted

CHOICE = re.compile(r"[a-f]")
NEEDED = ("question", "answer", "reason")
TEXTS = (*NEEDED, "measure")
BOUND = re.compile(r"([a-f])(?: from (\d+(?:\.\d+)?))?")
LEAST_CHOICES = 2
SHOW, HIDE = "Show the answer", "Hide the answer"
MARKED = "Your guess"
INVITATION = "Pick one, then try it below."


class Predictions(FencedBlocks):
    """The extension; one instance serves one build."""

    word = "predict"
    failure = "This question can’t be shown."
    mark = MARKED
    invitation = INVITATION

    def fill(self, md: Markdown, root: Element, taken: Taken) -> None:
        """Put the question, still to be read for emphasis and numbers, in the place of the mark."""
        try:
            texts = _texts(read_options(taken.fence.body), taken.fence.info, self.word)
            right = _right(texts)
        except NumberError as error:
            whole = self.reporter.problem(f"the measure can't be computed: {error}", taken.line)
            md.htmlStash.rawHtmlBlocks[taken.stash_index] = self.problem_box(whole)
            return
        except OptionError as error:
            whole = self.reporter.problem(str(error), taken.line + 1 + error.line)
            md.htmlStash.rawHtmlBlocks[taken.stash_index] = self.problem_box(whole)
            return
        for parent in root.iter():
            for at, child in enumerate(parent):
                if child.tag == "p" and (child.text or "").strip() == taken.mark:
                    parent[at] = self.question(texts, right, f"guess-{taken.line}")
                    return

    def question(self, texts: Mapping[str, str], right: str, name: str) -> Element:
        """Return the question's block, its texts still to be read for emphasis and numbers."""
        measured = {"data-measure": texts["measure"], "data-answer": texts["answer"]} if "measure" in texts else {}
        block = Element("div", {"class": " ".join(dict.fromkeys(("predict", self.word)))} | measured)
        choices = SubElement(block, "fieldset", {"class": "predict-choices"})
        legend = SubElement(choices, "legend", {"class": "predict-question"})
        SubElement(legend, "span", {"class": "predict-mark"}).text = self.mark
        SubElement(legend, "span").text = texts["question"]
        for key in sorted(key for key in texts if key not in TEXTS):
            mark = " predict-right" if key == right else ""
            label = SubElement(choices, "label", {"class": f"predict-choice{mark}"})
            SubElement(label, "input", {"type": "radio", "name": name, "value": key})
            SubElement(label, "span").text = texts[key]
        side = SubElement(block, "div", {"class": "predict-side"})
        SubElement(side, "p", {"class": "predict-status", "role": "status"}).text = self.invitation
        show = SubElement(side, "details", {"class": "predict-show", "data-search-exclude": ""})
        switch = SubElement(show, "summary")
        SubElement(switch, "span", {"class": "predict-closed"}).text = SHOW
        SubElement(switch, "span", {"class": "predict-opened"}).text = HIDE
        answer = SubElement(side, "p", {"class": "predict-answer"})
        said = texts[right]
        SubElement(answer, "strong").text = said if said.endswith((".", "!", "?")) else f"{said}."
        SubElement(answer, "span").text = " " + texts["reason"]
        return block


class Quiz(Predictions):
    """The ```quiz block: a question after the fact, whose answer shows as soon as one is picked."""

    word = "quiz"
    mark = "Question"
    invitation = "Pick one."


def _texts(options: list[Option], info: str, word: str) -> Mapping[str, str]:
    """Return the texts of a block by their names; raises OptionError for what is missing or unknown."""
    if info.split()[1:]:
        raise OptionError(f"a {word} block has no name: its first line is ```{word} alone", -1)
    given = {option.name: option for option in options}
    for option in options:
        if option.name not in TEXTS and not CHOICE.fullmatch(option.name):
            advice = nearest(option.name, TEXTS) or "; there are question, the choices a to f, answer and reason"
            raise OptionError(f"a question has no {quoted(option.name)}{advice}", option.line)
    for name in NEEDED:
        if not str(given[name].value if name in given else "").strip():
            raise OptionError(f"a question needs the line `{name}: …`", -1)
    choices = [name for name in given if name not in TEXTS]
    if len(choices) < LEAST_CHOICES:
        raise OptionError("a question needs at least the choices a and b", -1)
    answer = given["answer"]
    for choice, _ in _bounds(answer, measured="measure" in given):
        if choice not in choices:
            raise OptionError(f"the answer {quoted(choice)} is not one of {', '.join(choices)}", answer.line)
    return {name: str(option.value).strip() for name, option in given.items()}


def _bounds(answer: Option, *, measured: bool) -> list[tuple[str, float]]:
    """The choices that an answer names, each with the least measure for which it is right."""
    parts = [part.strip() for part in str(answer.value).split(",")] if measured else [str(answer.value)]
    bounds: list[tuple[str, float]] = []
    for part in parts:
        match = BOUND.fullmatch(part) if measured else re.fullmatch("(.*)()", part)
        if match is None:
            raise OptionError(f"the answer {quoted(part)} is not a choice with a bound, as in `a from 30`", answer.line)
        bounds.append((match[1], float(match[2]) if match[2] else -math.inf))
    least = [bound for _, bound in bounds]
    if bounds[-1][1] > -math.inf or least != sorted(set(least), reverse=True):
        raise OptionError(
            "an answer's bounds must fall, and its last choice has none: `a from 30, b from 3, c`", answer.line
        )
    return bounds


def _right(texts: Mapping[str, str]) -> str:
    """The right choice for the common machine; raises NumberError where the measure can't be computed."""
    if "measure" not in texts:
        return texts["answer"]
    measure = valued(texts["measure"], FACTS).value
    bounds = _bounds(Option(name="answer", value=texts["answer"], line=0), measured=True)
    return next(choice for choice, bound in bounds if measure >= bound)
