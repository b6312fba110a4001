"""What is a file that is no GGUF, by the bytes that it begins with?"""

from __future__ import annotations

from typing import Final

_BEGINNINGS: Final = (
    (b"lmgg", "a ggml file from before August 2023: convert the model again"),
    (b"fmgg", "a ggml file from before August 2023: convert the model again"),
    (b"tjgg", "a ggml file from before August 2023: convert the model again"),
    (b"algg", "a ggml LoRA from before August 2023"),
    (b"FUGG", "its magic is written backward"),
    (b"version https://git-lfs", "a Git LFS pointer: `git lfs pull` fetches the file itself"),
    (b"PK", "a zip archive, as PyTorch's .bin and .pth files are: give the config.json next to it"),
    (b"\x80", "a Python pickle: give the config.json next to it"),
    (b"\x1f\x8b", "a gzip archive: unpack it"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive: unpack it"),
    (b"7z\xbc\xaf", "a 7z archive: unpack it"),
    (b"{", "JSON; a config.json is read as such when its name ends in .json"),
    (b"<", "an HTML page, as left by a failed download: download the file again"),
)


def other_kind(data: bytes) -> str:
    """What the file is instead, as the end of a sentence; "" where its first bytes tell nothing."""
    if not data:
        return ": it is empty"
    for beginning, words in _BEGINNINGS:
        if data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(beginning):
            return f" but {words}" if not words.startswith("its") else f": {words}"
    # A safetensors file begins with the length of its JSON.
    if data[8:10] == b'{"':
        return " but a safetensors file: give the config.json next to it"
    return f": it begins with {bytes(data[:4])!r} instead of b'GGUF'"
