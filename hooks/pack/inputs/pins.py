"""Pins: the outside files that go into the Python pack, each with the only hash that is accepted."""

from dataclasses import dataclass

PYODIDE_VERSION = "314.0.4"
NUMPY_VERSION = "2.4.3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """A file by name, with the only content that is accepted under that name."""

    name: str
    sha256: str
    size_bytes: int


# The npm package `pyodide`; its own lock names the numpy wheel and its sha256.
START = Pin(
    name="pyodide.js",
    sha256="0b67ae576fd39ce3ef96f46706e67ce184842bb4415515514a7ee6664c7491ea",
    size_bytes=18_912,
)
START_IN_NODE = Pin(
    name="pyodide.mjs",
    sha256="c75dd73bb0c70674135f9f4ab746c9b5316e9fe027cafacb2be445e658f04c92",
    size_bytes=17_931,
)
MODULE = Pin(
    name="pyodide.asm.mjs",
    sha256="fd7a3cefa122ff6463dcf2997961eb341250e4cc4ed60281448390f0a767cca2",
    size_bytes=1_249_500,
)
ENGINE = Pin(
    name="pyodide.asm.wasm",
    sha256="6c8986a8ee583401069aa403e76ee79d4633a1478ab11cea76030bc299aded9f",
    size_bytes=9_596_386,
)
STDLIB = Pin(
    name="python_stdlib.zip",
    sha256="b5ca2308e9fa72eda319889a1ddf086389e9f1234ced279cc71267fe9ba56e54",
    size_bytes=2_545_198,
)
LOCK = Pin(
    name="pyodide-lock.json",
    sha256="c963d22858f6bcb8f41586a2142f03905ab370c88ea22a86a2736e95fac2a8f3",
    size_bytes=113_804,
)
PYODIDE_FILES = (START, START_IN_NODE, MODULE, ENGINE, STDLIB, LOCK)

NUMPY_WHEEL = Pin(
    name=f"numpy-{NUMPY_VERSION}-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    sha256="0cad9c1b91f0082e4f959bc0e0bf5835a2efbba6ab3b1e9d1fe6e7e564cca98e",
    size_bytes=2_916_023,
)
NUMPY_ADDRESS = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE_VERSION}/full/{NUMPY_WHEEL.name}"

# A Python distribution that happens to carry the identical wheel.
OUTER_REQUIREMENT = "open-webui==0.12.4"
OUTER_PYTHON = "3.12"
OUTER_WHEEL = Pin(
    name="open_webui-0.12.4-py3-none-any.whl",
    sha256="02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6",
    size_bytes=106_366_595,
)
OUTER_MEMBER = f"open_webui/frontend/pyodide/{NUMPY_WHEEL.name}"
