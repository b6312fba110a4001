"""`pysim doctor`: what a tool's output says, and what would help."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from typing import Final

from pysim.cli.output import print_json
from pysim.errors import BadValue, PysimError

LARGEST_BYTES: Final = 50_000_000
WIDTH: Final = 80
_LARGEST_CONFIG_BYTES: Final = 10_000_000
# Windows' PowerShell writes redirected output so.
_MARKS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `pysim doctor`."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="what a tool printed; - reads standard input")
    parser.add_argument("--model", metavar="KEY", help="the model, if the text doesn't name it or is wrong")
    parser.add_argument("--config", metavar="PATH", help="a Hugging Face config.json instead of a model's key")
    parser.add_argument("--device", metavar="KEY", help="the device")
    parser.add_argument("--bandwidth", metavar="B/s", help="a device that the catalog lacks: 346GB/s")
    parser.add_argument("--flops", metavar="FLOP/s", help="its peak in 16 bits: 12T")
    parser.add_argument("--memory", metavar="B", help="its memory: 24GiB")
    parser.add_argument("--n-devices", type=int, metavar="N", help="devices of this kind")
    parser.add_argument("--weights", metavar="FORMAT", help="how the weights are stored")
    parser.add_argument("--kv", metavar="FORMAT", help="how the cache is stored")
    parser.add_argument("--all", action="store_true", help="all that is known of every run, not only the answer")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of --json, and read nothing")
    parser.add_argument("--engine", metavar="NAME", help="what ran the model: llama.cpp, vLLM, …")


def doctor(asked: argparse.Namespace) -> None:
    """Diagnose one file; with --json a refusal is JSON too, on standard output."""
    if asked.schema:
        from pysim.doctor.show.schema import schema

        print_json(schema())
        return
    try:
        _answer(asked)
    except PysimError as error:
        if asked.json:
            from pysim.doctor.show.as_json import refusal

            print_json(refusal(str(error)))
        raise


def _answer(asked: argparse.Namespace) -> None:
    from pysim.doctor.diagnose import diagnose
    from pysim.doctor.show.as_json import as_json
    from pysim.doctor.show.details import details
    from pysim.doctor.show.terminal import as_lines

    if asked.file is None:
        raise BadValue("the following arguments are required: FILE, what a tool printed (see pysim doctor --help)")
    text = text_of(asked.file, LARGEST_BYTES)
    diagnosis = diagnose(
        text,
        model=asked.model,
        device=asked.device,
        weights=asked.weights,
        kv=asked.kv,
        engine=asked.engine,
        config=None if asked.config is None else text_of(asked.config, _LARGEST_CONFIG_BYTES),
        n_devices=asked.n_devices,
        bandwidth=asked.bandwidth,
        flops=asked.flops,
        memory=asked.memory,
    )
    if not diagnosis.cases:
        where = "standard input" if asked.file == "-" else asked.file
        why = f" (line {diagnosis.gaps[0].line}: {diagnosis.gaps[0].message})" if diagnosis.gaps else ""
        raise BadValue(f"{where}: no measurement that pysim can read{why}; {_readable()}")
    if asked.json:
        print_json(as_json(diagnosis))
    else:
        lines = as_lines(diagnosis, width=_width())
        print("\n".join([*lines, "", *details(diagnosis)] if asked.all else lines))


def _width() -> int:
    """Columns of the terminal; of a pipe as many as most have."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH


def _readable() -> str:
    from pysim.doctor.find import programs

    return (
        f"it reads what {len(programs())} programs print, such as ollama, llama-bench and vLLM: run "
        "`ollama run MODEL --verbose` or `llama-bench -m FILE` and paste everything it prints"
    )


def _at_once(path: str, flags: int) -> int:
    """Open a file without waiting: a pipe that nobody writes to is empty."""
    if os.name == "nt":
        return os.open(path, flags)
    opened = os.open(path, flags | os.O_NONBLOCK)
    os.set_blocking(opened, True)
    return opened


def text_of(path: str, most: int) -> str:
    """A file's text, or standard input's; BadValue says why it is none."""
    name = "standard input" if path == "-" else path
    try:
        if path == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with open(path, "rb", opener=_at_once) as file:
                data = file.read(most + 1)
    except OSError as error:
        raise BadValue(f"{name}: {error.strerror or error}") from error
    except ValueError as error:
        raise BadValue(f"{name!r} is not a file name: {error}") from error
    if len(data) > most:
        raise BadValue(f"{name} is larger than {most:,} bytes; cut out the part around the measurement")
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    if encoding != "utf-16" and b"\0" in data:
        raise BadValue(f"{name} is not text: it contains zero bytes")
    # A stray byte in a long log must not cost the rest of it.
    text = data.decode(encoding, errors="replace")
    if text.count("\ufffd") > 0.1 * len(text):
        raise BadValue(f"{name} is not UTF-8 text")
    return text
