"""The exceptions of a quantized checkpoint: which parts of it are stored in other bits than the rest?

Lists of exceptions name modules, as patterns or one by one; only what a model's large matrices are called is looked
for, and no pattern of a config is ever run as a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Final

UNQUANTIZED: Final = 16.0
_FP4: Final = 4.25
# Bits that a group of weights has beside them; MLX keeps a bias too.
_SCALE, _SCALE_AND_BIAS = 16.0, 32.0
# Lists may be of any length; beyond this many patterns for all layers there is nothing new to say.
_MOST_PATTERNS: Final = 200_000
_MOST_FOR_ALL: Final = 100
_MOST_ALTERNATIVES: Final = 64
_LONGEST: Final = 200
# Where quantizers write what they left alone.
_LISTS: Final = (
    "ignore", "ignored_layers", "modules_to_not_convert", "exclude_modules", "exclude", "llm_int8_skip_modules",
    "skip_modules", "modules_to_not_quantize",
)  # fmt: skip
_OF_ATTENTION: Final = {
    "query": ("self_attn.q_proj", "self_attn.qkv_proj", "self_attn.q_a_proj", "self_attn.kv_a_proj_with_mqa"),
    "key": ("self_attn.k_proj", "self_attn.qkv_proj"),
    "value": ("self_attn.v_proj", "self_attn.qkv_proj"),
    "output": ("self_attn.o_proj",),
}
_OF_STATES: Final = {
    "query": ("linear_attn.in_proj_qkv", "linear_attn.in_proj_qkvz", "mixer.in_proj", "mamba.in_proj", "conv.in_proj"),
    "output": ("linear_attn.out_proj", "mixer.out_proj", "mamba.out_proj", "conv.out_proj"),
}
_OF_FFN: Final = {
    "dense_up": ("mlp.gate_proj", "mlp.up_proj", "mlp.gate_up_proj", "feed_forward.w1", "mixer.up_proj"),
    "dense_down": ("mlp.down_proj", "feed_forward.w2", "mixer.down_proj"),
    "shared_up": ("mlp.shared_expert.gate_proj", "mlp.shared_experts.gate_proj", "mixer.shared_experts.up_proj"),
    "shared_down": ("mlp.shared_expert.down_proj", "mlp.shared_experts.down_proj", "mixer.shared_experts.down_proj"),
    "experts_up": ("mlp.experts.N.gate_proj", "block_sparse_moe.experts.N.w1", "mixer.experts.N.up_proj"),
    "experts_down": ("mlp.experts.N.down_proj", "block_sparse_moe.experts.N.w2", "mixer.experts.N.down_proj"),
}
_TABLES: Final = {"head": ("lm_head",), "embedding": ("embed_tokens",)}
# What follows "layers." where a pattern names one layer, or all of them.
_NUMBERED: Final = re.compile(r"(\d{1,6})(?:\.|$)")
_ONE_EXPERT: Final = re.compile(r"experts\.\d")
_GROUP: Final = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherWidth:
    """One kind of matrix that some layers store in other `bits` per weight; without layers it is a table.

    `part`: "query", "key", "value", "output" of a mixer, "dense_up" and "dense_down" of a feed-forward layer, the same
    with "shared" and "experts", or "head" and "embedding".
    """

    part: str
    bits: float
    layers: tuple[int, ...] = ()


def read_exceptions(section: object, layer_types: Sequence[str]) -> tuple[OtherWidth, ...]:
    """What a quantization section says of single parts; nothing where it names none that is known."""
    if not isinstance(section, Mapping):
        return ()
    kept: dict[tuple[str, float], set[int]] = {}
    if section.get("expert_dtype") == "fp4":  # DeepSeek V4: a scale of 8 bits for 32 weights
        kept |= {(part, _FP4): set(range(len(layer_types))) for part in ("experts_down", "experts_up")}
    states = frozenset(i for i, kind in enumerate(layer_types) if kind in ("linear_attention", "none"))
    for_all = 0
    for pattern, bits in islice(_patterns(section), _MOST_PATTERNS):
        if _ONE_EXPERT.search(pattern):  # one of hundreds
            continue
        layer, rest = _place(pattern)
        if layer is None:
            for_all += 1
            if for_all > _MOST_FOR_ALL:
                continue
        for part in _tables(rest) if layer is None else ():
            kept.setdefault((part, bits), set())
        numbers = range(len(layer_types)) if layer is None else (layer,) if layer < len(layer_types) else ()
        of_states, of_attention = _parts(rest, states=True), _parts(rest, states=False)
        for number in numbers if of_states or of_attention else ():
            for part in of_states if number in states else of_attention:
                kept.setdefault((part, bits), set()).add(number)
    return tuple(
        OtherWidth(part=part, bits=bits, layers=tuple(sorted(layers))) for (part, bits), layers in sorted(kept.items())
    )


def _patterns(section: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    """Each name or pattern of a module with the bits that it has."""
    for name in _LISTS:
        listed = section.get(name)
        for text in listed if isinstance(listed, list) else ():
            if isinstance(text, str):
                yield from ((glob, UNQUANTIZED) for glob in _globs(text))
    for name in ("extra_config", "dynamic"):  # auto-round, GPTQModel
        table = section.get(name)
        yield from _by_name(table) if isinstance(table, Mapping) else ()
    yield from _by_group(section.get("config_groups"))
    if "quant_method" not in section:  # MLX: names of modules beside the settings
        own = {key: value for key, value in section.items() if "." in key or key == "lm_head"}
        yield from _by_name(own, group_bits=_SCALE_AND_BIAS)


def _by_name(table: Mapping[str, object], group_bits: float = _SCALE) -> Iterator[tuple[str, float]]:
    for name, value in table.items():
        if not isinstance(name, str) or (name[:2] == "+:" and not isinstance(value, Mapping)):
            continue
        bits = UNQUANTIZED if value is False or name[:2] == "-:" else _bits(value, group_bits)
        if bits is not None:
            yield from ((glob, bits) for glob in _globs(f"re:{name[2:]}" if name[:2] in ("+:", "-:") else name))


def _by_group(groups: object) -> Iterator[tuple[str, float]]:
    """The groups of compressed-tensors besides the one of all linear layers."""
    for group in islice(groups.values(), 1, _MOST_FOR_ALL) if isinstance(groups, Mapping) else ():
        targets = group.get("targets") if isinstance(group, Mapping) else None
        bits = _bits(group.get("weights")) if isinstance(group, Mapping) else None
        for text in targets if isinstance(targets, list) and bits is not None else ():
            if isinstance(text, str) and bits is not None:
                yield from ((glob, bits) for glob in _globs(text))


def _bits(value: object, group_bits: float = _SCALE) -> float | None:
    """Bits per weight of a module's own settings, with those of each group."""
    if not isinstance(value, Mapping):
        return None
    bits, group = value.get("bits", value.get("num_bits")), value.get("group_size")
    if isinstance(bits, bool) or not isinstance(bits, int) or not 1 <= bits <= 16:
        return None
    if bits == UNQUANTIZED or isinstance(group, bool) or not isinstance(group, int) or not 1 <= group <= 1_024:
        return float(bits)
    return bits + group_bits / group


@lru_cache(maxsize=4096)
def _globs(text: str) -> tuple[str, ...]:
    """A name or pattern with * alone; a regular expression of another kind says nothing."""
    if len(text) > _LONGEST:
        return ()
    if not text.startswith("re:"):
        return (text,)
    ended = text.endswith("$")
    plain = text[3:].strip("^$")
    # "model.layers.0.*" means what is in layer 0, not layers whose number begins so.
    plain = re.sub(r"(?<=\d)\.\*", ".\1", plain)
    for written, meant in (
        (r"\.", "."),
        (".*", "*"),
        (".+", "*"),
        (r"\d+", "*"),
        ("[0-9]+", "*"),
        (r"\w+", "*"),
        ("\1", "*"),
    ):
        plain = plain.replace(written, meant)
    plain = plain.replace("(?:", "(")
    groups = _GROUP.findall(plain)
    if len(groups) > 3:
        return ()
    frame = _GROUP.sub("\0", plain)
    if re.search(r"[\\()\[\]{}+?|^$]", frame):
        return ()
    pieces = frame.split("\0")
    choices = islice(product(*(group.split("|") for group in groups)), _MOST_ALTERNATIVES)
    made = (pieces[0] + "".join(map("".join, zip(choice, pieces[1:], strict=True))) for choice in choices)
    return tuple(each if ended else f"{each}*" for each in made)


def _place(pattern: str) -> tuple[int | None, str]:
    """The layer that a pattern names, None for all, and what of the layer it names."""
    before, found, rest = pattern.rpartition("layers.")
    if not found or before[-1:] not in ("", ".", "*"):
        return None, pattern
    if number := _NUMBERED.match(rest):
        return int(number[1]), rest[number.end() :] or "*"
    return None, (rest[1:].removeprefix(".") or "*") if rest.startswith("*") else pattern


@lru_cache(maxsize=4096)
def _parts(rest: str, *, states: bool) -> tuple[str, ...]:
    names = {**(_OF_STATES if states else _OF_ATTENTION), **_OF_FFN}
    return tuple(part for part, modules in names.items() if any(_named(rest, module) for module in modules))


def _tables(pattern: str) -> tuple[str, ...]:
    last = pattern if "*" in pattern else pattern.rpartition(".")[2]
    return tuple(part for part, modules in _TABLES.items() if any(_named(last, module) for module in modules))


def _named(pattern: str, module: str) -> bool:
    """Does a pattern name a module, or one that it is in?"""
    if "*" not in pattern:
        asked, has = pattern.split("."), module.split(".")
        return any(has[at : at + len(asked)] == asked for at in range(len(has)))
    whole = f"layers.0.{module}"
    return any(_matches(pattern, name) or _matches(f"{pattern}.*", name) for name in (module, whole))


def _matches(pattern: str, name: str) -> bool:
    """Whether a text fits a pattern with stars; each piece is looked for once, from the left."""
    first, *pieces = pattern.split("*")
    if not name.startswith(first):
        return False
    at = len(first)
    for number, piece in enumerate(pieces):
        if number == len(pieces) - 1:
            return name.endswith(piece) and len(name) - len(piece) >= at
        found = name.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return at == len(name)
