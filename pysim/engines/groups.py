"""Who shares an efficiency with whom: what is the same about two runs?"""

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
}


PLAIN: Final = "16-bit"
# Classes whose weights are unpacked to 16 bits before they are multiplied.
PACKED: Final = frozenset({"k-quant", "packed", "packed 8-bit", "codebook"})


def group_names(facts: Mapping[str, str]) -> dict[str, str]:
    """The group of each level that a run with these facts belongs to; a level with a fact that is "" has none."""
    return {
        level: "/".join(facts[each] for each in parts)
        for level, parts in LEVELS.items()
        if all(facts[each] for each in parts)
    }


def format_class(how: WeightFormat) -> str:
    """Formats that the same kind of kernel multiplies."""
    if how.multiplies_in != "fp16":
        return how.multiplies_in
    if not how.packed:
        return PLAIN
    name = how.name.lower()
    if name.startswith("iq") and name != "iq4_nl":
        return "codebook"
    if name == "mxfp4":
        return name
    if "_k" in name:
        return "k-quant"
    return "packed 8-bit" if how.bits_per_weight >= 8 else "packed"
