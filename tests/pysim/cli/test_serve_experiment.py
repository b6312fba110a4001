"""Do `pysim serve EXPERIMENT.toml`, `compare` and `sweep` answer in text, JSON and CSV, and keep what is done?"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from pysim.cli.main import main
from pysim.serving.plan import setting
from tests.pysim.serving.plan.test_sweep import TEXT

VARIANTS = "[variants.large]\ntoken_budget = 4096\n[variants.slow]\nfactor = 2\n[limits]\nttft_s = 1\n"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["serve", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "e.toml"
    path.write_text(TEXT.replace("0]", "4]") + VARIANTS, encoding="utf-8")
    return str(path)


def test_an_experiment_is_served(capsys: pytest.CaptureFixture[str], file: str) -> None:
    code, out, _ = told(capsys, file, "--json")
    answer = json.loads(out)
    assert (code, answer["requests"], answer["limits_hold"]) == (0, 25, True)
    assert told(capsys, "run", file, "--json")[1] == out
    assert "within the limits" in told(capsys, file)[1]
    (row,) = csv.DictReader(io.StringIO(told(capsys, file, "--csv")[1]))
    assert float(row["ttft_s_p99"]) == pytest.approx(answer["ttft_s_p99"])


def test_a_short_closed_loop_and_a_growing_backlog_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    closed = TEXT.replace("rate = 5\nseconds = 5", "concurrency = 50\nrequests = 100")
    path.write_text(closed, encoding="utf-8")
    assert "the server filling up and emptying" in told(capsys, str(path))[1]
    path.write_text(closed.replace("requests = 100", "requests = 200"), encoding="utf-8")
    assert "filling up" not in told(capsys, str(path))[1]
    path.write_text(TEXT.replace("rate = 5\n", "rate = 200\n"), encoding="utf-8")
    assert "the backlog grows" in told(capsys, str(path))[1]


def test_variants_meet_the_same_requests(capsys: pytest.CaptureFixture[str], file: str) -> None:
    code, out, _ = told(capsys, "compare", file, "--json")
    answer = json.loads(out)
    assert (code, list(answer)) == (0, ["large", "slow"])
    assert answer["slow"]["tpot_s_p50"] > 1.9 * answer["large"]["tpot_s_p50"]
    assert answer["slow"]["ends_earlier"] == 0
    text = told(capsys, "compare", file)[1]
    assert text.splitlines()[0].split() == ["large", "slow"]
    rows = list(csv.DictReader(io.StringIO(told(capsys, "compare", file, "--csv")[1])))
    assert [row["variant"] for row in rows] == ["large", "slow"]


def test_a_sweep_is_printed_and_kept(capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path) -> None:
    code, out, _ = told(capsys, "sweep", file, "--executor", "serial", "--json")
    lines = json.loads(out)
    assert (code, len(lines)) == (0, 6)
    assert any(line["pareto"] for line in lines)
    assert [json.loads(row) for row in (tmp_path / "e.sweep.jsonl").read_text("utf-8").splitlines()] == lines
    table = told(capsys, "sweep", file, "--executor", "serial", "--csv")[1]
    assert [row["rate"] for row in csv.DictReader(io.StringIO(table))] == ["2", "8", "4"] * 2
    assert "6 settings in" in told(capsys, "sweep", file, "--executor", "serial")[1]


def test_an_interrupted_sweep_prints_and_keeps_what_is_done(
    capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []

    def interrupted(given: dict[str, object]) -> dict[str, object]:
        done.append(given)
        if len(done) == 4:
            raise KeyboardInterrupt
        return setting.outcome_row(given)

    monkeypatch.setattr("pysim.serving.plan.sweep.AHEAD", 1)
    monkeypatch.setattr("pysim.serving.plan.sweep.outcome_row", interrupted)
    code, out, _ = told(capsys, "sweep", file, "--executor", "serial", "--json")
    assert (code, len(json.loads(out))) == (130, 3)
    assert len((tmp_path / "e.sweep.jsonl").read_text("utf-8").splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no-such.toml",), 'cannot read "no-such.toml"'),
        (("replya", "x"), "invalid choice: 'replya'"),
        (("compare", "{plain}"), "has no variants"),
        (("sweep", "{plain}"), "sweeps nothing"),
        (("{plain}",), "[load] says neither rate nor concurrency"),
        (("sweep", "{file}", "--executor", "rocket"), "unknown executor"),
        (("sweep", "{file}", "--executor", "serial", "--pareto", "beauty"), "no line has all of these measures"),
        (("sweep", "{file}", "--executor", "serial", "--out", "{folder}/no/such"), "cannot write"),
        (("sweep", "{file}", "--executor", "serial", "--out", "{plain}"), "is no line of a sweep"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    plain = tmp_path / "plain.toml"
    plain.write_text('[server]\nmodel = "llama-3.1-8b"\ndevice = "h100-sxm"\nengine = "vllm"\n', encoding="utf-8")
    given = [each.format(plain=plain, file=file, folder=tmp_path) for each in arguments]
    code, _, err = told(capsys, *given)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
