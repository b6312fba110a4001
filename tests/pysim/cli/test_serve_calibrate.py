"""Does `pysim serve calibrate` say how fast a server is, and refuse what holds no load test?"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from pysim.cli.main import main
from tests.pysim.doctor.samples import FOLDER

ON = ("--model", "llama-3.1-8b", "--device", "h100-sxm", "--engine", "vllm")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["serve", "calibrate", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(
    "name", ["vllm_serve.txt", "vllm_serve.json", "sglang_serving.jsonl", "guidellm.json", "aiperf.json",
             "inference_perf.json"],
)  # fmt: skip
def test_what_load_generators_print_gives_a_factor(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, _ = told(capsys, str(FOLDER / name), *ON, "--json")
    answer = json.loads(out)
    assert code == 0
    for test in answer["tests"]:
        assert test["factor"] * test["speed"] == pytest.approx(1)
        assert test["with_factor"]["tpot_mean"] == pytest.approx(test["measured"]["tpot_mean"], rel=0.02)
    code, text, _ = told(capsys, str(FOLDER / name), *ON)
    assert f"use --factor {answer['factor']:.3g}" in text
    _, table, _ = told(capsys, str(FOLDER / name), *ON, "--csv")
    assert len(list(csv.DictReader(io.StringIO(table)))) == len(answer["tests"])


@pytest.mark.parametrize(
    ("text", "given", "message"),
    [
        ("", (), "no load test in it"),
        ("\x00\x01{", (), "is not text: it contains zero bytes"),
        ("{[}" * 99, (), "no load test in it"),
        (None, (), "No such file"),
        ('{"mean_ttft_ms": 5, "total_input_tokens": 10, "completed": 0, "duration": 1}', (), "does not say how long"),
        (
            '{"mean_ttft_ms": -5, "total_input_tokens": 10, "total_output_tokens": 9, "completed": 1, "duration": 1}',
            (),
            "nothing is measured",
        ),
        ("", ("--rate", "0"), "--rate 0 is not above 0"),
        ("", ("--concurrency", "-3"), "--concurrency -3 is not above 0"),
        ("", ("--factor", "1e9"), "--factor 1e+09 is not from 0.01 to 100"),
    ],
)
def test_what_holds_no_load_test_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, given: tuple[str, ...], message: str
) -> None:
    file = tmp_path / "result.txt"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    code, _, err = told(capsys, str(file), *ON, *given)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
