"""Does `pysim doctor` answer in words and in JSON, and refuse in one line what it cannot read?"""

import io
import json
import sys
from pathlib import Path

import pytest

from pysim.cli.doctor import LARGEST_BYTES
from pysim.cli.main import main

Captured = pytest.CaptureFixture[str]

OLLAMA = """\
>>> why is the sky blue?
Because of Rayleigh scattering.

total duration:       8.5s
load duration:        500ms
prompt eval count:    1000 token(s)
prompt eval duration: 2s
prompt eval rate:     500.00 tokens/s
eval count:           240 token(s)
eval duration:        6s
eval rate:            40.00 tokens/s
"""


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    path = tmp_path / "run.txt"
    path.write_text(OLLAMA, encoding="utf-8")
    return path


def refused(capsys: Captured, *arguments: str) -> str:
    assert main(["doctor", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pysim: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


def test_it_says_where_the_time_went(capsys: Captured, printed: Path) -> None:
    assert main(["doctor", str(printed), "--all"]) == 0
    out = capsys.readouterr().out
    assert "500 tokens/s" in out
    assert "40 tokens/s" in out
    assert "slow is  writing the answer: writing the answer took 6 s of 8.50 s (71%)" in out
    assert "first token after 2.50 s, each token after that 25.0 ms" in out
    # 8.5 s without the half second of loading: 1.06 times as fast.
    assert "try: keep the model loaded between requests (ollama: keep_alive)" in out
    assert "the whole request 1.1 times as fast" in out
    assert "cannot tell: what such a model should reach: the text names no model" in out


def test_names_given_let_it_judge(capsys: Captured, printed: Path) -> None:
    given = ["--model", "llama-3.1-8b", "--device", "apple-m2-max-38c", "--weights", "q4_k_m", "--kv", "f16"]
    assert main(["doctor", str(printed), "--all", *given]) == 0
    out = capsys.readouterr().out
    assert "Llama 3.1 8B (your choice)" in out
    assert "typical" in out
    assert "bandwidth (MBU)" in out


def test_json_has_the_same_for_programs(capsys: Captured, printed: Path) -> None:
    assert main(["doctor", str(printed), "--json"]) == 0
    diagnosis = json.loads(capsys.readouterr().out)
    assert set(diagnosis) == {"format", "answer", "cases", "gaps", "lines", "error"}
    assert (diagnosis["format"], diagnosis["error"]) == (2, None)
    assert diagnosis["answer"]["verdict"]
    (case,) = diagnosis["cases"]
    assert case["slow"] == "decode"
    assert case["shares"]["decode"] == pytest.approx(6 / 8.5)
    assert case["tpot_s"] == pytest.approx(0.025)
    assert case["prefill"]["tokens_per_s"] == pytest.approx(500)
    assert case["runs"][0]["line"] >= 1
    assert {"advice", "cannot_tell", "doubts", "model", "device", "weights", "kv", "engine"} <= set(case)


def test_standard_input_is_read_where_the_file_is_a_dash(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(OLLAMA.encode())))
    assert main(["doctor", "-"]) == 0
    assert "40 tokens/s" in capsys.readouterr().out


def test_what_windows_writes_is_text_too(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "powershell.txt"
    path.write_bytes(OLLAMA.replace("\n", "\r\n").encode("utf-16"))
    assert main(["doctor", str(path)]) == 0
    assert "40 tokens/s" in capsys.readouterr().out


def test_a_stray_byte_costs_one_letter(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"\xe9\n" + OLLAMA.encode())
    assert main(["doctor", str(path)]) == 0
    assert "40 tokens/s" in capsys.readouterr().out


def test_a_config_stands_for_a_model(capsys: Captured, printed: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(
        json.dumps(
            {
                "model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
                "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
                "max_position_embeddings": 131072, "_name_or_path": "my-model",
            }
        ),
        encoding="utf-8",
    )  # fmt: skip
    given = ["--config", str(config), "--device", "raspberry-pi-5", "--weights", "q4_0"]
    assert main(["doctor", str(printed), "--all", *given]) == 0
    assert "my-model (your choice)" in capsys.readouterr().out
    assert "not both" in refused(capsys, str(printed), *given, "--model", "gpt2")
    config.write_text("{", encoding="utf-8")
    assert "line 1, column 2" in refused(capsys, str(printed), *given)


def test_what_cannot_be_read_is_refused_in_one_line(capsys: Captured, tmp_path: Path) -> None:
    assert "No such file" in refused(capsys, str(tmp_path / "nothing.txt"))
    assert "directory" in refused(capsys, str(tmp_path))
    assert "zero bytes" in refused(capsys, sys.executable)
    noise = tmp_path / "noise"
    noise.write_bytes(bytes(range(128, 256)) * 50)
    assert "not UTF-8 text" in refused(capsys, str(noise))
    plain = tmp_path / "plain.txt"
    plain.write_text("nothing that was measured\n", encoding="utf-8")
    message = refused(capsys, str(plain))
    assert "no measurement that pysim can read" in message
    assert "llama-bench" in message
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    assert "no measurement that pysim can read" in refused(capsys, str(empty))
    assert "arguments are required" in refused(capsys)


def test_a_file_that_is_too_large_is_not_read(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(LARGEST_BYTES + 1)
    assert "larger than 50,000,000 bytes" in refused(capsys, str(path))


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--model", "lama-3.1-8b", 'did you mean "llama-3.1-8b"'),
        ("--device", "rtx 4900", 'did you mean "rtx-4090"'),
        ("--weights", "q4_k_x", "unknown weight format"),
        ("--kv", "q44", "unknown KV format"),
        ("--n-devices", "0", "n_devices must be from 1"),
    ],
)
def test_a_wrong_choice_is_named(capsys: Captured, printed: Path, option: str, value: str, message: str) -> None:
    assert message in refused(capsys, str(printed), option, value)
