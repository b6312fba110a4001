"""Is every file that is cut, changed, huge or no GGUF at all refused in one line, quickly and in little memory?"""

from __future__ import annotations

import functools
import json
import os
import random
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import pysim
from pysim.errors import BadConfig
from pysim.gguf.digest import digest_text
from pysim.gguf.header import CutHeader
from pysim.gguf.parse import parse_header
from pysim.load import read_pasted_model
from tests.pysim.gguf.writing import Given, gguf, llama_file, text

WHOLE = llama_file()


def refusal(path: Path) -> str:
    with pytest.raises(BadConfig) as raised:
        pysim.load_model(path)
    message = str(raised.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


def test_a_header_cut_at_any_byte_says_how_many_are_needed() -> None:
    for length in range(1, len(WHOLE)):
        with pytest.raises(CutHeader) as raised:
            parse_header(WHOLE[:length])
        assert length < raised.value.needed_bytes <= max(24, len(WHOLE))


def use(model: pysim.Model) -> None:
    pysim.kv_cache_bytes(model, 1_000)
    pysim.weights_bytes(model)


def check_refusal(call: Callable[[], object]) -> None:
    """Let a call succeed, or be refused in one line; any other error is a fault."""
    message = ""
    try:
        call()
    except pysim.PysimError as error:
        message = str(error)
    assert "\n" not in message


def test_a_cut_file_says_so_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "cut.gguf"
    for length in range(0, 1_024, 7):
        file.write_bytes(WHOLE[:length])
        assert "cut.gguf" in refusal(file)


def test_any_changed_bytes_give_a_model_or_one_line(tmp_path: Path) -> None:
    drawn, file = random.Random(7), tmp_path / "changed.gguf"
    for _ in range(1_500):
        data = bytearray(WHOLE)
        for _ in range(drawn.choice((1, 1, 2, 8))):
            place = drawn.randrange(len(data))
            data[place] = drawn.choice((0, 1, 0x7F, 0x80, 0xFF, drawn.randrange(256)))
        file.write_bytes(data)
        check_refusal(lambda: use(pysim.load_model(file)))


HUGE = 2**63
COUNTS = {
    "tensors": b"GGUF" + struct.pack("<IQQ", 3, HUGE, 1),
    "keys": b"GGUF" + struct.pack("<IQQ", 3, 1, HUGE),
    "a key's length": b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, HUGE),
    "a text's length": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IQ", 8, HUGE),
    "an array of numbers": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 4, HUGE),
    "an array of texts": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 8, HUGE),
    "an array of arrays": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 9, HUGE),
    "dimensions": b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<I", 2**31),
    "a size": b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<IQQIQ", 2, HUGE, HUGE, 0, 0),
    "a ggml type": b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + struct.pack("<IQIQ", 1, 32, 2**31, 0),
    "a value's type": b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<I", 77),
}


@pytest.mark.parametrize("what", COUNTS)
def test_an_endless_count_is_refused_in_bounded_memory(tmp_path: Path, what: str) -> None:
    file = tmp_path / "huge.gguf"
    file.write_bytes(COUNTS[what] + bytes(1_000))
    tracemalloc.start()
    try:
        refusal(file)
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()


def test_a_sparse_file_of_fifty_gigabytes_is_not_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "sparse.gguf"
    with file.open("wb") as out:
        out.write(b"GGUF" + struct.pack("<IQQ", 3, 90_000, 60_000))
        out.truncate(50 * 10**9)
    tracemalloc.start()
    try:
        refusal(file)
        assert tracemalloc.get_traced_memory()[1] < 200_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"lmgg" + bytes(100), "ggml file from before August 2023"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer"),
        (b"PK\x03\x04" + bytes(50), "zip archive"),
        (b"<!doctype html><title>404</title>", "HTML"),
        (struct.pack("<Q", 80) + b'{"__metadata__":{}}', "safetensors"),
        (b"\x00\x01\x02\x03 and more", "instead of b'GGUF'"),
        (WHOLE[:4] + struct.pack("<I", 1) + WHOLE[8:], "version 1"),
        (WHOLE[:4] + struct.pack("<I", 9) + WHOLE[8:], "version 9"),
    ],
)
def test_what_is_no_gguf_is_named(tmp_path: Path, data: bytes, words: str) -> None:
    file = tmp_path / "other.gguf"
    file.write_bytes(data)
    assert words in refusal(file)


def test_folders_pipes_and_devices_are_refused_without_waiting(tmp_path: Path) -> None:
    folder, pipe = tmp_path / "folder.gguf", tmp_path / "pipe.gguf"
    folder.mkdir()
    os.mkfifo(pipe)
    assert "folder.gguf" in refusal(folder)
    assert "pipe" in refusal(pipe)
    device = tmp_path / "zero.gguf"
    device.symlink_to("/dev/zero")
    assert "device" in refusal(device)


def test_names_that_are_no_utf_8_and_names_twice_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "names.gguf"
    file.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text(b"\xff\xfe") + struct.pack("<IB", 0, 1))
    assert "not UTF-8" in refusal(file)
    twice = [("t", "F32", (1,)), ("t", "F32", (1,))]
    file.write_bytes(gguf({}, twice))
    assert 'two tensors are called "t"' in refusal(file)


def test_the_other_byte_order_reads_the_same() -> None:
    little, big = gguf({"a": 7}, [("t", "F32", (3,))]), gguf({"a": 7}, [("t", "F32", (3,))], order=">")
    assert parse_header(little) == parse_header(big)


@pytest.mark.parametrize("present", [(1,), (1, 3), (2, 3)])
def test_parts_that_are_missing_are_counted(tmp_path: Path, present: tuple[int, ...]) -> None:
    for part in present:
        values: dict[str, Given] = {"split.count": 3, "split.no": part - 1, "general.architecture": "llama"}
        (tmp_path / f"big-{part:05}-of-00003.gguf").write_bytes(gguf(values, [(f"t{part}", "F32", (1,))]))
    message = refusal(tmp_path / f"big-{present[0]:05}-of-00003.gguf")
    missing = [str(part) for part in (1, 2, 3) if part not in present]
    assert f"{', '.join(missing)} must be with it" in message


def test_parts_together_are_one_model(tmp_path: Path) -> None:
    whole = parse_header(WHOLE)
    tensors = [(tensor.name, tensor.kind.name, tensor.shape) for tensor in whole.tensors]
    values: dict[str, Given] = {key: value for key, value in whole.values.items() if not isinstance(value, tuple)}
    for part, own in enumerate((tensors[:9], tensors[9:])):
        data = gguf(values | {"split.count": 2, "split.no": part}, own)
        (tmp_path / f"big-{part + 1:05}-of-00002.gguf").write_bytes(data)
    one, two = (pysim.load_model(tmp_path / f"big-0000{part}-of-00002.gguf") for part in (1, 2))
    (tmp_path / "whole.gguf").write_bytes(WHOLE)
    assert one.file_bytes == two.file_bytes == pysim.load_model(tmp_path / "whole.gguf").file_bytes


def test_a_digest_is_the_model_and_a_damaged_one_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(WHOLE)
    answer = json.loads(digest_text("model.gguf", WHOLE))
    pasted = json.dumps({"gguf": answer["digest"]})
    assert read_pasted_model(pasted).file_bytes == pysim.load_model(tmp_path / "model.gguf").file_bytes
    assert json.loads(digest_text("model.gguf", WHOLE[:100]))["needs"] > 100
    assert "not a GGUF" in json.loads(digest_text("x", b"no such file"))["error"]
    drawn = random.Random(3)
    for _ in range(300):
        place = drawn.randrange(len(pasted))
        damaged = pasted[:place] + drawn.choice('[]{}",:0-e') + pasted[place + drawn.randrange(3) :]
        check_refusal(functools.partial(read_pasted_model, damaged))
