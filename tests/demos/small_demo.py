"""A demo as CONTRIBUTING's recipe describes it, small and whole, written into a folder of its own for a test."""

from __future__ import annotations

from pathlib import Path

SOURCE = '''"""How long does a model take to read a prompt?"""

from __future__ import annotations

from simple_html import div

from demos.kit.declare.controls import Slider
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Readout, readouts
from demos.kit.html import element, joined

TITLE = "How long does a prompt take?"
LEAD = "Change its length."
CONTROLS = (Slider(name="prompt_tokens", label="Prompt", start=100, low=1, high=1_000, noun="tokens"),)
READOUTS = (Readout(name="ttft_s", label="First token after", unit="s"),)


def scene(prompt_tokens):
    return prompt_tokens / 1_000


def stops(scene):
    return [0.0]


def frame(scene, t_s):
    return joined(element(div, {"class": "stage"}), readouts(READOUTS, {"ttft_s": scene})).safe_str


def say(scene, t_s):
    return f"The first token comes after {scene:.3f} s."


def explain(scene):
    return [Formula(label="TTFT", rule="tokens / rate", inserted="", result=f"{scene} s", source="definition")]


def table(scene):
    return [["ttft_s"], [scene]]
'''


def write_demo(folder: Path, name: str, source: str = SOURCE, **parts: str) -> None:
    """Write `folder/<name>.py`, or with parts `folder/<name>/__init__.py` and one file per part beside it."""
    if not parts:
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
        return
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(source, encoding="utf-8")
    for part, text in parts.items():
        (folder / name / f"{part}.py").write_text(text, encoding="utf-8")
