"""Does the command line replay a trace, calibrate on its beginning, score tables, and refuse what makes no sense?"""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import pytest

from pysim import load_device, load_model
from pysim.cli.main import main
from pysim.deployment import Deployment
from pysim.serving import points
from pysim.serving.load.made import Lengths, made
from pysim.serving.serve import serve
from pysim.serving.step_cost import Tuned

ON = Deployment(load_model("llama-3.1-8b"), load_device("h100-sxm"), engine="vLLM")
ASKED = (
    "--model",
    "llama-3.1-8b",
    "--device",
    "h100-sxm",
    "--engine",
    "vllm",
    "--token-budget",
    "2048",
    "--max-seqs",
    "64",
)


def trace(path: Path, factor: float) -> Path:
    """Write what a server would have measured that takes `factor` times as long as expected."""
    load = made(
        count=60, rate_per_s=6, prompt=Lengths(log_mean=6.0, log_spread=0.8, most=4000),
        answer=Lengths(log_mean=4.5, log_spread=0.6, most=500), seed=5,
    )  # fmt: skip
    run = serve(ON, load, token_budget=2048, seats=64, tuned=Tuned(factor=factor))
    lines = [
        json.dumps(
            {
                "input_toks": each.request.prompt_tokens,
                "output_toks": each.request.output_tokens,
                "queued_ts": 100 + each.request.arrive_s,
                "first_token_ts": 100 + each.first_s,
                "last_token_ts": 100 + each.finish_s,
            }
        )
        for each in run.outcomes
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["serve", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_one_factor_from_the_first_third_is_found_and_predicts_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(trace(tmp_path / "t.requests.jsonl", 1.3))
    code, out, _ = told(capsys, "replay", file, *ASKED, "--json")
    plain = json.loads(out)["median_error"]
    assert code == 0
    assert plain["requests"] == 60
    assert plain["tpot"] == pytest.approx(1 - 1 / 1.3, abs=0.02)
    _, out, _ = told(capsys, "replay", file, *ASKED, "--calibrate", "one", "--json")
    answer = json.loads(out)
    assert answer["calibration"]["factor"] == pytest.approx(1.3, rel=0.01)
    assert answer["median_error"]["requests"] == 40
    assert max(answer["median_error"][name] for name in ("ttft", "tpot", "end_to_end")) < 0.02


def test_a_replay_is_csv_by_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(trace(tmp_path / "t.requests.jsonl", 1.0))
    rows = list(csv.DictReader(io.StringIO(told(capsys, "replay", file, *ASKED, "--csv")[1])))
    answer = json.loads(told(capsys, "replay", file, *ASKED, "--json")[1])
    assert len(rows) == answer["requests"] == 60
    assert fmean(float(row["ttft_s"]) for row in rows) == pytest.approx(answer["ttft_s"]["mean"])


def test_a_published_trace_is_replayed_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "azure.csv"
    file.write_text("TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,480,10\n", encoding="utf-8")
    code, out, _ = told(capsys, "replay", str(file), *ASKED, "--json")
    assert (code, json.loads(out)["requests"]) == (0, 1)


def test_a_trace_without_measured_times_is_replayed_and_compared_with_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "plain.jsonl"
    later, first = ({"input_toks": 100, "output_toks": 10, "arrival_time": at} for at in (3, 2))
    file.write_text(f"{json.dumps(later)}\n{json.dumps(first)}", encoding="utf-8")
    code, out, _ = told(capsys, "replay", str(file), *ASKED, "--json")
    assert code == 0
    assert "median_error" not in json.loads(out)
    code, _, err = told(capsys, "replay", str(file), *ASKED, "--calibrate", "one")
    assert (code, err.count("\n")) == (2, 1)
    assert "--calibrate one needs measured times" in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", 'line 1: "{" is not a JSON object'),
        ("[1]", "is not a JSON object"),
        ('{"output_toks": 1, "arrival_time": 0}', 'input_toks "None" is not a whole number from 1'),
        ('{"input_toks": 0, "output_toks": 1, "arrival_time": 0}', 'input_toks "0" is not a whole number from 1'),
        ('{"input_toks": 1, "output_toks": 1, "arrival_time": -1}', 'arrival_time "-1" is not a number of seconds'),
        ('{"input_toks": 1, "output_toks": 1}', "arrival_time is missing"),
        ('{"input_toks": 99999999, "output_toks": 1, "arrival_time": 0}', "is not a whole number from 1 to 10,000,000"),
        ('{"input_toks": 9999999, "output_toks": 1, "arrival_time": 0}', "request 0 never fits"),
        (
            '{"input_toks": 1, "output_toks": 1, "queued_ts": 2, "first_token_ts": 1, "last_token_ts": 3}',
            "do not follow",
        ),
        ("", "has no requests"),
    ],
)
def test_a_spoiled_trace_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(line, encoding="utf-8")
    code, out, err = told(capsys, "replay", str(file), *ASKED)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--engine", "exllamav2"), 'no scheduler is known of engine "exllamav2"; there are'),
        (("--policy", "vllm-v2"), 'unknown policy "vllm-v2"'),
        (("--calibrate-on", "1"), "--calibrate-on 1.0 is not a share"),
        (("--kv-tokens", "0"), "kv_tokens 0 is not from 1 up"),
        (("--max-seqs", "0"), "seats 0 is not from 1 up"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: tuple[str, ...], message: str
) -> None:
    file = str(trace(tmp_path / "t.jsonl", 1.0))
    code, _, err = told(capsys, "replay", file, *ASKED, *given)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err


HEAD = (
    "row,source,model,gpu,n_gpu,engine,precision,input_len,output_len,load_kind,load_value,num_prompts,"
    "ttft_mean_ms,tpot_mean_ms,output_tok_s"
)


def table(path: Path, *rows: str) -> Path:
    path.write_text("\n".join([HEAD, *rows]), encoding="utf-8")
    return path


def test_a_table_is_scored_by_source_and_model_and_says_what_it_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = "a,example.org/x/y/1,llama-3.1-8b,h100-sxm,1,vLLM,bf16,500,100,concurrency,8,64,40,9,800"
    file = table(
        tmp_path / "p.csv", good,
        "b,example.org/x/y/2,llama-3.1-8b,h100-sxm,1,ExLlamaV2,bf16,500,100,rate,2,64,40,9,",
        "c,example.org/x/y/3,no-such-model,h100-sxm,1,vLLM,bf16,500,100,rate,2,64,40,9,",
        "d,example.org/x/y/4,llama-3.1-8b,h100-sxm,1,vLLM,bf16,500,100,rate,0,64,40,9,",
        "e,example.org/x/y/5,llama-3.1-8b,h100-sxm,1,vLLM,bf16,500,100,rate,2,64,,,",
    )  # fmt: skip
    code, out, _ = told(capsys, "accuracy", str(file), "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["points"] == 1
    (group,) = answer["by_source_and_model"]
    assert (group["source"], group["model"]) == ("example.org/x/y", "llama-3.1-8b")
    assert group["after_factor"]["tpot_mean"] == pytest.approx(0, abs=0.002)
    reasons = {entry["row"]: entry["reason"] for entry in answer["left_out"]}
    assert set(reasons) == {"b", "c", "d", "e"}
    assert "no scheduler is known" in reasons["b"]
    assert "load_value 0 is not above 0" in reasons["d"]
    assert "no measured value" in reasons["e"]


def test_a_table_is_csv_by_point_and_kept_as_far_as_it_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = "example.org/x/y/1,llama-3.1-8b,h100-sxm,1,vLLM,bf16,500,100,concurrency,8,16,40,9,800"
    file = table(tmp_path / "p.csv", f"a,{row}", f"b,{row}", f"c,{row}")
    rows = list(csv.DictReader(io.StringIO(told(capsys, "accuracy", str(file), "--csv")[1])))
    assert [each["row"] for each in rows] == ["a", "b", "c"]
    assert float(rows[0]["measured_tpot_mean"]) == pytest.approx(0.009)
    original = points.row_by_row

    def interrupted(path: Path) -> Iterator[object]:
        yield from itertools.islice(original(path), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(points, "row_by_row", interrupted)
    code, out, _ = told(capsys, "accuracy", str(file), "--json")
    assert (code, json.loads(out)["points"]) == (130, 2)


def test_a_table_without_its_columns_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.csv"
    file.write_text("model,gpu\nx,y", encoding="utf-8")
    code, _, err = told(capsys, "accuracy", str(file))
    assert (code, err.count("\n")) == (2, 1)
    assert "the columns n_gpu, engine" in err
    assert told(capsys, "accuracy", str(tmp_path / "none.csv"))[0] == 2
