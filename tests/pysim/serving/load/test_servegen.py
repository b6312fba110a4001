"""Do ServeGen's clients send what their files say, and are spoiled files told by name?"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from statistics import fmean, pstdev

import pytest

from pysim.errors import BadValue
from pysim.serving.load.servegen import read_clients, requests_of

TRACE = "0,2.0,1.0,Gamma,1.0,0.5\n600,0,0,,0,0\n1200,8.0,3.0,Gamma,0.11,1.1\n"
LENGTHS = {"0": {"input_tokens": "{100: 0.25, 500: 0.75}", "output_tokens": "{10: 1.0}"}}


def write(folder: Path, trace: str = TRACE, lengths: object = LENGTHS, number: int = 0) -> Path:
    (folder / f"chunk-{number}-trace.csv").write_text(trace, encoding="utf-8")
    (folder / f"chunk-{number}-dataset.json").write_text(json.dumps(lengths), encoding="utf-8")
    return folder


def test_a_client_sends_at_its_rate_in_its_windows_and_with_its_lengths(tmp_path: Path) -> None:
    clients = read_clients(write(tmp_path))
    first = requests_of(clients, begin_s=0, seconds=600).requests
    # 2 requests/s for 600 s are 1,200, give or take three times the root of it.
    assert abs(len(first) - 1200) < 3 * 1200**0.5
    assert {each.prompt_tokens for each in first} == {100, 500}
    assert fmean(each.prompt_tokens == 500 for each in first) == pytest.approx(0.75, abs=0.05)
    with pytest.raises(BadValue, match="no client sends anything from 600 to 1200 s"):
        requests_of(clients, begin_s=600, seconds=600)
    later = requests_of(clients, begin_s=1200, seconds=600).requests
    gaps = [after.arrive_s - before.arrive_s for before, after in pairwise(later)]
    assert pstdev(gaps) / fmean(gaps) == pytest.approx(3.0, rel=0.15)


def test_several_clients_are_merged_scaled_and_kept_apart_as_sessions(tmp_path: Path) -> None:
    write(tmp_path)
    clients = read_clients(write(tmp_path, number=1))
    trace = requests_of(clients, begin_s=0, seconds=500, rate_per_s=10, seed=4)
    assert len(trace.requests) == pytest.approx(5000, rel=0.05)
    assert {each.session for each in trace.requests} == {0, 1}
    arrivals = [each.arrive_s for each in trace.requests]
    assert arrivals == sorted(arrivals)
    assert trace == requests_of(clients, begin_s=0, seconds=500, rate_per_s=10, seed=4)


@pytest.mark.parametrize(
    ("trace", "lengths", "message"),
    [
        ("x,1,1,Gamma,1,1\n", LENGTHS, 'chunk-0-trace.csv, line 1: "x" is not a number'),
        ("0,-1,1,Gamma,1,1\n", LENGTHS, 'line 1: "-1" is not a number from 0 up'),
        ("0,1,1,Gamma,1,1\n0,1,1,Gamma,1,1\n", LENGTHS, "line 1: its time is not before"),
        (TRACE, [1], "is no JSON object of windows"),
        (TRACE, {}, "says nothing of input_tokens"),
        (TRACE, {"0": {"input_tokens": "{1: ", "output_tokens": "{1: 1}"}}, r"is not \{tokens: share\}"),
        (TRACE, {"0": {"input_tokens": "{-1: 1}", "output_tokens": "{1: 1}"}}, "outside of what is possible"),
        (TRACE, {"0": {"input_tokens": "{1: 0}", "output_tokens": "{1: 1}"}}, "are all 0"),
    ],
)
def test_a_spoiled_file_is_told_by_name(tmp_path: Path, trace: str, lengths: object, message: str) -> None:
    with pytest.raises(BadValue, match=message):
        read_clients(write(tmp_path, trace, lengths))


def test_a_folder_without_clients_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match=r"has no chunk-N-trace\.csv"):
        read_clients(tmp_path)
    (tmp_path / "chunk-0-trace.csv").write_text(TRACE, encoding="utf-8")
    with pytest.raises(BadValue, match=r"has no chunk-0-dataset\.json"):
        read_clients(tmp_path)
