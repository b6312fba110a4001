"""In which formats were weights and cache stored, and what ran the model?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Recognised
from pysim.engines.constants import constants
from pysim.engines.load import find_engine
from pysim.engines.names import TYPICAL, engine_name
from pysim.errors import BadValue
from pysim.formats.names import kv_format, weight_format
from pysim.memory.weights import weights_bytes
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.read.run import Setup
    from pysim.engines.engine import Engine, StoredWeights
    from pysim.models.model import Model

# As names of files and repositories have them, and llama.cpp's labels; repacked files (_R4, _R8) are as large.
_IN_NAME: Final = re.compile(
    r"(?<![a-z0-9])(?:(?:ud-)?i?q\d_k_xl|i?q[1-8]_(?:k_[sml]|k|xxs|xs|nl|[sm0-9])(?:_[48]_[48])?|tq[12]_0|q[48]f16_1"
    r"|mxfp4|nvfp4|bf16|fp16|f16|fp32|f32|fp8|(?:awq|gptq)(?:-int[48]|-[48]-?bit)?|nf4|w[48]a(?:16|8)|exl[23]-\d\.\d{1,2}"
    r"|int[48]|[2-8]-?bit)(?![a-z0-9])"
)
_LABEL: Final = re.compile(r"\b(q[2-6]_k) - (small|medium|large)\b")
_REPACKED: Final = re.compile(r"_r[48](?![a-z0-9])")
_SIZES: Final = {"small": "s", "medium": "m", "large": "l"}
# Told apart by size where nothing is said, widest first: the files that most engines of a computer at home read.
_BY_SIZE: Final = ("F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q4_0", "Q3_K_M", "Q2_K", "IQ2_XXS", "F32")
_CLOSE: Final = 0.04
_ROUGHLY: Final = re.compile(r"(?<![a-z0-9])(q[34568])(?![a-z0-9_])")
_TRAINED: Final = re.compile(r"(?<![a-z0-9])qat(?![a-z0-9])")
_OF_BITS: Final = {
    "q3": ("q3_k_m", "q3_k_s"), "q4": ("q4_k_m", "q4_0"), "q5": ("q5_k_m", "q5_0"), "q6": ("q6_k",), "q8": ("q8_0",),
}  # fmt: skip


def weights_of(
    setup: Setup, engine: str | None, model: Model | None, *, program: Engine | None = None
) -> Recognised | None:
    """The format of the weights, by its name or by the size of the file; None where nothing tells.

    `program`: the one that printed the text; one with a library of models chooses the formats that it stores them in.
    """
    texts = [text for text in (setup.weights, setup.model, setup.model_file) if text and " or " not in text]
    text = next((text for text in texts if _named(text, engine) is not None), "")
    named = _named(text, engine) if text else None
    stated = setup.weights_bytes
    if stated is None and model is not None and model.quantization == "mxfp4" and named in ("f16", "bf16"):
        named = model.quantization  # a file "F16" of such a model keeps its experts as they were published
    if named is not None:
        return _by_words(named, text, model, stated, engine)
    if model is None:
        return None
    if stated is not None:
        return _by_size(model, stated, engine)
    return _published(model, engine) or _roughly(texts, engine) or _usual(setup, engine, program)


def _by_words(
    named: str, text: str, model: Model | None, stated: float | None, engine: str | None
) -> Recognised | None:
    """The format that a text names, or the one of its size where that contradicts the name."""
    if model is None or stated is None or abs(_ratio(model, named, stated, engine) - 1) <= 2 * _CLOSE:
        basis = f'the words "{" ".join(text.split())[:80]}"'
        return Recognised(words=named, key=named, name=weight_format(named).name, how=basis)
    near = _nearest(model, stated, engine)
    if near is None:
        return None
    size = show(stated, "B", digits=3)
    basis = f"taken for {weight_format(near).name}, whose size is closest to the {size} in the text"
    return Recognised(words=named, key=near, name=named.upper(), how=basis)


def _by_size(model: Model, stated: float, engine: str | None) -> Recognised | None:
    near = _nearest(model, stated, engine)
    if near is None:
        return None
    basis = f"the size of {show(stated, 'B', digits=3)}"
    return Recognised(words="", key=near, name=weight_format(near).name, how=basis)


def _published(model: Model, engine: str | None) -> Recognised | None:
    """The format of a model that its publisher stores in a format for it alone."""
    stored = model.quantization
    # A library has files of its own makers: of FP8 checkpoints too, which its engine cannot run.
    if stored is None or not (_checkpoints(engine) or "mxfp4" in stored):
        return None
    basis = "from its config; the text names no other format"
    return Recognised(words="", key=stored, name=weight_format(stored).name, how=basis)


def _roughly(texts: list[str], engine: str | None) -> Recognised | None:
    """The formats that a short name such as "Q4" may mean, where files have such names."""
    if any(_TRAINED.search(text.lower()) for text in texts) and not _checkpoints(engine) and _bits_name(engine) is None:
        basis = "QAT: trained for Q4_0, in which such files are stored"
        return Recognised(words="qat", key="q4_0", name=weight_format("q4_0").name, how=basis)
    roughly = next((match[1] for text in texts if (match := _ROUGHLY.search(text.lower()))), None)
    if roughly is None or _checkpoints(engine) or _bits_name(engine) is not None:
        return None
    fitting = _OF_BITS[roughly]
    if len(fitting) == 1:
        basis = f'the words "{roughly.upper()}"'
        return Recognised(words=roughly, key=fitting[0], name=weight_format(fitting[0]).name, how=basis)
    basis = f'"{roughly.upper()}" is several formats'
    return Recognised(words=roughly, key=None, name=roughly.upper(), how=basis, candidates=fitting)


def _usual(setup: Setup, engine: str | None, program: Engine | None) -> Recognised | None:
    """The formats of a program's library, or those in which publishers store models without another one."""
    if program is not None and program.registry is not None:
        usual = program.registry.usual_formats
        basis = f"{program.name}'s usual formats; the text names none"
        keys = tuple(stored.lower() for stored in usual)
        return Recognised(words="", key=None, name=" or ".join(usual), how=basis, candidates=keys)
    if _checkpoints(engine) and setup.model:
        basis = "16 bits, as its publisher stores it; the text names no other format"
        return Recognised(words="", key="bf16", name="BF16", how=basis)
    return None


def _named(text: str, engine: str | None) -> str | None:
    """The format that a text names, as pysim knows it."""
    lower = _REPACKED.sub("", text.lower())
    label = _LABEL.search(lower)
    name = f"{label[1]}_{_SIZES[label[2]]}" if label else None
    if name is None:
        matches = _IN_NAME.findall(lower)
        name = matches[-1] if matches else None
    if name is None:
        return None
    bits_name = _bits_name(engine)
    if bits_name is not None and (bits := re.match(r"([2-8])-?bit|int([48])", name)):
        name = bits_name.format(bits=bits[1] or bits[2])
    try:
        weight_format(name)
    except BadValue:
        return None
    return name


def _weights_of_engine(engine: str | None) -> StoredWeights | None:
    known = find_engine(engine)
    return None if known is None else known.weights


def _checkpoints(engine: str | None) -> bool:
    """Does an engine load a model as its publisher stores it?"""
    weights = _weights_of_engine(engine)
    return weights is not None and weights.stored_as == "checkpoint"


def _bits_name(engine: str | None) -> str | None:
    """What a number of bits alone means there, such as "MLX q{bits}"; None where it means no format."""
    weights = _weights_of_engine(engine)
    return None if weights is None else weights.bits_name


def _nearest(model: Model, stated: float, engine: str | None) -> str | None:
    """The usual format whose weights are as large as stated, or None where none is near."""
    weights = _weights_of_engine(engine)
    usual = _BY_SIZE if weights is None else weights.by_size or _BY_SIZE
    best = min(usual, key=lambda name: abs(_ratio(model, name, stated, engine) - 1))
    return best if abs(_ratio(model, best, stated, engine) - 1) <= 4 * _CLOSE else None


def _ratio(model: Model, weights: str, stated: float, engine: str | None) -> float:
    return weights_bytes(model, weights, engine=engine) / stated


def kv_of(setup: Setup) -> Recognised:
    """The format of the cache: as the text says, or 16 bits, which all engines take unless told otherwise."""
    formats = []
    for words_of_part in (setup.kv_keys, setup.kv_values):
        try:
            formats.append(kv_format(words_of_part or "f16"))
        except BadValue:
            if words_of_part != "auto":
                return Recognised(
                    words=words_of_part or "",
                    key=None,
                    name=words_of_part or "",
                    how="not a cache format that pysim knows",
                )
            formats.append(kv_format("f16"))
    wider = max(formats, key=lambda stored: stored.bits_per_element)
    words = " and ".join(dict.fromkeys(name for name in (setup.kv_keys, setup.kv_values) if name))
    # Readers put a tool's own default where its form leaves it out, so f16 may not stand in the text.
    basis = f'the words "{words}"' if words not in ("", "f16") else "16 bits, the default of engines"
    if len({stored.bits_per_element for stored in formats}) > 1:
        basis = f"keys and values differ; computed as {wider.name}"
    return Recognised(words=words, key=wider.name.lower(), name=wider.name, how=basis)


def engine_of(words: str | None, tool: str) -> Recognised:
    """The engine, or "typical" where the tool runs several or pysim has no measurements of it."""
    if words is None:
        basis = f"{tool} doesn't say what ran the model; all engines on such devices combined"
        return Recognised(words="", key=TYPICAL, name="typical engine", how=basis)
    name = engine_name(words)
    measured = constants()["engines"]
    if isinstance(measured, list) and name in measured:
        return Recognised(words=words, key=name, name=words, how=f"the format of the output: {tool}")
    basis = f"no measurements of {words} are known; all engines on such devices combined"
    return Recognised(words=words, key=TYPICAL, name=words, how=basis)
