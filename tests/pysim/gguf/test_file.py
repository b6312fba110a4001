"""Is a GGUF file on disk read by its first bytes, with its parts, and everything else refused in one line?"""

from __future__ import annotations

import os
import struct
import tracemalloc
from pathlib import Path

import pytest

from pysim.errors import BadConfig
from pysim.gguf.file import read_header
from tests.pysim.gguf_writer import T, Texts, gguf, small, small_tensors


def write(path: Path, data: bytes, size: int = 0) -> Path:
    path.write_bytes(data)
    if size:
        os.truncate(path, size)
    return path


def with_data(data: bytes, tensors: list[T]) -> int:
    """The size of a whole file: its header, and each tensor's bytes aligned to 32."""
    return len(data) + sum(-(-tensor.stored_bytes // 32) * 32 for tensor in tensors)


def test_a_whole_file_is_read_without_a_note(tmp_path: Path) -> None:
    data = gguf(small(), small_tensors())
    header = read_header(write(tmp_path / "small.gguf", data, with_data(data, small_tensors())))
    assert header.notes == ()
    assert header.of("block_count") == 2


def test_a_file_cut_behind_its_header_is_read_and_told(tmp_path: Path) -> None:
    header = read_header(write(tmp_path / "small.gguf", gguf(small(), small_tensors())))
    assert header.notes[0].startswith("the file is cut off: it has ")


def test_a_header_of_many_megabytes_is_read_in_a_few_reads(tmp_path: Path) -> None:
    tokens = Texts(tuple(f"token{number:06}" for number in range(250_000)))
    data = gguf(small(**{"tokenizer.ggml.tokens": tokens}), small_tensors())
    assert len(data) > 4_000_000
    assert read_header(write(tmp_path / "big.gguf", data)).lengths["tokenizer.ggml.tokens"] == 250_000


@pytest.mark.parametrize("texts", [0, 300_000, 8_000_000, 2**40])
def test_a_sparse_file_of_50_gb_takes_little_memory_and_time(texts: int, tmp_path: Path) -> None:
    """Zeros to its end, behind a header that claims an array of so many texts."""
    hostile = b"GGUF" + struct.pack("<IQQQ", 3, 2, 1, 1) + b"k" + struct.pack("<IIQ", 9, 8, texts)
    path = write(tmp_path / "sparse.gguf", hostile, 50 * 10**9)
    tracemalloc.start()
    try:
        with pytest.raises(BadConfig):
            read_header(path)
        assert tracemalloc.get_traced_memory()[1] < 150e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null", "folder.gguf", "missing.gguf", "pipe.gguf"])
def test_what_is_no_file_is_refused_at_once(place: str, tmp_path: Path) -> None:
    (tmp_path / "folder.gguf").mkdir()
    os.mkfifo(tmp_path / "pipe.gguf")
    with pytest.raises(BadConfig) as refused:
        read_header(tmp_path / place)
    assert place in str(refused.value)
    assert "\n" not in str(refused.value)


def parts(folder: Path, numbers: range = range(3)) -> list[Path]:
    """Three files: the first with the metadata alone, the others with a half of the tensors each."""
    tensors = small_tensors()
    shares: tuple[list[T], ...] = ([], tensors[:9], tensors[9:])
    paths = []
    for number in numbers:
        split = {"split.no": number, "split.count": 3}
        values = small(**split) if number == 0 else split
        paths.append(write(folder / f"small-{number + 1:05}-of-00003.gguf", gguf(values, shares[number])))
    return paths


@pytest.mark.parametrize("given", [0, 1, 2])
def test_the_parts_beside_a_part_are_read_with_it(given: int, tmp_path: Path) -> None:
    header = read_header(parts(tmp_path)[given])
    assert header.architecture == "llama"
    assert header.stored_bytes == sum(tensor.stored_bytes for tensor in small_tensors())


def test_a_part_alone_says_which_are_missing(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"it is part 1 of 3; parts 2, 3 must be with it"):
        read_header(parts(tmp_path, range(1))[0])


def test_a_renamed_part_says_which_are_missing(tmp_path: Path) -> None:
    (alone,) = parts(tmp_path, range(1))
    renamed = alone.rename(tmp_path / "model.gguf")
    with pytest.raises(BadConfig, match=r"model.gguf: it is part 1 of 3; parts 2, 3"):
        read_header(renamed)


def test_parts_of_two_models_are_refused(tmp_path: Path) -> None:
    paths = parts(tmp_path)
    write(paths[2], gguf({"split.no": 2, "split.count": 4}, small_tensors()))
    with pytest.raises(BadConfig, match="does not match the other files"):
        read_header(paths[0])
    write(paths[2], gguf({"split.no": 2, "split.count": 3}, small_tensors()))
    with pytest.raises(BadConfig, match="two parts have the tensor"):
        read_header(paths[0])
