"""Does a download end in the right file or in one clear line, and never in half a file?"""

import errno
import hashlib
import re
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hooks.pack.errors import PackError, SourceError
from hooks.pack.inputs.fetch import Address, Progress, obtain
from hooks.pack.inputs.pins import ENGINE, NUMPY_WHEEL, Pin
from hooks.pack.inputs.verified import verify_pyodide
from hooks.pack.inputs.wheel_member import WheelMember
from hooks.pack.paths import Places

CONTENT = bytes(range(256)) * 2000
PIN = Pin(name="thing.whl", sha256=hashlib.sha256(CONTENT).hexdigest(), size_bytes=len(CONTENT))


class Handler(BaseHTTPRequestHandler):
    """Right, wrong or cut content, by the path asked for."""

    def do_GET(self) -> None:
        if self.path == "/gone":
            self.send_error(404)
            return
        content = {"/right": CONTENT, "/wrong": CONTENT[::-1], "/cut": CONTENT}[self.path]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:1000] if self.path == "/cut" else content)

    def log_message(self, *args: object) -> None:
        """Tests read no access log."""


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


class Local:
    """A source that has the right file."""

    shown = "here"

    def deliver(self, pin: Pin, part: Path, progress: Progress) -> None:
        part.write_bytes(CONTENT)


class Failing:
    """A source whose file cannot be stored."""

    shown = "there"

    def __init__(self, error: Exception) -> None:
        self.error = error

    def deliver(self, pin: Pin, part: Path, progress: Progress) -> None:
        part.write_bytes(CONTENT[:1000])
        raise self.error


def quiet(_line: str) -> None:
    """Progress that nobody reads."""


def test_a_download_shows_size_and_percentage_up_to_the_end(host: str, tmp_path: Path) -> None:
    lines: list[str] = []
    assert obtain(PIN, tmp_path, [Address(f"{host}/right")], lines.append).read_bytes() == CONTENT
    assert lines[-1] == "fetching thing.whl (0.5 MB): 100 %"
    assert len(lines) <= 11


def test_only_the_verified_file_stays_in_the_cache(host: str, tmp_path: Path) -> None:
    obtain(PIN, tmp_path, [Address(f"{host}/right")], quiet)
    assert [path.name for path in tmp_path.iterdir()] == ["thing.whl"]


def test_a_file_in_the_cache_is_used_without_a_source(tmp_path: Path) -> None:
    (tmp_path / PIN.name).write_bytes(CONTENT)
    assert obtain(PIN, tmp_path, [], quiet) == tmp_path / PIN.name


def test_a_damaged_file_in_the_cache_is_fetched_again(tmp_path: Path) -> None:
    (tmp_path / PIN.name).write_bytes(CONTENT[:-1] + b"x")
    assert obtain(PIN, tmp_path, [Local()], quiet).read_bytes() == CONTENT


@pytest.mark.parametrize("path", ["/gone", "/cut"])
def test_a_source_that_fails_gives_way_to_the_next(host: str, path: str, tmp_path: Path) -> None:
    assert obtain(PIN, tmp_path, [Address(host + path), Local()], quiet).read_bytes() == CONTENT


def test_a_wrong_file_is_an_error_even_if_another_source_has_the_right_one(host: str, tmp_path: Path) -> None:
    with pytest.raises(
        PackError, match=r"thing\.whl from http://.*/wrong is not the expected file: sha256 .*, expected"
    ):
        obtain(PIN, tmp_path, [Address(f"{host}/wrong"), Local()], quiet)
    assert not list(tmp_path.iterdir())


def test_a_broken_transfer_says_how_much_came_and_leaves_nothing(host: str, tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"cannot fetch thing\.whl: http://.*/cut: broke off after 1\.0 kB of 0\.5 MB"):
        obtain(PIN, tmp_path, [Address(f"{host}/cut")], quiet)
    assert not list(tmp_path.iterdir())


def test_without_network_one_line_names_file_sources_and_how_to_continue(tmp_path: Path) -> None:
    # Port 9 of this machine has no listener.
    with pytest.raises(PackError) as caught:
        obtain(PIN, tmp_path, [Address("http://127.0.0.1:9/thing.whl")], quiet)
    line = str(caught.value)
    assert line.startswith("cannot fetch thing.whl: http://127.0.0.1:9/thing.whl: no connection")
    assert line.endswith(f"run the same command again, or put the file into {tmp_path} yourself")
    assert "\n" not in line


def test_a_full_disk_is_named_as_what_it_is(tmp_path: Path) -> None:
    full = Failing(OSError(errno.ENOSPC, "No space left on device"))
    with pytest.raises(
        PackError, match=r"cannot store thing\.whl \(0\.5 MB\) in .*: No space left on device; make room"
    ):
        obtain(PIN, tmp_path, [full], quiet)
    assert not list(tmp_path.iterdir())


def test_an_interrupted_download_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="there: gone"):
        obtain(PIN, tmp_path, [Failing(SourceError("gone"))], quiet)
    assert not list(tmp_path.iterdir())


def test_a_distribution_whose_hash_is_wrong_is_refused_by_name(tmp_path: Path) -> None:
    wheel = tmp_path / "index" / "carrier_thing-1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("inner/thing.whl", CONTENT)
        archive.writestr(
            "carrier_thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: carrier-thing\nVersion: 1.0\n"
        )
        archive.writestr(
            "carrier_thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("carrier_thing-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    wheel_pin = Pin(name=wheel.name, sha256=digest, size_bytes=wheel.stat().st_size)
    requirement = f"carrier-thing @ {wheel.as_uri()}"
    member = WheelMember(requirement, "3.12", wheel_pin, "inner/thing.whl")
    assert obtain(PIN, tmp_path / "cache", [member], quiet).read_bytes() == CONTENT
    wheel_pin = Pin(name=wheel.name, sha256="0" * 64, size_bytes=wheel.stat().st_size)
    altered = WheelMember(requirement, "3.12", wheel_pin, "inner/thing.whl")
    with pytest.raises(PackError, match=re.compile("thing.whl.*(hash|sha256)", re.IGNORECASE | re.DOTALL)):
        obtain(PIN, tmp_path / "other cache", [altered], quiet)


def test_a_missing_pyodide_file_names_the_command_that_brings_it(tmp_path: Path) -> None:
    places = Places(root=tmp_path, pyodide=tmp_path / "node_modules" / "pyodide")
    with pytest.raises(PackError, match=r"node_modules/pyodide/pyodide\.asm\.wasm is missing .*`npm ci` brings"):
        verify_pyodide(places, ENGINE)


def test_an_altered_pyodide_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / ENGINE.name).write_bytes(b"\0asm")
    with pytest.raises(PackError, match=r"pyodide\.asm\.wasm is not that of Pyodide 314\.0\.4: sha256"):
        verify_pyodide(Places(root=tmp_path, pyodide=tmp_path), ENGINE)


def test_the_numpy_pin_is_what_pyodides_own_lock_lists() -> None:
    lock = (Places().pyodide / "pyodide-lock.json").read_text(encoding="utf-8")
    assert NUMPY_WHEEL.name in lock
    assert NUMPY_WHEEL.sha256 in lock
