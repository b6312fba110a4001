"""Fields of a device's catalog file: which ones each table may have, with the units of their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from pysim.catalog.fields import SOURCE, Field, check_fields, meant
from pysim.catalog.labels import labels
from pysim.errors import BadCatalogue, UnknownName, quoted
from pysim.hardware.device import PRECISIONS

HEAD: Final = {
    "name": Field(required=True),
    "family": Field(required=True),
    "kind": Field(required=True, allowed=("gpu", "apu", "soc", "tpu", "cpu")),
    "confidence": Field(allowed=("high", "medium", "low")),
    "also": Field(kind="texts"),
    "heard": Field(kind="texts"),
}
_NOTED: Final = {**SOURCE, "note": Field()}
_PEAK: Final = {
    **_NOTED,
    "kind": Field(required=True),
    **{precision: Field(kind="quantity", unit="FLOP/s") for precision in PRECISIONS},
}
_LINK: Final = {**_NOTED, "one_way": Field(kind="quantity", unit="B/s", required=True)}
TABLES: Final[Mapping[str, Mapping[str, Field]]] = {
    "peak": _PEAK,
    "stand_in_peak": _PEAK,
    "memory": {
        **_NOTED,
        "bandwidth": Field(kind="quantity", unit="B/s", required=True),
        "size": Field(kind="quantity", unit="B"),
        "sizes": Field(kind="texts"),
        "rule": Field(),
    },
    "usable_memory": {
        **_NOTED,
        "usable": Field(kind="quantity", unit="B", required=True),
        "system": Field(required=True),
    },
    "measured": {
        **_NOTED,
        "fp32_gemm_flop_per_s": Field(kind="quantity", unit="FLOP/s"),
        "memory_read_bytes_per_s": Field(kind="quantity", unit="B/s"),
    },
    "pcie": _LINK,
    "nvlink": _LINK,
    "nvlink_c2c": _LINK,
    "ici": _LINK,
}
_BF16: Final = frozenset({"bf16", "bfloat16"})


def check_device_entry(key: str, table: Mapping[str, object]) -> None:
    """Refuse a device's file with a field that is unknown, missing or of the wrong kind or unit.

    Raises BadCatalogue, one line with the file, the field and what is allowed.
    """
    where = f"devices/{key}.toml"
    check_fields({name: value for name, value in table.items() if not isinstance(value, dict)}, HEAD, where)
    for name, section in table.items():
        if not isinstance(section, dict):
            continue
        if name not in TABLES:
            raise BadCatalogue(str(UnknownName("table", name, TABLES, where)))
        for other in _BF16.intersection(section):
            rule = "a BF16 peak belongs under fp16, which covers both 16-bit formats"
            raise BadCatalogue(f'{where} [{name}]: unknown field "{other}"; {rule}')
        check_fields(cast("Mapping[str, object]", section), TABLES[name], f"{where} [{name}]")


def check_family(key: str, table: Mapping[str, object]) -> None:
    """Refuse a device whose family no other device has, unless its file says by `heard` that it is the first of it.

    Raises BadCatalogue with the nearest family.
    """
    families = sorted({label.family for label in labels("devices") if label.key != key})
    family = table["family"]
    if family not in families and "heard" not in table:
        near = meant(family, families) or f"; there are {', '.join(families)}."
        new = 'the first device of a new family lists the words people use for it, heard = ["…"]'
        raise BadCatalogue(f"devices/{key}.toml: no other device has the family {quoted(family)}{near} {new}")
