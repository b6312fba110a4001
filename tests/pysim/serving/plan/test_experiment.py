"""Are experiments read as written, and told in one line where they are wrong?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pysim.errors import BadValue, UnknownName
from pysim.serving.plan.experiment import changed, key_of, read_experiment
from pysim.serving.plan.setting import load_of, outcome_row, server_of

SERVER = '[server]\nmodel = "llama-3.1-8b"\ndevice = "h100-sxm"\nengine = "vllm"\n'
LOAD = "[load]\nprompt_tokens = 500\noutput_tokens = 20\nrate = 5\nseconds = 10\n"


def read(folder: Path, text: str) -> Any:
    path = folder / "e.toml"
    path.write_text(text, encoding="utf-8")
    return read_experiment(path)


def test_a_sweep_combines_all_values_and_keeps_the_rest(tmp_path: Path) -> None:
    found = read(tmp_path, f'seed = 7\n{SERVER}{LOAD}[sweep]\ntoken_budget = [256, 512]\n"load.rate" = [1, 2, 3]\n')
    settings = list(found.settings())
    assert found.count == len(settings) == 6
    assert settings[0][0] == {"token_budget": 256, "load.rate": 1}
    assert settings[5][1]["server"]["token_budget"] == 512
    assert settings[5][1]["load"] == {"prompt_tokens": 500, "output_tokens": 20, "rate": 3, "seconds": 10}
    assert len({key_of(setting) for _, setting in settings}) == 6
    assert key_of(settings[0][1]) == key_of(changed(found.setting, settings[0][0]))


def test_every_rate_of_a_sweep_has_the_same_texts(tmp_path: Path) -> None:
    text = f"seed = 7\n{SERVER}" + LOAD.replace("500", "{ median = 500, spread = 0.7, most = 4000 }")
    found = read(tmp_path, text + "[sweep]\nrate = [5, 10]\n")
    slow, fast = (load_of(setting)[0] for _, setting in found.settings())
    assert [each.prompt_tokens for each in slow] == [each.prompt_tokens for each in fast[: len(slow)]]
    assert [each.arrive_s for each in slow] == pytest.approx([2 * each.arrive_s for each in fast[: len(slow)]])


def test_a_closed_loop_thinks_between_its_requests(tmp_path: Path) -> None:
    load = "[load]\nprompt_tokens = 500\noutput_tokens = 20\nconcurrency = 1\nrequests = 3\nthink_s = 2\n"
    setting = read(tmp_path, SERVER + load).setting
    requests, at_once, think_s = load_of(setting)
    assert (len(requests), at_once, think_s) == (3, 1, 2.0)
    run = server_of(setting).run(requests, at_once, think_s)
    first, second, third = sorted(run.outcomes, key=lambda each: each.request.arrive_s)
    assert second.request.arrive_s == pytest.approx(first.finish_s + 2)
    assert third.request.arrive_s == pytest.approx(second.finish_s + 2)


def test_a_trace_is_taken_from_next_to_the_experiment_and_at_another_rate(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("timestamp,prompt_tokens,output_tokens\n0,5,5\n10,5,5\n20,5,5\n", encoding="utf-8")
    setting = read(tmp_path, f'{SERVER}[load]\nfile = "t.csv"\nrate = 1\n').setting
    # Three requests in two gaps: at one request/s, a gap is a second.
    assert [each.arrive_s for each in load_of(setting)[0]] == pytest.approx([0, 1, 2])
    (tmp_path / "t.csv").write_text("timestamp,prompt_tokens,output_tokens\n0,5,5\n10,5,6\n20,5,5\n", encoding="utf-8")
    assert key_of(read(tmp_path, f'{SERVER}[load]\nfile = "t.csv"\nrate = 1\n').setting) != key_of(setting)


def test_clients_of_servegen_send_at_their_own_times(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "chunk-1-trace.csv").write_text("0,2.0,1.0,Gamma,1,1\n", encoding="utf-8")
    lengths = '{"0": {"input_tokens": "{100: 1.0}", "output_tokens": "{10: 1.0}"}}'
    (tmp_path / "c" / "chunk-1-dataset.json").write_text(lengths, encoding="utf-8")
    setting = read(tmp_path, f'{SERVER}[load]\nclients = "c"\nseconds = 100\n').setting
    requests, at_once, _ = load_of(setting)
    assert abs(len(requests) - 200) < 3 * 200**0.5
    assert at_once is None
    assert "give neither concurrency nor burst" in outcome_row(changed(setting, {"concurrency": 3}))["error"]


def test_limits_count_the_requests_within_them(tmp_path: Path) -> None:
    setting = read(tmp_path, f"{SERVER}{LOAD}[limits]\nttft_s = 5\n").setting
    row = outcome_row(setting)
    assert (row["share_within"], row["limits_hold"]) == (1, True)
    assert row["goodput_per_s"] == pytest.approx(row["requests"] / row["seconds"])
    assert outcome_row(changed(setting, {"ttft_s": 1e-6}))["share_within"] == 0


def test_a_budget_smaller_than_the_seats_leaves_room_for_fewer(tmp_path: Path) -> None:
    setting = read(tmp_path, SERVER + LOAD).setting
    assert server_of(changed(setting, {"token_budget": 64})).seats_in_budget == 64
    row = outcome_row(changed(setting, {"token_budget": 64, "max_seqs": 65}))
    assert "a token budget of 64 is below the 65 conversations" in row["error"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[server", "is not TOML"),
        ("servers = 1", 'unknown table or value "servers"'),
        ("server = 1", r"\[server\] is not a table"),
        ("[server]\ndevices = 2", r"unknown value of \[server\] \"devices\""),
        ("seed = 'x'", "seed .* is not a whole number"),
        (SERVER + "[sweep]\nrates = [1]", 'unknown value "rates"; did you mean "rate"'),
        (SERVER + "[sweep]\nrate = 1", "rate is not a list"),
        (SERVER + "[sweep]\nrate = []", "rate is not a list"),
        (SERVER + "[variants.a]\nbudget = 1", 'unknown value "budget"'),
        (SERVER + f"[sweep]\nseed = {list(range(4000))}\nrate = {list(range(4000))}", "16,000,000 settings"),
    ],
)
def test_an_experiment_that_makes_no_sense_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises((BadValue, UnknownName), match=message):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"model": "no-such"}, "unknown model"),
        ({"engine": "tgi-9"}, "unknown engine"),
        ({"n_devices": 0}, "n_devices must be from 1"),
        ({"token_budget": "many"}, "token_budget must be a whole number"),
        ({"rate": 0}, "rate must be more than 0"),
        ({"rate": 1e9}, "more than 1,000,000 requests"),
        ({"rate": "fast"}, "rate must be a number"),
        ({"prompt_tokens": 0}, "prompt_tokens must be from 1"),
        ({"prompt_tokens": 9_000_000}, "never fits"),
        ({"prompt_tokens": {"median": 5, "mode": 1}}, "unknown value of prompt_tokens"),
        ({"prompt_tokens": {"spread": 1}}, "prompt_tokens.median must be a number"),
        ({"trace": "azure-2023-conv"}, "trace and lengths"),
        ({"concurrency": 4}, "rate and concurrency"),
        ({"file": "/no/such.csv"}, "cannot read"),
        ({"policy": "best"}, 'unknown policy "best"'),
        ({"policy": {"name": "best"}}, "policy must be a text"),
        ({"router": []}, "router must be a text"),
        ({"arrivals": 1}, "arrivals must be a text"),
        ({"together": 1}, 'together "1" is neither true nor false'),
        ({"arrivals": "often"}, 'unknown arrivals "often"'),
        ({"cv": 0}, "cv must be more than 0"),
        ({"ttft_s": -1}, "ttft_s -1 is not a number of seconds"),
        ({"preset": "mlperf"}, "unknown limits"),
        ({"readers": 0}, "readers must be from 1"),
        ({"link": "rope", "readers": 1}, 'unknown link "rope"'),
        ({"factor": 0}, "factor must be more than 0"),
    ],
)
def test_a_setting_that_cannot_be_says_why(tmp_path: Path, values: dict[str, Any], message: str) -> None:
    setting = read(tmp_path, SERVER + LOAD).setting
    assert message in outcome_row(changed(setting, values))["error"]
