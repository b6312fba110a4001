"""Does a block give back the files that it was made of?"""

import gzip

from hypothesis import given
from hypothesis import strategies as st

from hooks.pack.archive import crc32, flat, gzipped, unflat

FILES = st.dictionaries(st.text(min_size=1, max_size=20), st.binary(max_size=50), max_size=8)


@given(FILES)
def test_a_block_gives_back_its_files(files: dict[str, bytes]) -> None:
    assert unflat(flat(files)) == files


def test_a_block_is_index_length_index_and_contents_in_order_of_name() -> None:
    # The index [["a",2],["b",1]] has 17 characters.
    assert flat({"b": b"z", "a": b"xy"}) == b"\x11\0\0\0" + b'[["a",2],["b",1]]' + b"xyz"


def test_the_same_block_always_gives_the_same_gzip() -> None:
    # Bytes 4 to 7 of a gzip file are its time stamp.
    assert gzipped(b"abc")[4:8] == bytes(4)
    assert gzip.decompress(gzipped(b"abc")) == b"abc"


def test_the_checksum_is_the_crc_that_gzip_uses() -> None:
    # The CRC-32 of "123456789" is the check value that its specification gives.
    assert crc32(b"123456789") == 0xCBF43926
