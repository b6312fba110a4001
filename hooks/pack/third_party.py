"""Third-party software inside the Python pack: versions and licenses."""

import json
import zipfile
from email.message import Message
from email.parser import BytesParser
from pathlib import Path
from typing import NamedTuple

from hooks.pack.errors import PackError
from hooks.pack.inputs.pins import LOCK
from hooks.pack.inputs.verified import gather
from hooks.pack.manifest import read
from hooks.pack.paths import Places

LICENCES = Path(__file__).parent / "licences"


class ThirdParty(NamedTuple):
    """One work: `licence` as an SPDX expression, `text` in full with its copyright lines."""

    name: str
    version: str
    licence: str
    url: str
    text: str


class Linked(NamedTuple):
    """A C library inside Pyodide's WebAssembly; those that tell their version are asked for it."""

    name: str
    licence: str
    url: str
    copyright: str


LINKED = (
    Linked("zlib", "Zlib", "https://zlib.net/", "Copyright (C) Jean-loup Gailly and Mark Adler"),
    Linked(
        "zstd", "BSD-3-Clause", "https://facebook.github.io/zstd/", "Copyright (c) Meta Platforms, Inc. and affiliates"
    ),
    Linked("libmpdec", "BSD-2-Clause", "https://www.bytereef.org/mpdecimal/", "Copyright (c) Stefan Krah"),
    Linked(
        "expat",
        "MIT",
        "https://libexpat.github.io/",
        "Copyright (c) Thai Open Source Software Center Ltd, Expat maintainers",
    ),
    Linked("bzip2", "bzip2-1.0.6", "https://sourceware.org/bzip2/", "Copyright (C) Julian R Seward"),
    Linked("libffi", "MIT", "https://sourceware.org/libffi/", "Copyright (c) Anthony Green, Red Hat, Inc and others"),
    Linked("musl", "MIT", "https://musl.libc.org/", "Copyright (c) Rich Felker, et al."),
)


def third_party(places: Places | None = None) -> list[ThirdParty]:
    """All of it, from the packages' own metadata; the pack has to be built before."""
    places = places or Places()
    manifest = read(places.out)
    if manifest is None:
        raise PackError(f"no Python pack in {places.shown(places.out)}; `python -m hooks.pack` makes it")
    inputs = gather(places, print)
    versions = manifest.versions
    within = f"as in Pyodide {versions['pyodide']}"
    return [
        _pyodide(inputs.pyodide),
        ThirdParty("CPython", versions["python"], "Python-2.0", "https://www.python.org/", _text("Python-2.0")),
        _numpy(inputs.numpy_wheel),
        _emscripten(inputs.pyodide),
        *(
            ThirdParty(
                software.name,
                versions.get(software.name, within),
                software.licence,
                software.url,
                f"{software.copyright}\n\n{_text(software.licence)}",
            )
            for software in LINKED
        ),
    ]


def _text(licence: str) -> str:
    return (LICENCES / f"{licence}.txt").read_text(encoding="utf-8")


def _pyodide(folder: Path) -> ThirdParty:
    about = json.loads((folder / "package.json").read_bytes())
    return ThirdParty("Pyodide", about["version"], about["license"], about["homepage"], _text(about["license"]))


def _emscripten(folder: Path) -> ThirdParty:
    platform = json.loads((folder / LOCK.name).read_bytes())["info"]["platform"]
    version = platform.removeprefix("emscripten_").replace("_", ".")
    copyright_line = "Copyright (c) 2010-2014 Emscripten authors, see AUTHORS file."
    return ThirdParty("Emscripten", version, "MIT", "https://emscripten.org/", f"{copyright_line}\n\n{_text('MIT')}")


def _numpy(wheel: Path) -> ThirdParty:
    """From the wheel: its metadata, and every license text that the metadata lists."""
    with zipfile.ZipFile(wheel) as archive:
        folder = next(name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name)
        about: Message = BytesParser().parsebytes(archive.read(f"{folder}/METADATA"))
        listed = about.get_all("License-File", [])
        texts = [f"{name}\n\n{archive.read(f'{folder}/licenses/{name}').decode()}" for name in listed]
    pages = dict(entry.split(", ", 1) for entry in about.get_all("Project-URL", []))
    return ThirdParty(
        str(about["Name"]),
        str(about["Version"]),
        str(about["License-Expression"]),
        pages.get("homepage", "https://numpy.org/"),
        "\n\n".join(texts),
    )
