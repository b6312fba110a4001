"""Groups of runs that share an efficiency: the facts that two runs have in common, and the classes of formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pysim.formats.names import WeightFormat

# Level → the facts that runs of one group have in common.
LEVELS: Final[Mapping[str, tuple[str, ...]]] = {
    "family": ("family",),
    "engine": ("engine",),
    "cell": ("engine", "family"),
    "backend": ("engine", "family", "backend"),
    "device": ("device",),
    "class": ("class",),
    "packing": ("packing",),
    "cell class": ("engine", "family", "class"),
    "backend class": ("engine", "family", "backend", "class"),
    "kind": ("kind",),
    "cell kind": ("engine", "family", "kind"),
    "backend kind": ("engine", "family", "backend", "kind"),
    "mixing": ("mixing",),
    "cell mixing": ("engine", "family", "mixing"),
    "link": ("link",),
    # Attention whose scores go through memory, and builds of earlier years; a new build with one kernel adds nothing.
    "unfused": ("unfused",),
    "cell unfused": ("engine", "family", "unfused"),
    "year": ("engine", "year"),
    "cell year": ("engine", "family", "year"),
}


# Formats below hold their weights in pieces of more than one size, or as numbers of a table's rows.
LOW_BITS: Final = 4.0
PLAIN: Final = "16-bit"
# Classes whose weights are unpacked to 16 bits before they are multiplied.
PACKED: Final = frozenset({"k-quant", "low k-quant", "packed", "packed 8-bit", "codebook"})


def group_names(facts: Mapping[str, str]) -> dict[str, str]:
    """The group of each level that a run with these facts belongs to; a level with a fact that is "" has none."""
    return {
        level: "/".join(facts[fact] for fact in parts)
        for level, parts in LEVELS.items()
        if all(facts[fact] for fact in parts)
    }


def format_class(stored: WeightFormat) -> str:
    """The class of a format: formats of one class are multiplied by the same kind of kernel."""
    if stored.multiplies_in != "fp16":
        return stored.multiplies_in
    if not stored.packed:
        return PLAIN
    name = stored.name.lower()
    if name.startswith("iq") and stored.bits_per_weight < LOW_BITS:
        return "codebook"
    if name == "mxfp4":
        return name
    if "_k" in name or name.startswith("iq"):
        return "low k-quant" if stored.bits_per_weight < LOW_BITS else "k-quant"
    return "packed 8-bit" if stored.bits_per_weight >= 8 else "packed"
