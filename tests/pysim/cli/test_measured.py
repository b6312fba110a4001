"""Does `pysim estimate --measured-…` take a measurement of one's own machine, typed or pasted?"""

import json
from pathlib import Path

import pytest

from pysim.cli.main import main

ASK = ("estimate", "llama-3.1-8b", "rtx-4090", "--weights", "q4_k_m", "--engine", "llama.cpp", "--json")
BENCH = """| model                  |     size |  params | backend | ngl |  test |          t/s |
| ---------------------- | -------: | ------: | ------- | --: | ----: | -----------: |
| qwen3 8B Q4_K - Medium | 4.68 GiB |  8.19 B | CUDA    |  99 | pp512 | 4520.3 ± 9.0 |
| qwen3 8B Q4_K - Medium | 4.68 GiB |  8.19 B | CUDA    |  99 | tg128 |  108.4 ± 0.3 |
"""


def answered(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    assert main([*ASK, *more]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    answer: dict[str, object] = json.loads(out)
    return answer


def refused(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main([*ASK, *more]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_typed_speed_calibrates(capsys: pytest.CaptureFixture[str]) -> None:
    usual, own = answered(capsys), answered(capsys, "--measured-decode", "90")
    assert 90 < float(str(own["decode_tokens_per_s"])) < float(str(usual["decode_tokens_per_s"]))
    assert own["prefill_tokens_per_s"] == usual["prefill_tokens_per_s"]
    assert "calibrated by your measurement" in str(own["notes"])
    assert "prefill was not measured" in str(own["notes"])


def test_a_pasted_output_calibrates_both_phases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bench.txt"
    path.write_text(BENCH, encoding="utf-8")
    usual, own = answered(capsys), answered(capsys, "--measured-output", str(path))
    assert float(str(own["prefill_tokens_per_s"])) < float(str(usual["prefill_tokens_per_s"]))
    typed = answered(
        capsys, "--measured-decode", "108.4", "--measured-model", "qwen3-8b", "--measured-depth", "0",
        "--measured-answer", "128",
    )  # fmt: skip
    assert own["decode_tokens_per_s"] == pytest.approx(typed["decode_tokens_per_s"], rel=1e-3)


def test_an_output_of_another_device_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bench.txt"
    path.write_text(f"Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6\n{BENCH}", encoding="utf-8")
    assert "it was measured on NVIDIA GeForce RTX 3090, not on" in refused(capsys, "--measured-output", str(path))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--measured-decode", "0"), "more than 0"),
        (("--measured-decode", "nan"), "finite"),
        (("--measured-decode", "5000"), "1.008 TB/s of memory bandwidth"),
        (("--measured-prompt", "512"), "--measured-prompt only describes a measurement"),
        (("--measured-decode", "90", "--speed", "datasheet"), "best case of any machine"),
        (("--measured-decode", "90", "--measured-model", "lama"), 'unknown model "lama"'),
        (("--measured-decode", "90", "--measured-output", "x"), "leave out --measured-decode"),
        (("--measured-output", "/nowhere/at/all"), "No such file"),
    ],
)
def test_what_is_no_measurement_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], more: tuple[str, ...], message: str
) -> None:
    assert message in refused(capsys, *more)
