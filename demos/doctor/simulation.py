"""The diagnosis behind the doctor's page: the pasted text read and judged, with what the reader chose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from demos.doctor.controls import RECOGNISED
from demos.kit.declare.catalogue_lists import PASTED
from demos.kit.declare.config_box import pasted_model
from demos.kit.declare.controls import Value
from demos.kit.number import count
from pysim.doctor.case import Case, Diagnosis
from pysim.doctor.diagnose import judge
from pysim.doctor.find import read
from pysim.doctor.judge.setups import choices
from pysim.doctor.read.run import Reading

Figures = tuple[str, str | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The diagnosis, and which of its cases is shown in detail (from 1; 0 without any)."""

    diagnosis: Diagnosis
    number: int
    empty: bool
    note: str

    @property
    def case(self) -> Case | None:
        """The case shown in detail, None without any."""
        return self.diagnosis.cases[self.number - 1] if self.number else None


def scene(**values: Value) -> Scene:
    """Read the text and judge what it measured; what the reader chose counts before what the text says."""
    text, config = str(values["text"]), str(values["config"])
    own = values["model"] == PASTED and config.strip()
    figures = own_figures(float(values["bandwidth"]), float(values["flops"]), float(values["memory"]))
    given = {name: _chosen(values[name]) for name in ("device", "weights", "kv", "engine")}
    diagnosis = _judged(
        text,
        None if values["model"] == PASTED else _chosen(values["model"]),
        config if own else None,
        None if figures else given["device"],
        given["weights"],
        given["kv"],
        given["engine"],
        _chosen(values["devices"]),
        figures,
    )
    asked = int(values["case"])
    number = min(asked, len(diagnosis.cases))
    note = f"There is no run {count(asked)}, so this is the last one." if number and asked > number else ""
    return Scene(diagnosis=diagnosis, number=number, empty=not text.strip(), note=note)


def own_figures(bandwidth: float, flops: float, memory: float) -> Figures | None:
    """Return the figures of a device by itself as `choices` takes them; without a bandwidth none."""
    if not bandwidth:
        return None
    return f"{bandwidth:g} GB/s", f"{flops:g} TFLOPS" if flops else None, f"{memory:g} GiB" if memory else None


def _chosen(value: Value) -> str | None:
    return None if value == RECOGNISED else str(value)


# A text of a megabyte is read once, however often a list is changed.
@lru_cache(maxsize=2)
def read_text(text: str) -> Reading:
    """Read a pasted text; the last two are kept."""
    return read(text)


@lru_cache(maxsize=4)
def _judged(
    text: str,
    model: str | None,
    config: str | None,
    device: str | None,
    weights: str | None,
    kv: str | None,
    engine: str | None,
    devices: str | None,
    figures: Figures | None,
) -> Diagnosis:
    if config is not None:
        pasted_model(config)
    bandwidth, flops, memory = figures or (None, None, None)
    chosen = choices(
        model=model,
        config=config,
        device=device,
        weights=weights,
        kv=kv,
        engine=engine,
        n_devices=None if devices is None else int(devices),
        bandwidth=bandwidth,
        flops=flops,
        memory=memory,
    )
    return judge(read_text(text), chosen, text)
