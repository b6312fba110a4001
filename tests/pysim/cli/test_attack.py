"""Does the command answer any line at all in one way: an answer, or one line with exit status 2?"""

from __future__ import annotations

import json
import os
import random
import threading
from pathlib import Path

import pytest

from pysim.cli.main import main
from tests.pysim.sample_configs import CONFIGS

Captured = pytest.CaptureFixture[str]
RUN = ("estimate", "llama-3.1-8b", "rtx-4090")
SEED, LINES = 20_261_201, 400

NAMES = (
    "llama-3.1-8b", "LLAMA 3.1 8B", "gpt2", "gpt-oss-20b", "rtx-4090", "RTX 4090", "apple-m2-cpu", "cloud-cpu-2c", "",
    "  ", ",", "zzz", "a/b/c", "x" * 3_000, "\u202e", "\x1b[31m", "-1", "٣", "gpt2,gpt2", "meta-llama/Llama-3.1-8B",
)  # fmt: skip
NUMBERS = (
    "0",
    "1",
    "8",
    "-1",
    "nan",
    "inf",
    "1e400",
    "9" * 400,
    "1.5",
    "１２",
    "",
    " ",
    "0x10",
    "1_000",
    "10**9",
    "None",
)
FORMATS = (
    "f16", "q4_k_m", "awq-g00", "gptq-int4-g0000", "exl2-0", "exl2-0.5", "exl3-9.9", "mlx-q4", "q4", "", ",", "config",
    "int4-gptq-g0", "awq-int9", "mxfp4,nvfp4", "(f16)", "ud-", "ud-q9-k-xl", "q" * 500,
)  # fmt: skip
WORDS = (
    "llama.cpp",
    "vLLM",
    "foo",
    "",
    "  ",
    "vlllm",
    "CUDA",
    "metal",
    "tensor",
    "Layers",
    "typical",
    "datasheet",
    "é",
)
VALUES = {
    "--prompt-tokens": NUMBERS, "--output-tokens": NUMBERS, "--prompt-depth": NUMBERS, "--batch": NUMBERS,
    "--n-devices": NUMBERS, "--chunk-tokens": NUMBERS, "--layers-on-host": NUMBERS, "--tokens": NUMBERS,
    "--sequences": NUMBERS, "--reserve-bytes": NUMBERS, "--weights": FORMATS, "--kv": FORMATS, "--engine": WORDS,
    "--backend": WORDS, "--split": WORDS, "--speed": WORDS, "--host": NAMES, "--device": NAMES, "--model": NAMES,
    "--config": ("/", "/dev/null", "/nowhere", "", "\x00", "x" * 300), "--json": (), "--nothing": NAMES,
}  # fmt: skip
QUESTIONS = ("models", "devices", "engines", "model", "kv", "estimate", "compare", "doctor", "estimates", "")


def told(capsys: Captured, *arguments: str) -> tuple[int, str]:
    """The status and the line or the answer; an ending of any other kind fails the test."""
    try:
        status = main(arguments)
    except SystemExit as ended:  # --help of argparse
        status = int(ended.code or 0)
    out, err = capsys.readouterr()
    assert status in (0, 2), arguments
    if status == 2:
        assert out == "", arguments
        assert err.startswith("pysim: "), arguments
        assert err.count("\n") == 1, arguments
        assert len(err) < 700, arguments
    return status, err if status else out


def test_any_line_gets_an_answer_or_one_line(capsys: Captured) -> None:
    chance = random.Random(SEED)
    for _ in range(LINES):
        line = [chance.choice(QUESTIONS)]
        line += [chance.choice(NAMES) for _ in range(chance.choice((0, 1, 2, 2, 2, 3)))]
        for option in chance.sample(sorted(VALUES), chance.choice((0, 1, 1, 2, 3))):
            line.append(option)
            if VALUES[option]:
                line.append(chance.choice(VALUES[option]))
        told(capsys, *line)


@pytest.mark.parametrize("option", sorted(VALUES))
def test_each_option_refuses_each_bad_value_in_one_line(capsys: Captured, option: str) -> None:
    for value in VALUES[option]:
        told(capsys, *RUN, option, value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        # Formats
        ((*RUN, "--weights", "awq-g00"), "a group has 1 weight or more"),
        (("kv", "gpt2", "rtx-4090", "--weights", "gptq-int4-g0000"), "a group has 1 weight or more"),
        ((*RUN, "--weights", "exl2-0"), "from 1 to 8 bits"),
        ((*RUN, "--weights", "exl3-8.5"), "from 1 to 8 bits"),
        # Lists without an entry
        (("compare", "gpt2", "rtx-4090", "--weights", ","), "which weight format?"),
        (("compare", "gpt2", ","), "which device?"),
        (("compare", ",", "rtx-4090"), "which model?"),
        # Words that match nothing
        (("models", "zzz"), 'nothing matches: unknown model "zzz"'),
        (("devices", "rtx-409x"), "did you mean"),
        (("engines", "vlllm"), 'did you mean "vLLM"'),
        # Names that nobody knows
        ((*RUN, "--engine", "vlllm"), 'did you mean "vLLM"'),
        ((*RUN, "--engine", "  "), "unknown engine"),
        ((*RUN, "--backend", "foo"), "allowed: amdvlk, cpu, cuda"),
        ((*RUN, "--backend", "metal"), "allowed: cuda, vulkan"),
        (("estimate", "gpt2", "apple-m4-10c", "--backend", "CUDA"), "allowed: metal, vulkan"),
        # Options that would count for nothing
        (("kv", "gpt2", "--reserve-bytes", "nan"), "reserve_bytes must be"),
        (("kv", "gpt2", "--reserve-bytes", "1e9"), "name one with --device"),
        (("kv", "gpt2", "--weights", "q8_0"), "name one with --device"),
        (("kv", "gpt2", "rtx-4090", "gpt2"), "one name too many"),
    ],
)
def test_what_cannot_be_meant_is_refused(capsys: Captured, arguments: tuple[str, ...], message: str) -> None:
    status, line = told(capsys, *arguments)
    assert status == 2
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (("estimate", "gpt2", "rtx-4090", "--prompt", "100000"), "GPT-2 ends at 1,024 tokens; 100,127"),
        (("kv", "gpt2", "--tokens", "1025"), "GPT-2 ends at 1,024 tokens; 1,025"),
        ((*RUN, "--host", "epyc-9654"), "no layer runs on AMD EPYC 9654"),
        ((*RUN, "--split", "layers", "--n-devices", "40"), "8 of the 40 devices hold none of the 32 layers"),
    ],
)
def test_what_is_answered_but_hardly_meant_gets_a_note(capsys: Captured, arguments: tuple[str, ...], note: str) -> None:
    assert note in told(capsys, *arguments)[1]
    answer = json.loads(told(capsys, *arguments, "--json")[1])
    assert any(note in each for each in answer["notes"])
    assert json.loads(told(capsys, *RUN, "--json")[1])["notes"] == []


def test_a_device_may_stand_behind_the_model_in_kv(capsys: Captured) -> None:
    by_position = told(capsys, "kv", "Llama 3.1 8B", "RTX 4090", "--json")
    assert by_position == told(capsys, "kv", "llama-3.1-8b", "--device", "rtx-4090", "--json")


def test_two_models_for_a_question_about_one_are_refused(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIGS["qwen3-4b"]), encoding="utf-8")
    for question in (("kv",), ("estimate", "rtx-4090")):
        assert "name two models" in told(capsys, *question, "--config", str(path), "--model", "gpt2")[1]


def test_a_pipe_that_nobody_writes_to_is_read_at_once(tmp_path: Path, capsys: Captured) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for line in (("doctor", str(pipe)), ("kv", "--config", str(pipe)), ("model", str(pipe))):
        asking = threading.Thread(target=told, args=(capsys, *line), daemon=True)
        asking.start()
        asking.join(10)
        assert not asking.is_alive()


def test_a_device_without_an_end_is_read_as_far_as_a_text_may_go(capsys: Captured) -> None:
    assert "larger than" in told(capsys, "doctor", "/dev/zero")[1]
    assert "/dev/zero" in told(capsys, "kv", "--config", "/dev/zero")[1]
