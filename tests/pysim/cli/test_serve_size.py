"""Does `pysim serve size` answer in text, JSON and CSV, keep what is done, and refuse what makes no sense?"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from pysim.cli.main import main
from pysim.cli.serving import progress
from pysim.serving.plan import size

ASKED = (
    "serve", "size", "--model", "llama-3.1-8b", "--device", "h100-sxm", "--engine", "vllm", "--prompt-tokens", "1000",
    "--output-tokens", "100", "--test-seconds", "20",
)  # fmt: skip
LIMITS = ("--ttft", "1", "--tpot", "0.05", "--share", "0.9")


@pytest.fixture(autouse=True)
def _no_progress_on_a_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY_S", float("inf"))


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*ASKED, *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_fewest_devices_are_named_with_what_breaks_first(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "--rate", "50", *LIMITS, "--splits", "1,2", "--price", "2", "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    one, two = answer["options"]
    assert (one["per_replica"], two["per_replica"]) == (1, 2)
    assert answer["best"]["devices"] == min(one["devices"], two["devices"])
    low, high = answer["devices_if_faster_and_slower"]
    assert low <= answer["best"]["devices"] <= high
    assert one["breaks"] in {"ttft_s", "tpot_s", "backlog"}
    # 50 answers of 100 tokens a second.
    assert one["price_per_million_tokens"] == pytest.approx(one["devices"] * 2 / 3600 / 5000 * 1e6)
    code, text, _ = told(capsys, "--rate", "50", *LIMITS, "--splits", "1,2")
    assert f"fewest devices: {answer['best']['devices']}" in text
    assert "price" not in text
    _, table, _ = told(capsys, "--rate", "50", *LIMITS, "--splits", "1,2", "--csv")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [int(row["devices"]) for row in rows] == [one["devices"], two["devices"]]


def test_users_are_a_rate_and_budgets_are_options(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--users", "100", "--think", "10", *LIMITS, "--splits", "1", "--budgets", "512,4096")
    code, out, _ = told(capsys, *asked, "--json")
    answer = json.loads(out)
    assert code == 0
    # Nobody asks more often than every ten seconds.
    assert 0 < answer["rate_per_s"] < 10
    assert [option["token_budget"] for option in answer["options"]] == [512, 4096]
    text = told(capsys, *asked)[1]
    assert "100 users send at most" in text
    assert "tokens a step" in text


def test_an_interrupted_run_prints_what_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> Iterator[size.Option]:
        yield size.Option(per_replica=1, highest=None, replicas=3)
        raise KeyboardInterrupt

    monkeypatch.setattr(size, "options", interrupted)
    code, out, _ = told(capsys, "--rate", "5", *LIMITS, "--json")
    answer = json.loads(out)
    assert code == 130
    assert answer["complete"] is False
    assert answer["best"]["devices"] == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--rate", "0", *LIMITS), "a rate of 0 requests/s is not above 0"),
        (("--rate", "nan", *LIMITS), "a rate of nan requests/s"),
        (("--rate", "1e9", "--splits", "1", *LIMITS), "no number of devices serves this rate"),
        (("--rate", "1", "--splits", "1", "--ttft", "1e-6"), "no number of devices serves this rate within the limits"),
        (("--rate", "1"), "which limits?"),
        (LIMITS, "how many requests? Give --rate R or --users N"),
        (("--rate", "1", "--users", "5", *LIMITS), "how many requests?"),
        (("--users", "0", *LIMITS), "--users 0 with --think 0 are no users"),
        (("--users", "5", "--think", "-1", *LIMITS), "--think -1 are no users"),
        (("--rate", "1", *LIMITS, "--budgets", "0"), "--budgets '0' is not a list"),
        (("--rate", "1", "--limits", "mlperf"), 'unknown limits "mlperf"'),
        (("--rate", "1", *LIMITS, "--splits", "0"), "--splits '0' is not a list"),
        (("--rate", "1", *LIMITS, "--splits", ","), "is not a list"),
        (("--rate", "1", *LIMITS, "--trace", "azure-2023-conv"), "give one"),
        (("--rate", "1", *LIMITS, "--test-seconds", "-1"), "--test-seconds -1 is not above 0"),
        (("--rate", "1", *LIMITS, "--price", "0"), "--price 0 is not above 0"),
        (("--rate", "1", *LIMITS, "--engine", "none"), "none"),
        (("--rate", "1", *LIMITS, "--arrivals", "often"), 'unknown arrivals "often"'),
        (("--rate", "1", *LIMITS, "--token-budget", "9" * 400), "--token-budget must be from 1 to"),
        (("--rate", "1", *LIMITS, "--factor", "0"), "--factor 0 is not from 0.01 to 100"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], given: tuple[str, ...], message: str
) -> None:
    code, _, err = told(capsys, *given)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err


def test_prompts_longer_than_the_memory_are_said_for_each_split(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "--rate", "1", *LIMITS, "--splits", "1,2", "--prompt-tokens", "9000000")
    assert code == 2
    assert out.count("never fits: it needs 9,000,099 rows of cache") == 2
    assert "no number of devices" in err
