"""Is every row of somebody else's table scored, or left out with its reason?"""

import os
import re
from pathlib import Path

import pytest

from pysim.deployed import Deployed
from pysim.errors import BadValue
from pysim.fit.accuracy import by_kind, compare, summarize
from pysim.fit.measured import measured_rows
from pysim.fit.points import points
from pysim.fit.table.score import Score, score
from pysim.load import load_device, load_model
from pysim.requests.request_estimate import estimate

HEADING = "device_key,model_key,quant,engine,batch,prompt_tokens,prefill_tok_s,gen_tokens,decode_depth,decode_tok_s"
ROW = "rtx-4090,llama-3.1-8b,Q4_K_M,llama.cpp,1,512,,128,0,120"


def scored(folder: Path, text: str | bytes) -> Score:
    path = folder / "mine.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return score(str(path))


def reasons(result: Score) -> list[str]:
    return [str(entry["reason"]) for entry in result.left_out]


def with_cell(column: str, value: str) -> str:
    """A table of one good row and one in which a cell is another."""
    names = HEADING.split(",")
    cells = dict(zip(names, ROW.split(","), strict=True)) | {column: value}
    names += [] if column in names else [column]
    good = ROW + "," * (len(names) - len(HEADING.split(",")))
    return "\n".join([",".join(names), good, ",".join(cells[name] for name in names)]) + "\n"


def test_the_projects_own_table_gives_the_points_of_the_fit(tmp_path: Path) -> None:
    names = list(next(iter(measured_rows().values())))
    # A table of one's own may give times to the first token instead: the fit takes prefill speeds alone.
    rows = [row | {"ttft_ms": ""} for row in measured_rows().values()]
    lines = [",".join(names)] + [",".join('"' + row[name].replace('"', '""') + '"' for name in names) for row in rows]
    result = scored(tmp_path, "\n".join(lines))
    too_large = {entry["row_id"] for entry in result.left_out if "does not fit" in str(entry["reason"])}
    own = [compare(point) for point in points() if point.sound and point.row not in too_large]
    kinds = {line.name: line for line in summarize(own, by_kind)}
    for line in result.summaries():
        assert line.points == kinds[line.name].points
        assert line.median_error == pytest.approx(kinds[line.name].median_error, abs=0.001)
    named = {entry["row"] for entry in result.left_out}
    assert result.rows == len(measured_rows())
    assert result.rows_scored + len(named) >= result.rows


def test_the_error_is_that_of_the_estimate(tmp_path: Path) -> None:
    on = Deployed(load_model("llama-3.1-8b"), load_device("rtx-4090"), weight_format="q4_k_m", engine="llama.cpp")
    # llama-bench's tg128 from an empty cache: 128 passes over 1 to 128 tokens.
    predicted = estimate(on, prompt_tokens=1, output_tokens=129).decode_tokens_per_s or 0.0
    (group,) = scored(tmp_path, f"{HEADING}\n{ROW}\n").summaries()
    assert group.name == ("decode", "dense", "1")
    assert group.bias == pytest.approx(predicted / 120 - 1)
    assert group.median_error == group.p90_error == abs(group.bias)


def test_a_speed_twice_as_high_is_twice_as_far_below(tmp_path: Path) -> None:
    one, two = (
        scored(tmp_path, f"{HEADING}\n{row}\n").summaries()[0].bias for row in (ROW, ROW.replace(",120", ",240"))
    )
    # predicted / 120 - 1 against predicted / 240 - 1
    assert 1 + one == pytest.approx(2 * (1 + two))


@pytest.mark.parametrize(
    "table",
    [
        b"\xef\xbb\xbf" + f"{HEADING}\n{ROW}\n".encode(),
        f"{HEADING}\n{ROW}\n".encode("utf-16"),
        f"{HEADING}\n{ROW}\n".replace(",", ";").encode(),
        f"{HEADING}\n{ROW}\n".replace(",", "\t").encode(),
        f"{HEADING}\n{ROW}\n".replace("\n", "\r\n").encode(),
        f"{HEADING}\n{ROW}\n".replace("\n", "\r").encode(),
        f"{HEADING.upper()}\n\n{ROW}".encode(),
        b'"' + HEADING.replace(",", '","').encode() + b'"\n"' + ROW.replace(",", '","').encode() + b'"\n',
    ],
    ids=[
        "byte-order mark",
        "UTF-16",
        "semicolons",
        "tabs",
        "Windows",
        "old Mac",
        "capitals and a blank line",
        "quoted",
    ],
)
def test_the_form_of_the_file_does_not_matter(tmp_path: Path, table: bytes) -> None:
    plain = scored(tmp_path, f"{HEADING}\n{ROW}\n").summaries()
    assert scored(tmp_path, table).summaries() == plain


def test_columns_may_come_in_any_order_and_names_stand_in_for_keys(tmp_path: Path) -> None:
    other = "decode_tok_s,decode_depth,gen_tokens,engine,quant,model,device,my notes\n"
    result = scored(tmp_path, other + "120,0,128,llama.cpp,Q4_K - Medium,Llama 3.1 8B,GeForce RTX 4090,mine\n")
    assert result.summaries() == scored(tmp_path, f"{HEADING}\n{ROW}\n").summaries()
    assert result.columns.ignored == ("my_notes",)


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("device_key", "rtx-4099", 'unknown device "rtx-4099"; did you mean '),
        ("model_key", "lama-3.1-8b", 'unknown model "lama-3.1-8b"; did you mean "llama-3.1-8b"'),
        ("model_key", "", "no model"),
        ("quant", "q4_k_x", 'unknown weight format "q4_k_x"; did you mean'),
        ("quant", "", "no weight format"),
        ("engine", "vlllm", 'unknown engine "vlllm"; did you mean "vLLM"'),
        ("batch", "", "batch missing"),
        ("batch", "0", 'batch "0" is not a whole number from 1'),
        ("batch", "max (offline)", 'batch "max (offline)" is not a whole number'),
        ("decode_tok_s", "nan", 'decode_tok_s "nan" is not a number'),
        ("decode_tok_s", "1e308", 'decode_tok_s "1e308" is not above 0'),
        ("decode_tok_s", "1e999", 'decode_tok_s "1e999" is not a number'),
        ("decode_tok_s", "-12", 'decode_tok_s "-12" is not above 0'),
        ("decode_tok_s", "0", 'decode_tok_s "0" is not above 0'),
        ("decode_tok_s", "", "no speed"),
        ("decode_depth", "-1", 'decode_depth "-1" is not a whole number'),
        ("n_devices", "2", "split unknown: 2 devices, and parallelism is empty"),
        ("n_devices", "two", 'n_devices "two" is not a whole number'),
        ("quality_flag", "power limit 220 W", 'quality_flag: "power limit 220 W"'),
        ("kv_dtype", "q9_0", 'unknown KV format "q9_0"'),
        ("decode_includes_prefill", "maybe", 'decode_includes_prefill "maybe" is neither yes nor no'),
        ("model_key", "deepseek-v3", "does not fit: "),
    ],
)
def test_a_row_that_is_not_scored_is_listed_with_its_reason(
    tmp_path: Path, column: str, value: str, reason: str
) -> None:
    result = scored(tmp_path, with_cell(column, value))
    assert (result.rows, result.rows_scored) == (2, 1)
    (entry,) = result.left_out
    assert entry["row"] == 3
    assert str(entry["reason"]).startswith(reason)


def test_a_bad_speed_of_one_phase_leaves_the_other_in(tmp_path: Path) -> None:
    result = scored(tmp_path, f"{HEADING}\n{ROW.replace(',512,,', ',512,nan,')}\n")
    assert result.points == 1
    assert [entry["phase"] for entry in result.left_out] == ["prefill"]


def test_a_table_of_an_unknown_source_can_say_that_speeds_count_prefill(tmp_path: Path) -> None:
    by_column = with_cell("decode_includes_prefill", "yes").replace("512,,128,0,120,yes", "8192,,128,8192,12,yes")
    by_note = with_cell("metric_note", "answer tokens by the time of the whole run").replace(
        "512,,128,0,120,a", "8192,,128,8192,12,a"
    )
    kept_out = with_cell("metric_note", "seconds of a server without prefill").replace(
        "512,,128,0,120,s", "8192,,128,8192,12,s"
    )
    found = [scored(tmp_path, table).worst_first() for table in (by_column, by_note, kept_out)]
    whole = [next(each.outcome.point.whole for each in scored_rows if each.row == 3) for scored_rows in found]
    assert whole == [True, True, False]


def test_a_time_per_token_is_a_speed(tmp_path: Path) -> None:
    # 8 sequences whose tokens take 20 ms each are 400 tokens per second.
    names = "device,model,quant,batch,decode_depth,gen_tokens,tpot_ms,decode_tok_s\n"
    (one,) = scored(tmp_path, names + "rtx-4090,llama-3.1-8b,q4_0,8,512,128,20,\n").worst_first()
    assert one.outcome.measured_per_s == pytest.approx(400)
    mixed = scored(tmp_path, names + "rtx-4090,llama-3.1-8b,q4_0,8,512,128,20,50\n")
    assert reasons(mixed) == ["decode_tok_s is for one sequence (tpot_ms says so); here it must be for all 8"]


def test_a_shifted_row_is_not_read_as_if_it_were_none(tmp_path: Path) -> None:
    result = scored(tmp_path, f"{HEADING}\n{ROW},7\n{ROW},\n")
    assert reasons(result) == ["11 cells in 10 columns"]
    assert result.points == 1


def test_a_models_name_never_opens_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "config.json"
    os.mkfifo(pipe)
    (reason,) = reasons(scored(tmp_path, with_cell("model_key", str(pipe))))
    assert reason.startswith('unknown model "/')


def test_what_rows_do_not_say_is_counted(tmp_path: Path) -> None:
    result = scored(tmp_path, "device,model,quant,decode_tok_s\nrtx-4090,llama-3.1-8b,q4_0,120\n")
    assert sum(result.assumed.values()) == 3  # depth, answer, engine
    assert set(result.assumed.values()) == {1}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (b"", "is empty"),
        (f"{HEADING}\n".encode(), "has a header but no rows"),
        (f"{HEADING.replace('decode_tok_s', 'decode_toks')}\n{ROW}".encode(), 'did you mean "decode_tok_s"'),
        (f"{HEADING.replace('prompt_tokens', 'promt_tokens')}\n{ROW}".encode(), 'did you mean "prompt_tokens"'),
        (f"{HEADING.replace('device_key', 'gpu')}\n{ROW}".encode(), 'is "gpu" meant to be "device"'),
        (f"{HEADING},batch\n{ROW},1".encode(), 'the column "batch" appears twice'),
        (f'{HEADING}\n{ROW}\n"{ROW}\n{ROW}\n'.encode(), "line 3: a quotation mark that begins here is not closed"),
        (f"{HEADING}\n{ROW}\0\n".encode(), "line 2: zero bytes"),
        (f"{HEADING}\n{ROW}\xe9\n".encode("latin-1"), "line 2: not UTF-8"),
        (f"{HEADING}\n{'x' * 200_000}\n".encode(), "line 2: longer than 100,000 characters"),
        (f"{ROW}\n{ROW}".encode(), "no column device_key or device"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(tmp_path: Path, table: bytes, message: str) -> None:
    with pytest.raises(BadValue, match=re.escape(message)) as refused:
        scored(tmp_path, table)
    assert "\n" not in str(refused.value)


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, what in (
        (pipe, "a pipe"),
        (tmp_path, "is a folder"),
        (tmp_path / "none", "No such file"),
        ("", "folder"),
    ):
        with pytest.raises(BadValue, match=what):
            score(str(path))
    with pytest.raises(BadValue, match="is a device or a pipe, not a file"):
        score("/dev/zero")


def test_a_table_of_nothing_but_unknown_names_ends_soon(tmp_path: Path) -> None:
    rows = [ROW.replace("rtx-4090", f"card {number} XT") for number in range(25_000)]
    result = scored(tmp_path, "\n".join([HEADING, *rows, ROW]))
    assert (result.rows, result.rows_scored, len(result.left_out)) == (25_001, 1, 25_000)
    assert len(result.left_out.texts) <= 20_001
