"""Does a sweep go on where it stopped, on every executor alike, and mark what nothing else beats?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pysim.errors import BadValue, UnknownName
from pysim.serving.plan import sweep as sweeping
from pysim.serving.plan.executors import executor_named
from pysim.serving.plan.experiment import Experiment, read_experiment
from pysim.serving.plan.sweep import mark_pareto, read_lines, rewrite, sweep

TEXT = """
[server]
model = "llama-3.1-8b"
device = "h100-sxm"
engine = "vllm"
[load]
prompt_tokens = 500
output_tokens = 20
rate = 5
seconds = 5
[sweep]
token_budget = [256, 1024]
rate = [2, 8, 0]
"""


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    path = tmp_path / "e.toml"
    path.write_text(TEXT, encoding="utf-8")
    return read_experiment(path)


def run(experiment: Experiment, path: Path, how: str = "serial", told: Callable[..., None] = lambda *_: None) -> Any:
    with executor_named(how) as executor:
        return sweep(experiment, path, executor, told)


def test_all_settings_are_computed_and_those_that_cannot_be_say_why(experiment: Experiment, tmp_path: Path) -> None:
    lines = run(experiment, tmp_path / "s.jsonl")
    assert [line["varied"]["rate"] for line in lines] == [2, 8, 0, 2, 8, 0]
    assert ["error" in line["result"] for line in lines] == [False, False, True] * 2
    assert read_lines(tmp_path / "s.jsonl") == lines


def test_an_interrupted_sweep_keeps_its_lines_and_goes_on(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.jsonl"

    def interrupt(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(experiment, path, told=interrupt)
    kept = path.read_text(encoding="utf-8").splitlines()
    assert len(kept) == 2
    # A line that broke off is computed again.
    path.write_text("\n".join(kept) + '\n{"key": "47b9', encoding="utf-8")
    computed: list[dict[str, Any]] = []
    original = sweeping.line_of

    def counted(varied: dict[str, Any], setting: dict[str, Any]) -> dict[str, Any]:
        computed.append(varied)
        return original(varied, setting)

    monkeypatch.setattr(sweeping, "line_of", counted)
    lines = run(experiment, path)
    assert (len(lines), len(computed)) == (6, 4)
    assert lines == run(experiment, tmp_path / "new.jsonl")


@pytest.mark.parametrize("how", ["process:2", "dask"])
def test_processes_and_a_dask_cluster_give_what_this_process_gives(
    experiment: Experiment, tmp_path: Path, how: str
) -> None:
    if how == "dask":
        pytest.importorskip("distributed")
    assert run(experiment, tmp_path / "a.jsonl", how) == run(experiment, tmp_path / "b.jsonl")


def test_a_cluster_is_found_by_its_address(experiment: Experiment, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as local:
        lines = run(experiment, tmp_path / "a.jsonl", f"dask:{local.scheduler_address}")
    assert lines == run(experiment, tmp_path / "b.jsonl")


def test_the_front_has_what_nothing_else_beats(tmp_path: Path) -> None:
    # Time and price: (1, 9), (3, 3) and (9, 1) are best in something; (3, 4) and (9, 9) are beaten; one has no price.
    lines = [
        {"key": str(at), "varied": {}, "result": {"time": time, "speed": -price} if price else {"time": 0}}
        for at, (time, price) in enumerate([(1, 9), (3, 3), (9, 1), (3, 4), (9, 9), (0, None)])
    ]
    marked = mark_pareto(lines, ["time", "-speed"])
    assert [line["pareto"] for line in marked] == [True, True, True, False, False, False]
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"key": "other", "varied": {}, "result": {}}) + "\n", encoding="utf-8")
    rewrite(path, marked)
    assert [line["key"] for line in read_lines(path)] == ["other", *map(str, range(6))]


def test_other_files_are_no_sweeps_and_stay_as_they_are(experiment: Experiment, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for text in ("my notes\n", "[1, 2]\n", '{"name": 1}\n'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadValue, match=r"notes.txt, line 1: .* is no line of a sweep"):
            run(experiment, path)
        assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("name", "message"),
    [("rocket", "unknown executor"), ("process:0", "not a number of processes"), ("process:x", "not a number of proc")],
)
def test_executors_that_there_are_not_are_refused(name: str, message: str) -> None:
    with pytest.raises((BadValue, UnknownName), match=message), executor_named(name):
        pass
