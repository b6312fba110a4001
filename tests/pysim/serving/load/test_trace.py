"""Are traces read in each of their forms, and spoiled ones told in one line with their place?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pysim.errors import BadValue
from pysim.serving.load.trace import read_replay, read_trace

AZURE = """TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 18:17:03.9799600,4808,10
2023-11-16 18:17:04.0319569,3180,8
"""
BURST = """Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
45,b,1.2,ChatGPT,1087,230,1317,Conversation log
5,a,0.3,ChatGPT,472,18,490,Conversation log
50,a,0,ChatGPT,100,0,100,Conversation log
118,a,2,GPT-4,417,276,693,Conversation log
"""


def write(folder: Path, text: str, name: str = "trace.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_azures_times_are_read_to_the_microsecond(tmp_path: Path) -> None:
    first, second = read_trace(write(tmp_path, AZURE)).requests
    assert (first.arrive_s, first.prompt_tokens, first.output_tokens) == (0, 4808, 10)
    # 4.031956 s - 3.979960 s
    assert second.arrive_s == pytest.approx(0.051996, abs=1e-6)


def test_burstgpts_rows_are_put_in_order_and_failed_ones_left_out(tmp_path: Path) -> None:
    trace = read_trace(write(tmp_path, BURST))
    assert [each.arrive_s for each in trace.requests] == [0, 40, 113]
    assert [each.prompt_tokens for each in trace.requests] == [472, 1087, 417]
    assert [each.session for each in trace.requests] == [0, 1, 0]
    assert trace.left_out == {"answers of no tokens, as failed requests have": 1}


def test_mooncakes_names_of_blocks_are_beginnings(tmp_path: Path) -> None:
    lines = [
        {"timestamp": 3000, "input_length": 1100, "output_length": 5, "hash_ids": [0, 1, 9]},
        {"timestamp": 0, "input_length": 1030, "output_length": 5, "hash_ids": [0, 1, 2]},
    ]
    first, second = read_trace(write(tmp_path, "\n".join(map(json.dumps, lines)), "m.jsonl")).requests
    assert (first.beginning, first.piece_tokens, second.arrive_s) == ((0, 1, 2), 512, 3.0)
    assert second.beginning == (0, 1, 9)


def test_other_tables_are_read_by_the_usual_names_of_columns(tmp_path: Path) -> None:
    path = write(tmp_path, "request_id,arrival_time_ms,input_tokens,output_tokens\nx,1500,10,20\ny,2000,11,21\n")
    assert [each.arrive_s for each in read_trace(path).requests] == [0, 0.5]


def test_a_trace_is_stretched_and_cut(tmp_path: Path) -> None:
    trace = read_trace(write(tmp_path, BURST))
    assert [each.arrive_s for each in trace.stretched(0.5, 2)] == [0, 20]


def test_measured_requests_are_read_as_a_replay_and_as_a_trace(tmp_path: Path) -> None:
    line = {"input_toks": 5, "output_toks": 6, "queued_ts": 1, "first_token_ts": 2, "last_token_ts": 3}
    path = write(tmp_path, json.dumps(line), "r.jsonl")
    assert read_replay(path).measured[0].ttft_s == 1
    assert read_trace(path).requests[0].output_tokens == 6
    assert read_replay(write(tmp_path, AZURE)).measured == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TIMESTAMP,ContextTokens\n1,2\n", r"no column for answer \(such as generatedtokens\)"),
        ("a,b\n1,2\n", "no column for time .* and prompt .* and answer"),
        ("timestamp,prompt_tokens,output_tokens\n", "has no requests"),
        ("timestamp,prompt_tokens,output_tokens\n-1,2,3\n", 'line 2: timestamp "-1" is not a number of seconds'),
        ("timestamp,prompt_tokens,output_tokens\nnan,2,3\n", "is not a number of seconds from 0 up"),
        ("timestamp,prompt_tokens,output_tokens\nsoon,2,3\n", "nor a date and time"),
        ("timestamp,prompt_tokens,output_tokens\n1,2.5,3\n", 'line 2: prompt_tokens "2.5" is not a whole number'),
        ("timestamp,prompt_tokens,output_tokens\n1,99999999,3\n", "from 1 to 10,000,000"),
        ("timestamp,prompt_tokens,output_tokens\n1,5,-3\n", 'output_tokens "-3" is not'),
        ("timestamp,prompt_tokens,output_tokens\n1,5\n", 'output_tokens "" is not'),
        ('{"timestamp": 0, "input_length": 0, "output_length": 1}', 'input_length "0" is not'),
        ('{"timestamp": -1, "input_length": 1, "output_length": 1}', 'timestamp "-1" is not a number'),
        ('{"timestamp": 1, "input_length": 1, "output_length": 1, "hash_ids": "x"}', "hash_ids is not a list"),
        ('{"timestamp": 1, "input_length": 1, "output_length"', "is not a JSON object"),
        ("\x00\x01,\x02", "contains zero bytes"),
        ("", "has no requests"),
    ],
)
def test_a_spoiled_trace_is_told_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadValue, match=message):
        read_trace(write(tmp_path, text))
