"""Does the command answer, and refuse in one line with the right exit status?"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pysim import device_keys, kv_cache_bytes, load_device, load_model, model_keys, weights_bytes
from pysim.cli.main import main
from pysim.engines.load import engine_keys
from tests.pysim.sample_configs import CONFIGS

Captured = pytest.CaptureFixture[str]


def asked(capsys: Captured, *arguments: str) -> str:
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def refused(capsys: Captured, *arguments: str) -> str:
    """The one line that a refused question gets."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pysim: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


def test_models_lists_the_catalogue(capsys: Captured) -> None:
    table = asked(capsys, "models")
    assert all(key in table for key in model_keys())
    assert table.splitlines()[0].split() == [
        "model", "name", "parameters", "active", "layers", "attention", "KV", "per", "token,", "f16", "context",
    ]  # fmt: skip


def test_models_picks_by_words(capsys: Captured) -> None:
    found = json.loads(asked(capsys, "models", "Qwen3", "30b", "--json"))
    assert [each["key"] for each in found] == ["qwen3-30b-a3b", "qwen3-30b-a3b-2507", "qwen3-vl-30b-a3b"]
    assert found[0]["total_params"] == 30_532_122_624
    assert found[0]["kv_bytes_per_token"] == 98_304


def test_devices_lists_the_catalogue_in_si_units(capsys: Captured) -> None:
    found = {each["key"]: each for each in json.loads(asked(capsys, "devices", "--json"))}
    assert tuple(found) == device_keys()
    assert found["rtx-4090"]["memory_bandwidth_bytes_per_s"] == 1.008e12
    assert found["rtx-4090"]["peak_flop_per_s"]["fp16"] == 165.2e12
    assert found["cloud-cpu-2c"]["memory_bytes"] is None
    assert "24.00 GiB" in asked(capsys, "devices", "4090")


def test_engines_lists_the_catalogue_with_what_times_both_phases(capsys: Captured) -> None:
    engines = {row["key"]: row for row in json.loads(asked(capsys, "engines", "--json"))}
    assert tuple(engines) == engine_keys()
    assert engines["ollama"]["measured_as"] == "llama.cpp"
    assert engines["tgi"]["measured_as"] is None  # nobody's measurements of it are in the fit
    assert "vllm bench serve" in asked(capsys, "engines", "vllm")


def test_kv_says_what_the_function_says(capsys: Captured) -> None:
    answer = json.loads(asked(capsys, "kv", "gemma-3-27b", "--tokens", "131072", "--kv", "q8_0", "--json"))
    model = load_model("gemma-3-27b")
    assert answer["kv_cache_bytes"] == kv_cache_bytes(model, 131072, "q8_0")
    assert answer["kv"] == "Q8_0"
    assert "16.00 GiB" in asked(capsys, "kv", "llama-3.1-8b")  # its longest context by default


def test_kv_with_a_device_says_how_long_a_context_fits(capsys: Captured) -> None:
    answer = json.loads(asked(capsys, "kv", "llama-3.1-8b", "--device", "rtx-4090", "--json"))
    assert answer["max_context_tokens"] == 64_315  # (23.52 GiB − 16,060,522,496 − 763,887,616) / 131,072
    assert answer["weights_bytes"] == 16_060_522_496


@pytest.mark.parametrize("name", ["model.json", "config.json", "gpt-oss-20b.config.json"])
def test_a_config_stands_in_for_a_model(tmp_path: Path, capsys: Captured, name: str) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(CONFIGS["gpt-oss-20b"]), encoding="utf-8")
    answer = json.loads(asked(capsys, "kv", "--config", str(path), "--tokens", "131072", "--json"))
    assert answer["kv_cache_bytes"] == kv_cache_bytes(load_model("gpt-oss-20b"), 131072)
    assert answer["model"] == {"config.json": tmp_path.name}.get(name, name.split(".")[0])


def test_estimate_answers_by_position_and_by_option(capsys: Captured) -> None:
    numbers = ("--prompt-tokens", "1000", "--output-tokens", "100", "--weights", "q4_k_m", "--json")
    by_position = json.loads(asked(capsys, "estimate", "llama-3.1-8b", "rtx-4090", *numbers))
    by_option = json.loads(asked(capsys, "estimate", "--model", "llama-3.1-8b", "--device", "rtx-4090", *numbers))
    assert by_position == by_option
    assert by_position["weights_bytes"] == weights_bytes(load_model("llama-3.1-8b"), "q4_k_m")
    assert by_position["speed"] == "typical"
    best = json.loads(asked(capsys, "estimate", "llama-3.1-8b", "rtx-4090", *numbers, "--speed", "datasheet"))
    assert best["speed"] == "best case"
    assert best["ttft_s"] < by_position["ttft_s"]
    assert by_position["total_s"] == pytest.approx(by_position["ttft_s"] + 99 * by_position["tpot_s"])


def test_estimate_reads_a_config(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(CONFIGS["llama-2-7b"]), encoding="utf-8")
    table = asked(capsys, "estimate", "h100-sxm", "--config", str(path), "--speed", "datasheet")
    assert "mine" in table
    assert "best case" in table


def test_an_answer_of_one_token_has_no_time_per_further_token(capsys: Captured) -> None:
    answer = json.loads(asked(capsys, "estimate", "llama-3.1-8b", "rtx-4090", "--output", "1", "--json"))
    assert answer["tpot_s"] is None
    assert "–" in asked(capsys, "estimate", "llama-3.1-8b", "rtx-4090", "--output", "1")


def test_what_does_not_fit_is_told_with_what_would(capsys: Captured) -> None:
    answer = json.loads(asked(capsys, "estimate", "gemma-3-27b", "rtx-4090", "--json"))
    assert answer["fits"] is False
    assert answer["formats_that_fit"].split(", ")[0] == "Q6_K"  # 22.2 GB of 25.8 GB; Q8_0 takes 28.7 GB


def test_memory_is_that_of_all_who_hold_a_part(capsys: Captured) -> None:
    def told(*arguments: str) -> Any:
        return json.loads(asked(capsys, "estimate", "llama-3.1-70b", "rtx-4090", "--weights", "q4_k_m", *arguments))

    card = load_device("rtx-4090").memory
    host = load_device("strix-halo").memory
    with_host = ("--host", "strix-halo", "--json")
    half = told("--layers-on-host", "40", *with_host)
    assert (half["memory_bytes"], half["fits"]) == (card + host, True)
    assert (half["layers_on_host"], half["host"], half["n_devices"]) == (40, "strix-halo", 1)
    assert (half["split"], half["backend"]) == ("tensor", None)
    assert told("--layers-on-host", "80", *with_host)["memory_bytes"] == host  # of 80 layers none is left for the card
    assert told(*with_host)["memory_bytes"] == card  # a host without layers holds nothing
    two = told("--n-devices", "2", "--split", "Layers", "--backend", "CUDA", "--json")
    assert (two["memory_bytes"], two["split"], two["backend"], two["n_devices"]) == (2 * card, "layers", "CUDA", 2)


def test_where_a_hosts_memory_is_not_known_nothing_is_said_of_fitting(capsys: Captured) -> None:
    host = ("--layers-on-host", "40", "--host", "cloud-cpu-2c", "--json")
    answer = json.loads(asked(capsys, "estimate", "llama-3.1-70b", "rtx-4090", *host))
    assert (answer["memory_bytes"], answer["fits"], answer["formats_that_fit"]) == (None, None, None)


def test_compare_takes_every_combination(capsys: Captured) -> None:
    rows = json.loads(
        asked(capsys, "compare", "llama-3.1-8b,qwen3-8b", "rtx-4090,h100-sxm", "--weights", "f16,q8_0,q4_k_m", "--json")
    )
    assert len({(each["model"], each["device"], each["weights"]) for each in rows}) == 2 * 2 * 3
    assert asked(capsys, "compare", "llama-3.1-8b", "rtx-4090").count("llama-3.1-8b") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "required: QUESTION"),
        (("guess",), "invalid choice: 'guess'"),
        (("kv",), "which model?"),
        (("estimate", "llama-3.1-8b"), "which device?"),
        (("kv", "lama-3.1-8b"), 'did you mean "llama-3.1-8b"'),
        (("estimate", "llama-3.1-8b", "rtx-409"), 'did you mean "rtx-4090"'),
        (("estimate", "llama-3.1-8b", "rtx-4090", "more"), '"more" is one name too many'),
        (("kv", "llama-3.1-8b", "--kv", "q8-00"), "did you mean Q8_0"),
        (("kv", "llama-3.1-8b", "--tokens", "many"), "invalid int value: 'many'"),
        (("kv", "llama-3.1-8b", "--tokens", "-1"), "tokens must be from 0"),
        (("kv", "llama-3.1-8b", "--sequences", "9" * 30), "sequences must be from 0"),
        (("kv", "llama-3.1-8b", "--device", "cloud-cpu-2c"), "memory size of device"),
        (("kv", "llama-3.1-8b", "--device", "rtx-4090", "--reserve-bytes", "nan"), "reserve_bytes"),
        (("estimate", "llama-3.1-8b", "rtx-4090", "--batch", "0"), "batch must be"),
        (("estimate", "llama-3.1-8b", "rtx-4090", "--weights", "q4_km"), "did you mean Q4_K_M"),
        (("models", "--colour"), "unrecognized arguments: --colour"),
        (("kv", "--config", "/nowhere/config.json"), "/nowhere/config.json: No such file"),
        (("kv", "--config", "/"), "/: Is a directory"),
    ],
)
def test_a_question_that_cannot_be_answered_is_told_why(
    capsys: Captured, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("\ufeff{}", "model_type is missing"),
        ("[" * 100_000, "is not JSON"),
        ("[1, 2]", "must be a JSON object, not a list"),
        ("null", "must be a JSON object"),
        ("{}", "model_type is missing"),
        ('{"model_type": "bert"}', "unknown architecture"),
        ('{"model_type": "llama", "hidden_size": NaN}', "hidden_size must be a whole number"),
        ('{"model_type": "llama", "hidden_size": 1e400}', "hidden_size must be a whole number"),
        ('{"model_type": "llama", "hidden_size": ' + "9" * 5000 + "}", "is not JSON"),
    ],
)
def test_a_bad_config_is_told_in_one_line(tmp_path: Path, capsys: Captured, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, encoding="utf-8")
    line = refused(capsys, "kv", "--config", str(path))
    assert message in line
    assert str(path) in line


def test_a_config_that_is_no_text_is_told_so(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"\xff\xfe\x00")
    assert "is not JSON" in refused(capsys, "kv", "--config", str(path))


def test_help_and_version_are_answers(capsys: Captured) -> None:
    for option in ("--help", "--version"):
        with pytest.raises(SystemExit) as ended:
            main([option])
        assert ended.value.code == 0
    assert "compare" in capsys.readouterr().out


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pysim.cli.main", *arguments]


def test_the_command_ends_with_the_status_of_its_answer() -> None:
    good = subprocess.run(command("kv", "llama-3.1-8b", "--json"), capture_output=True, text=True, check=False)
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["kv_cache_bytes"] == 16 * 2**30
    bad = subprocess.run(command("kv", "nothing"), capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout, bad.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("arguments", [("models", "--json"), ("devices",), ("engines",)])
def test_a_reader_that_stops_reading_is_no_error(arguments: tuple[str, ...]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as nobody:
        ended = subprocess.run(command(*arguments), stdout=nobody, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_programs_never_load_rich() -> None:
    code = (
        "import sys; from pysim.cli.main import main; main(['kv', 'llama-3.1-8b', '--json']);"
        "sys.exit('rich' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("question", ["", "models", "devices", "engines", "model", "kv", "estimate", "compare"])
def test_every_question_explains_itself(question: str) -> None:
    command = [sys.executable, "-m", "pysim.cli.main", *([question] if question else []), "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
    assert "usage: pysim" in told.stdout
