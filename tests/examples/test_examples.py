"""Do the library's ten lines in README run, and does every script in examples/?"""

import csv
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pysim.cli.main import main

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))


def run(script: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), *arguments],
        capture_output=True, text=True, cwd=cwd, env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "plot_ttft.py"])
def test_an_example_runs_and_prints_something(name: str, tmp_path: Path) -> None:
    done = run(ROOT / "examples" / name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) >= 3


def test_the_sweep_is_csv_of_every_combination(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(ROOT / "examples/sweep_to_csv.py", cwd=tmp_path).stdout)))
    assert len(rows) == 3 * 3 * 3
    assert all(float(row["ttft_s"]) > 0 and row["fits"] in ("True", "False") for row in rows)


def test_the_experiment_is_served_compared_and_swept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    experiment = ROOT / "examples/serve.toml"
    assert main(["serve", str(experiment), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["limits_hold"] in (True, False)
    assert main(["serve", "compare", str(experiment), "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["usual", "small-steps", "prompts-elsewhere"]
    swept = ["serve", "sweep", str(experiment), "--executor", "serial", "--out", str(tmp_path / "s.jsonl"), "--json"]
    assert main(swept) == 0
    assert len(json.loads(capsys.readouterr().out)) == 9


def test_the_plot_is_drawn_where_matplotlib_is_there_and_else_says_how_to_get_it(tmp_path: Path) -> None:
    done = run(ROOT / "examples/plot_ttft.py", "ttft.png", cwd=tmp_path)
    if importlib.util.find_spec("matplotlib") is None:
        assert done.returncode == 1
        assert done.stderr == 'matplotlib is missing: pip install ".[plot]"\n'
    else:
        assert done.returncode == 0
        assert (tmp_path / "ttft.png").read_bytes().startswith(b"\x89PNG")


def test_every_example_says_how_to_run_it() -> None:
    for name in EXAMPLES:
        assert f"python examples/{name}" in (ROOT / "examples" / name).read_text(encoding="utf-8"), name


def test_the_lines_in_readme_run_as_they_are(tmp_path: Path) -> None:
    (snippet,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    script = tmp_path / "snippet.py"
    script.write_text(snippet, encoding="utf-8")
    done = run(script, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    # Each print with what README says it prints.
    said = re.findall(r"print\(.*\)  # (.+)", snippet)
    assert len(said) >= 3
    assert done.stdout.splitlines()[: len(said)] == said
