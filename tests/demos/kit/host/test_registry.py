"""The registry: a demo is a file or a folder, and one that breaks the contract is refused in one line."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import demos
from demos.kit.errors import KitError
from demos.kit.host.first_drawing import check_first_drawing
from demos.kit.host.registry import demo_ids, load, source_file
from demos.kit.host.sources import check_imports, needs_numpy
from tests.demos.small_demo import SOURCE, write_demo

CHOICE = "Choice(name='sky', label='Sky', "
OPTION = "Option(value='sun', label='S', "


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder `demos` with no demo in it but the ones that a test writes; the kit stays the real one."""
    folder = tmp_path / "demos"
    folder.mkdir()
    before = set(sys.modules)
    monkeypatch.setattr(demos, "__path__", [str(folder)])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    importlib.invalidate_caches()
    load.cache_clear()
    yield folder
    load.cache_clear()
    for name in set(sys.modules) - before:
        if name.startswith("demos."):
            del sys.modules[name]
            parent, _, child = name.rpartition(".")
            if parent == "demos" and hasattr(demos, child):
                delattr(demos, child)


def refusal(demo_id: str) -> str:
    """Return the one line with which a demo is refused."""
    with pytest.raises(KitError) as refused:
        load(demo_id)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_an_unknown_demo_names_the_nearest() -> None:
    with pytest.raises(KitError, match='did you mean "two-phases"'):
        load("two-phase")


def test_one_file_is_a_demo(folder: Path) -> None:
    write_demo(folder, "file_only")
    assert demo_ids() == ["file-only"]
    assert load("file-only").question == "How long does a model take to read a prompt?"
    assert source_file("file-only") == "demos/file_only.py"
    check_imports("file-only")


def test_a_folder_with_parts_is_a_demo(folder: Path) -> None:
    source = SOURCE.replace("from simple_html", "from demos.with_parts.rate import RATE\nfrom simple_html")
    write_demo(
        folder, "with_parts", source.replace("1_000\n\n\ndef stops", "RATE\n\n\ndef stops"), rate="RATE = 500.0\n"
    )
    assert demo_ids() == ["with-parts"]
    demo = load("with-parts")
    # 100 tokens at 500 tokens/s
    assert demo.module.scene(**demo.options({})) == 0.2
    assert source_file("with-parts") == "demos/with_parts/__init__.py"
    check_imports("with-parts")


@pytest.mark.parametrize("name", ["scene", "stops", "frame", "say", "explain", "table"])
def test_a_folder_without_a_function_of_the_contract_is_refused_by_name(folder: Path, name: str) -> None:
    write_demo(folder, "no_part", SOURCE.replace(f"def {name}(", f"def _gone_{name}("), rate="RATE = 1\n")
    assert refusal("no-part") == f"demos/no_part/__init__.py lacks {name}"


def test_a_misspelled_name_is_offered_for_the_one_that_lacks(folder: Path) -> None:
    write_demo(folder, "misspelled", SOURCE.replace("def explain", "def explian"))
    assert refusal("misspelled") == 'demos/misspelled.py lacks explain; did you mean "explian"'


def test_a_file_without_its_question_is_refused(folder: Path) -> None:
    write_demo(folder, "mute", SOURCE.split('"""', 2)[2])
    assert refusal("mute") == "demos/mute.py lacks __doc__"


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ('unit="s"', 'unit="sec"', 'readout ttft_s: unknown unit "sec"; allowed: B, B/s, FLOP, FLOP/s, FLOP/B, s, '),
        ("def frame(scene, t_s)", "def frame(scene)", "frame takes 1 values; it must take scene, t_s"),
        ("def stops(scene)", "def stops()", "stops takes 0 values; it must take scene"),
        ("READOUTS = (Readout", "READOUTS = [Readout", "READOUTS must be a tuple of Readout, not"),
        ("CONTROLS = (Slider(", "CONTROLS = (dict(", "CONTROLS has \"{'name': 'prompt_tokens'"),
        ("LEAD = ", "LEAD = 3 #", 'LEAD must be a text, not "3"'),
    ],
    ids=["unit", "frame", "stops", "list", "control", "lead"],
)
def test_a_declaration_of_the_wrong_kind_is_named(folder: Path, old: str, new: str, refused: str) -> None:
    assert old in SOURCE
    source = SOURCE.replace(old, new)
    write_demo(folder, "wrong", source.replace('unit="s"),)', 'unit="s")]') if "= [" in new else source)
    assert refusal("wrong").startswith(f"demos/wrong.py: {refused}")


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ("start=100", "start=1000_000", 'start: "1000000" is out of range; allowed: 1 to 1000 in steps of 1'),
        ("start=100", "start=2.5", 'start: "2.5" is not a whole number; allowed: 1 to 1000 in steps of 1'),
        ("start=100", 'start="ten"', 'start must be a number, not "ten"'),
        ("low=1,", "low=1, step=0,", "step must be more than 0, not 0"),
        ("low=1,", "low=1_000,", "low must be less than high, not 1000 to 1000"),
    ],
)
def test_a_slider_that_its_own_bounds_refuse_is_named(folder: Path, old: str, new: str, refused: str) -> None:
    assert old in SOURCE
    write_demo(folder, "slid", SOURCE.replace(old, new))
    assert refusal("slid") == f"demos/slid.py: CONTROLS, prompt_tokens: {refused}"


@pytest.mark.parametrize(
    ("control", "refused"),
    [
        ('Switch(name="on", label="On", start="true")', "on: start must be True or False, not 'true'"),
        ('Text(name="said", label="Said", start="abc", limit=2)', "said: start: the text has 3 characters; allowed:"),
        (f"{CHOICE}start='sum', options=(Option(value='sun', label='S'),))", 'sky: start: "sum" is not among the'),
        (f"{CHOICE}start='sun', options=({OPTION}fills={{'tokns': '1'}}),))", 'sky: option "sun" fills "tokns", which'),
        (f"{CHOICE}start='sun', options=({OPTION}fills={{'prompt_tokens': '0'}}),))", 'sky: option "sun" fills prompt'),
    ],
    ids=["switch", "text", "choice", "fills nothing", "fills wrongly"],
)
def test_a_control_that_refuses_its_own_start_is_named(folder: Path, control: str, refused: str) -> None:
    imported = SOURCE.replace("import Slider", "import Choice, Option, Slider, Switch, Text")
    write_demo(folder, "begun", imported.replace('noun="tokens"),)', f'noun="tokens"), {control})'))
    assert refusal("begun").startswith(f"demos/begun.py: CONTROLS, {refused}")


def test_a_scene_that_takes_another_name_than_its_control_is_refused(folder: Path) -> None:
    write_demo(folder, "named", SOURCE.replace("scene(prompt_tokens)", "scene(tok)"))
    rule = "it must take the controls by name: prompt_tokens"
    assert refusal("named") == f"demos/named.py: scene takes tok; {rule}"


def test_a_part_that_is_missing_is_named_with_those_that_are_there(folder: Path) -> None:
    source = SOURCE.replace("from simple_html", "from demos.in_parts.rat import RATE\nfrom simple_html")
    write_demo(folder, "in_parts", source, rate="RATE = 500.0\n")
    assert refusal("in-parts") == (
        "demos/in_parts/__init__.py: there is no demos/in_parts/rat.py to import; its parts are rate"
    )


SHOWN = 'readouts(READOUTS, {"ttft_s": scene})'


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        (
            "return joined(element",
            "return 5 or joined(element",
            'drawn.py: frame must return the HTML as a text, not "5"',
        ),
        (SHOWN, "element(div, {})", 'drawn.py: frame does not show the readout "ttft_s" of READOUTS'),
        (
            SHOWN,
            "readouts(READOUTS, {})",
            "drawn.py:27: frame fails: ValueError: READOUTS declares ttft_s; no value is given for ttft_s",
        ),
        (
            '{"ttft_s": scene}',
            '{"ttft_s": scene, "tpot_s": 1}',
            "drawn.py:27: frame fails: ValueError: READOUTS declares ttft_s; tpot_s is given but not declared",
        ),
        ("tokens / 1_000", "tokens / 0", "drawn.py:19: scene fails: ZeroDivisionError: division by zero"),
        ("[0.0]", "[1.0]", 'drawn.py: stops must return ascending seconds, the first 0, not "[1.0]"'),
        ('f"The first', '3 or f"The first', 'drawn.py: say must return one sentence on one line, not "3"'),
        ("return [Formula", "return [] and [Formula", 'drawn.py: explain must return a list of Formula, not "[]"'),
        (", [scene]]", "]", "drawn.py: table must return rows of equal length"),
    ],
    ids=["frame", "no readouts", "readout lacks", "readout extra", "scene", "stops", "say", "explain", "table"],
)
def test_a_function_that_returns_another_kind_is_named(folder: Path, old: str, new: str, refused: str) -> None:
    assert old in SOURCE
    write_demo(folder, "drawn", SOURCE.replace(old, new))
    with pytest.raises(KitError) as told:
        check_first_drawing(load("drawn"))
    assert "\n" not in str(told.value)
    assert str(told.value).startswith(f"demos/{refused}")


def test_two_readouts_of_one_name_are_refused(folder: Path) -> None:
    again = ' Readout(name="ttft_s", label="Again", unit="s"),)\n\n\ndef scene'
    write_demo(folder, "double", SOURCE.replace(")\n\n\ndef scene", again, 1))
    assert refusal("double") == 'demos/double.py: READOUTS has "ttft_s" twice'


def test_a_folder_without_its_main_file_is_refused(folder: Path) -> None:
    (folder / "headless").mkdir()
    (folder / "headless" / "rate.py").write_text("RATE = 1\n", encoding="utf-8")
    assert refusal("headless") == "demos/headless/ lacks __init__.py, which is the demo"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("from demos.one_pass import scene as other", "demos.one_pass"),
        ("from demos import one_pass", "demos.one_pass"),
        ("import demos.one_pass.chip_picture", "demos.one_pass.chip_picture"),
        ("from ..one_pass import scene as other", "demos.one_pass"),
        ("def late():\n    from demos.one_pass import scene", "demos.one_pass"),
        ("from demos.kit.host.session import show", "demos.kit.host.session"),
        ("from hooks.paths import ROOT", "hooks.paths"),
    ],
)
def test_a_demo_that_imports_another_one_is_refused_with_the_file(folder: Path, line: str, named: str) -> None:
    write_demo(folder, "nosy", SOURCE, part=f'"""A part."""\n\n{line}\n')
    with pytest.raises(KitError) as refused:
        check_imports("nosy")
    rule = "a demo imports pysim, demos.kit and its own parts only"
    assert str(refused.value) == f"demos/nosy/part.py imports {named}; {rule}"


def test_numpy_is_found_in_a_part_and_inside_a_function(folder: Path) -> None:
    write_demo(folder, "plain")
    write_demo(folder, "arrays", f"{SOURCE}\nfrom demos.arrays import part\n", part="def f():\n    import numpy\n")
    assert not needs_numpy("plain")
    assert needs_numpy("arrays")
