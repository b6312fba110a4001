"""Does the parser read what a header says, and refuse in one line what no header can say?"""

from __future__ import annotations

import random
import struct
import time

import pytest

from pysim.errors import BadConfig, PysimError
from pysim.gguf.cursor import LARGEST_HEADER_BYTES
from pysim.gguf.header import CutHeader
from pysim.gguf.parse import parse_header
from tests.pysim.gguf_writer import TYPES, Numbers, T, gguf, small, small_tensors, text

FILE = gguf(small(), small_tensors())


def start(tensors: int = 0, keys: int = 0, version: int = 3) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, tensors, keys)


def test_metadata_and_tensors_are_read() -> None:
    header = parse_header(FILE)
    assert header.architecture == "llama"
    assert header.of("embedding_length") == 256
    assert header.lengths["tokenizer.ggml.tokens"] == 256
    assert "tokenizer.ggml.tokens" not in header.values
    assert header.values["general.name"] == "Small"
    assert [tensor.name for tensor in header.tensors] == [tensor.name for tensor in small_tensors()]
    assert header.stored_bytes == sum(tensor.stored_bytes for tensor in small_tensors())
    assert header.data_start == len(FILE)
    assert header.notes == ()


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", [2, 3])
def test_both_versions_and_byte_orders_are_read(order: str, version: int) -> None:
    header = parse_header(gguf(small(), small_tensors(), version=version, order=order))
    assert header.version == version
    assert header.of("block_count") == 2
    assert header.weights == parse_header(FILE).weights


def test_arrays_with_one_number_per_layer_are_kept() -> None:
    heads = Numbers((8, 0, 2), kind=5, code="i")
    marks = Numbers((True, False, True), kind=7, code="?")
    header = parse_header(gguf(small(**{"llama.attention.head_count_kv": heads, "llama.x": marks})))
    assert header.of("attention.head_count_kv") == (8, 0, 2)
    assert header.of("x") == (True, False, True)


@pytest.mark.parametrize("hundred", range(11))
def test_a_file_cut_at_any_byte_of_its_first_kilobyte_says_so(hundred: int) -> None:
    """Every byte of the first kilobyte, and some behind it."""
    for cut in range(100 * hundred, 100 * hundred + 100):
        with pytest.raises(BadConfig) as refused:
            parse_header(FILE[:cut])
        assert "\n" not in str(refused.value)
        if cut:
            assert isinstance(refused.value, CutHeader)
            assert cut < refused.value.needed_bytes <= len(FILE) + 8 * 256


def test_a_cut_header_is_complete_once_the_bytes_it_needs_are_there() -> None:
    have = [4]
    for _ in range(500):
        try:
            parse_header(FILE[: have[-1]])
            break
        except CutHeader as error:
            have.append(error.needed_bytes)
    assert have == sorted(set(have))
    assert len(FILE) - 32 < have[-1] <= len(FILE)


KEY = text("llama.x")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (start(version=1), "GGUF version 1"),
        (start(version=4), "GGUF version 4"),
        (start(version=0), "GGUF version 0"),
        (start(tensors=2**63), "claims 2^63 or more tensors"),
        (start(keys=2**63), "claims 2^63 or more metadata keys"),
        (start(tensors=100_001), "claims 100,001 tensors"),
        (start(keys=1) + struct.pack("<Q", 2**63), "is a text of 2^63 or more bytes"),
        (start(keys=1) + KEY + struct.pack("<IQ", 8, 2**63), "would need 2^63 or more bytes"),
        (start(keys=1) + KEY + struct.pack("<I", 13), "value type 13"),
        (start(keys=1) + KEY + struct.pack("<IIQ", 9, 8, 2**63), "claims 2^63 or more texts"),
        (start(keys=1) + KEY + struct.pack("<IIQ", 9, 4, 2**63), "would need 2^65 or more bytes"),
        (start(keys=1) + KEY + struct.pack("<IIQ", 9, 9, 2**63), "nested arrays"),
        (start(keys=1) + KEY + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 20, "deeper than 4 levels"),
        (start(keys=1) + text("")[:0] + struct.pack("<Q", 2) + b"\xff\xfe", "is not UTF-8"),
        (start(keys=2) + (KEY + struct.pack("<II", 4, 1)) * 2, 'the metadata key "llama.x" appears twice'),
        (start(tensors=1) + KEY + struct.pack("<I", 2**31), "2,147,483,648 dimensions"),
        (start(tensors=1) + KEY + struct.pack("<I4QIQ", 4, *(2**62,) * 4, 0, 0), "more than 1,000,000,000,000,000"),
        (start(tensors=1) + KEY + struct.pack("<IQIQ", 1, 256, 4711, 0), "ggml type 4,711"),
        (start(tensors=1) + KEY + struct.pack("<IQIQ", 1, 100, 12, 0), "rows of 100, and Q4_K needs blocks of 256"),
        (start(tensors=2) + (KEY + struct.pack("<IQIQ", 1, 256, 0, 0)) * 2, 'two tensors are called "llama.x"'),
        (start(tensors=1) + struct.pack("<Q", 2) + b"\xc3\x28" + bytes(40), "is not UTF-8"),
        (gguf(small(**{"general.alignment": 0})), "general.alignment"),
        (gguf(small(**{"general.alignment": "x"})), "general.alignment"),
        (b"lmgg" + bytes(100), "ggml file from before August 2023"),
        (b"tjgg" + bytes(100), "ggml file from before August 2023"),
        (b"PK\x03\x04" + bytes(100), "zip archive"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer"),
        (b"<!DOCTYPE html><html></html>", "HTML"),
        (b'{"model_type": "llama"}', "JSON"),
        (struct.pack("<Q", 90) + b'{"__metadata__": {}}', "safetensors"),
        (bytes(4_000_000), "it begins with"),
    ],
)  # fmt: skip
def test_what_no_header_can_say_is_refused_in_one_line(data: bytes, message: str) -> None:
    began = time.perf_counter()
    with pytest.raises(BadConfig) as refused:
        parse_header(data)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 250
    assert time.perf_counter() - began < 1


def test_arrays_of_arrays_are_passed_over() -> None:
    inner = struct.pack("<IQ2I", 4, 2, 7, 7)
    nested = struct.pack("<IIQ", 9, 9, 2) + inner * 2
    data = start(keys=2) + KEY + nested + text("general.architecture") + struct.pack("<I", 8) + text("llama")
    assert parse_header(data).architecture == "llama"


def test_a_header_that_claims_millions_of_empty_texts_takes_little_time() -> None:
    """Four million texts of no length; more are not believed."""
    data = start(keys=1) + KEY + struct.pack("<IIQ", 9, 8, 4_000_000) + bytes(32_000_000)
    began = time.perf_counter()
    assert parse_header(data).lengths["llama.x"] == 4_000_000
    assert time.perf_counter() - began < 2


def test_no_more_is_kept_than_a_header_of_names_needs() -> None:
    arrays = {f"llama.x{number}": Numbers((1,) * 10_000, kind=0, code="B") for number in range(300)}
    kept = parse_header(gguf(arrays)).values
    assert sum(len(value) for value in kept.values() if isinstance(value, tuple)) <= 1_000_000
    long = parse_header(gguf({"general.architecture": "llama", "tokenizer.chat_template": "x" * 100_000}))
    assert long.values["tokenizer.chat_template"] == "x" * 1_000


def test_metadata_that_is_not_utf_8_does_not_matter() -> None:
    data = start(keys=1) + text("general.description") + struct.pack("<IQ", 8, 2) + b"\xff\xfe"
    assert parse_header(data).values["general.description"] == "\ufffd\ufffd"


def test_offsets_that_do_not_follow_are_told() -> None:
    other = gguf(small(), small_tensors(), alignment=4096)
    assert parse_header(other).notes == ("the offsets of its tensors do not follow their sizes",)


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_takes_the_bytes_of_its_blocks(kind: str) -> None:
    _, size, weights = TYPES[kind]
    header = parse_header(gguf(small(), [T("token_embd.weight", (256, 3), kind)]))
    assert header.stored_bytes == 256 * 3 * size // weights


def test_the_headers_limit_is_above_that_of_the_largest_tokenizers() -> None:
    """262,144 tokens of 8 + 8 bytes, with score and type, and 515,000 merges of 8 + 14: 17 MB."""
    assert LARGEST_HEADER_BYTES > 2 * (262_144 * (16 + 4 + 4) + 515_000 * 22)


def outcome(data: bytes) -> str:
    """The error's words, "" where the header is read; anything but an error of pysim's own is raised."""
    try:
        parse_header(data)
    except PysimError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("seed", range(40))
def test_spoiled_headers_give_a_header_or_one_line(seed: int) -> None:
    """Fifty mutations each: bytes changed, cut out, put in, or a length of the file's set to a hostile number."""
    chance = random.Random(seed)
    for _ in range(50):
        data = bytearray(FILE)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data))
            match chance.randrange(4):
                case 0:
                    data[at] = chance.randrange(256)
                case 1:
                    del data[at : at + chance.randint(1, 64)]
                case 2:
                    data[at:at] = chance.randbytes(chance.randint(1, 64))
                case _:
                    data[at : at + 8] = struct.pack(
                        "<Q", chance.choice([0, 1, 2**16, 2**31, 2**32 - 1, 2**63, 2**64 - 1])
                    )
        began = time.perf_counter()
        assert "\n" not in outcome(bytes(data))
        assert time.perf_counter() - began < 2
