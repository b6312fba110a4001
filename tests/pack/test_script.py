"""Do bytes survive the way into a script and, by the page's own code, out of it again?"""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks.pack.archive import FIRST_UNIT, packed, payload_script
from hooks.pack.node import find_node

ROOT = Path(__file__).parents[2]
UNPACKER = ROOT / "demos" / "runtime" / "worker" / "packs.js"

# What the worker's own code makes of a script: run the script with a page's receiver, unpack what it hands over.
RUN_SCRIPT = """
const fs = require("node:fs");
globalThis.self = globalThis;
(0, eval)(fs.readFileSync(process.argv[1], "utf8") + "\\nglobalThis.Packs = Packs;");
globalThis.TwoSpeeds = { payload: { add(name, bytes, units) { globalThis.got = { name, bytes, units }; } } };
(0, eval)(new TextDecoder("utf-16le").decode(fs.readFileSync(process.argv[2])));
try {
  fs.writeFileSync(process.argv[3], Packs.unpacked(got, "part.js"));
  console.log(JSON.stringify({ name: got.name, bytes: got.bytes }));
} catch (error) {
  console.log(JSON.stringify({ why: error.why, file: error.file }));
}
"""


def through_the_page(script: bytes, folder: Path) -> tuple[dict[str, object], bytes]:
    (folder / "in.js").write_bytes(script)
    (folder / "out").unlink(missing_ok=True)
    said = subprocess.run(
        [find_node(), "-e", RUN_SCRIPT, UNPACKER, folder / "in.js", folder / "out"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    out = folder / "out"
    answer: dict[str, object] = json.loads(said)
    return answer, out.read_bytes() if out.exists() else b""


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff", id="one byte"),
        pytest.param(b"\xff" * 30, id="fifteen words, one shared unit"),
        pytest.param(b"\x00\x80" * 16, id="top bits alone, two shared units"),
        pytest.param(bytes(range(256)) * 31, id="every byte value"),
    ],
)
def test_the_page_gets_back_the_bytes_that_were_packed(data: bytes, tmp_path: Path) -> None:
    answer, out = through_the_page(payload_script("part", data), tmp_path)
    assert answer == {"name": "part", "bytes": len(data)}
    assert out == data


@given(st.binary(max_size=2000))
def test_every_code_unit_is_one_of_the_32768_from_u5000_on(data: bytes) -> None:
    units = packed(data).decode("utf-16-le")
    assert all(FIRST_UNIT <= ord(unit) < FIRST_UNIT + 0x8000 for unit in units)


@given(st.binary(max_size=2000))
def test_a_script_is_a_fifteenth_larger_than_the_data(data: bytes) -> None:
    words = (len(data) + 1) // 2
    assert len(packed(data)) == 2 * (words + -(-words // 15))


def test_a_character_outside_the_range_is_damage_in_a_named_file(tmp_path: Path) -> None:
    script = payload_script("part", bytes(100)).replace("\u5000".encode("utf-16-le"), b"A\0", 1)
    assert through_the_page(script, tmp_path)[0] == {"why": "damaged", "file": "part.js"}


def test_a_cut_script_is_damage_in_a_named_file(tmp_path: Path) -> None:
    script = payload_script("part", bytes(100)).replace("\u5000".encode("utf-16-le"), b"", 1)
    assert through_the_page(script, tmp_path)[0] == {"why": "damaged", "file": "part.js"}
