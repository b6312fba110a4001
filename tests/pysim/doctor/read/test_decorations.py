"""Does what people's terminals, logs and forums add to a text leave the figures alone?"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pysim.doctor.find import all_readers, read
from pysim.doctor.read.run import Run
from tests.pysim.doctor.samples import names, sample


def figures(raw: str) -> list[Run]:
    """The runs without their places."""
    return [replace(run, line=0, last_line=0) for run in read(raw).runs]


def each_line(before: str, after: str = "") -> Callable[[str], str]:
    return lambda raw: "\n".join(f"{before}{line}{after}" for line in raw.split("\n"))


DECORATIONS: dict[str, Callable[[str], str]] = {
    "windows line ends": lambda raw: raw.replace("\n", "\r\n"),
    "colours": each_line("\x1b[0;36m", "\x1b[0m"),
    "a quotation": each_line("> "),
    "a container's log": each_line("llama-server-1  | "),
    "a fence and words around": lambda raw: f"Why is this slow? {{see}} below\n\n```text\n{raw}\n```\n\nThanks! [1]",
    "a byte order mark": lambda raw: "\ufeff" + raw,
    "spaces at the ends": each_line("", "    "),
    "indented as code": each_line("    "),
    "a progress bar above": lambda raw: "loading 10%\rloading 55%\rloading 100%\n" + raw,
    "hard spaces": lambda raw: raw.replace("  ", "\u00a0 "),
    "empty lines between": lambda raw: "\n\n\n" + raw + "\n\n\n",
}


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("decoration", DECORATIONS)
def test_decorations_change_no_figure(name: str, decoration: str) -> None:
    plain = sample(name)
    assert figures(DECORATIONS[decoration](plain)) == figures(plain)


@pytest.mark.parametrize("name", [name for name in names() if not name.endswith((".csv", ".json"))])
def test_a_clock_before_each_line_changes_no_speed(name: str) -> None:
    def speeds(raw: str) -> list[tuple[float | None, float | None, float | None]]:
        return [
            (run.prefill_tokens_per_s, run.decode_tokens_per_s, run.combined_tokens_per_s) for run in read(raw).runs
        ]

    assert speeds(each_line("Jun 01 10:00:00 box llama[123]: ")(sample(name))) == speeds(sample(name))


@pytest.mark.parametrize("name", names())
def test_every_run_of_a_sample_is_claimed_by_one_reader_only(name: str) -> None:
    raw = sample(name)
    assert read(raw).runs, "each sample holds a run"
    for run in read(raw).runs:
        assert 1 <= run.line <= run.last_line <= raw.count("\n") + 1


def test_readers_are_found_in_their_folder() -> None:
    assert {"llama_bench", "llama_timings", "koboldcpp"} <= set(all_readers())


@pytest.mark.parametrize("raw", ["", "\n", "hello", "| a | b |\n|---|---|\n| 1 | 2 |", "{}", '{"a": 1}', "eval", "t/s"])
def test_text_of_no_tool_has_no_run(raw: str) -> None:
    assert read(raw).runs == ()


def test_a_texts_lines_are_counted() -> None:
    assert read("a\nb\nc").lines == 3
