"""Does `pysim accuracy` say what the score found, in a form for people and one for programs?"""

import json
from pathlib import Path

import pytest

from pysim.cli.main import main
from pysim.fit.table.score import score

TABLE = """row_id,device,model,quant,engine,batch,decode_depth,gen_tokens,decode_tok_s
a1,rtx-4090,llama-3.1-8b,Q4_K_M,llama.cpp,1,0,128,120
a2,rtx-4090,qwen3-30b-a3b,Q4_K_M,llama.cpp,1,0,128,180
a3,rtx-4090,llama-3.1-8b,Q4_K_M,vLLM,16,512,128,900
a4,rtx-4091,llama-3.1-8b,Q4_K_M,llama.cpp,1,0,128,120
a5,rtx-4090,llama-3.1-8b,Q4_K_M,llama.cpp,,0,128,120
a6,rtx-4090,llama-3.1-8b,Q4_K_M,llama.cpp,,0,128,120
"""


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "mine.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def test_json_has_every_group_and_every_row_left_out(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", table, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(group["phase"], group["kind"], group["batch"], group["points"]) for group in answer["groups"]] == [
        ("decode", "dense", "1", 1),
        ("decode", "dense", "larger", 1),
        ("decode", "experts", "1", 1),
    ]
    for group, summary in zip(answer["groups"], score(table).summaries(), strict=True):
        assert group["median_error"] == summary.median_error
        assert {"p90_error", "bias", "in_band"} <= set(group)
    assert [(entry["row"], entry["row_id"]) for entry in answer["left_out"]] == [(5, "a4"), (6, "a5"), (7, "a6")]
    assert answer["rows"] == answer["rows_scored"] + len(answer["left_out"])


def test_people_get_a_table_and_the_reasons_with_their_rows(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", table]) == 0
    text = capsys.readouterr().out
    assert "rows: 6, scored: 3 (points: 3)" in text
    assert "  2 (rows 6-7): batch missing" in text
    assert '  1 (row 5): unknown device "rtx-4091"' in text


def test_a_table_with_nothing_to_score_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(TABLE.splitlines()[index] for index in (0, 4)), encoding="utf-8")
    assert main(["accuracy", str(path)]) == 0
    assert "rows: 1, scored: 0" in capsys.readouterr().out
    assert main(["accuracy", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["groups"] == []
    assert len(answer["left_out"]) == 1


def test_what_is_no_table_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["accuracy", "/dev/zero"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == 'pysim: "/dev/zero" is a device or a pipe, not a file; - reads standard input\n'
