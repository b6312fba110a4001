"""A new engine is one file: in a copy with one TOML more, every list, the calculator and the doctor have it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = """name = "Fast Engine"
also = ["fe"]
rank = 40
tools = ["fastrun"]

[about]
what = "runs models fast"
source = "https://example.org"
checked = 2026-12-01

[reservation]
kind = "share of memory"
order = 4
share = 0.5
step_tokens = 8
rule = "half of the memory − weights"
note = "half of the memory"
source = "https://example.org/memory"
checked = 2026-12-01

[timing]
command = "fastrun --time"
source = "https://example.org"
checked = 2026-12-01
"""
ASK = """
import json
from demos import calculator
from demos.calculator.controls import READOUTS
from demos.kit.declare.catalogue_lists import ENGINES
from pysim import Deployment, load_device, load_model
from pysim.cli.main import main
from pysim.engines.load import tool_engine

values = {control.name: control.start for control in calculator.CONTROLS if hasattr(control, "start")}
frame = calculator.frame(calculator.scene(**values), 0.0)
run = Deployment(load_model("llama-3.1-8b"), load_device("h100-sxm"), engine="FE")
print(json.dumps({
    "readouts": [readout.name for readout in READOUTS],
    "choices": [value for value, _ in ENGINES],
    "shown": "Fast Engine" in frame and "takes 50% of the memory at startup" in frame,
    "command": tool_engine("fastrun log").command,
    "ttft_s": run.estimate(prompt_tokens=512, output_tokens=2).ttft_s,
}))
main(["engines", "fast-engine", "--json"])
"""


def test_one_toml_more_is_an_engine_for_the_lists_the_calculator_and_the_doctor(tmp_path: Path) -> None:
    for folder in ("pysim", "demos"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "runtime"))
    (tmp_path / "pysim/catalog/engines/fast-engine.toml").write_text(ENGINE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-B", "-c", ASK], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    first, _, rest = done.stdout.partition("\n")
    answer = json.loads(first)
    assert "fastengine_reserved_bytes" in answer["readouts"]
    assert answer["choices"][-2] == "fast-engine"  # last before the best case
    assert answer["shown"]
    assert answer["command"] == "fastrun --time"
    assert answer["ttft_s"] > 0
    (row,) = json.loads(rest)
    assert (row["key"], row["measured_as"], row["reserves"]) == ("fast-engine", None, "half of the memory")
