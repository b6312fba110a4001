"""Spread: how far do measured times lie from predicted ones, and what makes that more or less?

A run scatters about its prediction as runs did whose source the fit did not know. It scatters more the further it
lies from what was measured of its engine on its family: a context beyond the longest, a larger batch, a model of
another size, a device, backend or format that nobody measured. fit/constants.json says by how much.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from pysim.arrays.numeric import choose, greater, lesser
from pysim.engines.constants import constants
from pysim.engines.names import TYPICAL

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric

Basis = Literal["measured", "related", "scarce"]
Phase = Literal["prefill", "decode"]

# Factors between p50 and p90 from which a number alone would say more than is known.
SCARCE: Final = 2.0
# Distances that are told apart; those with a size widen by a power of it, the others by a factor.
SIZED: Final = ("depth", "batch", "larger", "smaller")
FLAGS: Final = ("engine", "device", "backend", "format", "kind", "mixing", "batched")


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseSpread:
    """The spread of one phase: the logarithms of measured by predicted time that a tenth is below, and above.

    `deepest_tokens` and `largest_batch`: how far the measurements of its like reach; beyond, the logarithms grow by
    the powers `by_depth` and `by_batch` of the excess, and at several sequences by the factor `batched`.
    `bounds`: how far runs of one sequence, and of several, lie off at most where the machine itself was measured.
    """

    low: float
    high: float
    deepest_tokens: float
    largest_batch: float
    by_depth: float
    by_batch: float
    batched: float
    bounds: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)

    def at(self, context_tokens: Numeric, batch: Numeric) -> tuple[Numeric, Numeric]:
        """The two logarithms at the end of a context of so many tokens, in a batch."""
        further = greater(context_tokens / self.deepest_tokens, 1.0) ** self.by_depth
        further = further * greater(batch / self.largest_batch, 1.0) ** self.by_batch
        wider = further * choose(batch > 1, self.batched, 1.0)
        ends = []
        for end, sign in enumerate((-1.0, 1.0)):
            usual = (self.low, self.high)[end] * wider
            one, several = (sign * math.inf if own is None else own[end] for own in self.bounds)
            bound = choose(batch > 1, several, one) * further
            ends.append(greater(usual, bound) if sign < 0 else lesser(usual, bound))
        return ends[0], ends[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How far runs scatter, and why: `reasons` are phrases that say what was not measured."""

    prefill: PhaseSpread
    decode: PhaseSpread
    where: str
    reasons: tuple[str, ...]

    def reasons_at(self, context_tokens: float, batch: float) -> tuple[str, ...]:
        """The reasons at a context's end and in a batch."""
        more = []
        deepest = self.decode.deepest_tokens
        if context_tokens > deepest:
            more.append(f"no measurement beyond {deepest:,.0f} tokens {self.where}")
        if batch > max(1.0, self.decode.largest_batch):
            more.append(f"no measurement of more than {self.decode.largest_batch:,.0f} at once {self.where}")
        return (*self.reasons, *more)

    def basis_at(self, context_tokens: float, batch: float) -> Basis:
        """What the prediction rests on: its like was measured, what is related to it, or too little of either."""
        ends = (spread.at(context_tokens, batch) for spread in (self.prefill, self.decode))
        if any(max(-low, high) > math.log(SCARCE) for low, high in ends):
            return "scarce"
        return "related" if self.reasons_at(context_tokens, batch) else "measured"


def spread(facts: Mapping[str, str], parameters: float) -> Spread:
    """How far runs with these facts scatter, of a model with so many parameters."""
    table: Mapping[str, Any] = constants()["spread"]  # type: ignore[assignment]
    cell = f"{facts['engine']}/{facts['family']}"
    phases = {phase: _phase(table[phase], cell, facts, parameters) for phase in ("prefill", "decode")}
    return Spread(
        prefill=phases["prefill"],
        decode=phases["decode"],
        where=f"under {facts['engine']} on {_family(facts)}" if facts["engine"] != TYPICAL else f"on {_family(facts)}",
        reasons=_reasons(table["decode"], cell, facts, parameters),
    )


def distances(reach: Mapping[str, Any] | None, facts: Mapping[str, str], parameters: float) -> dict[str, float]:
    """How far a run lies from what was measured in its cell: 0 or 1 for a flag, a factor of at least 1 for a size."""
    if reach is None:
        return {"engine": 1.0}
    return {
        "device": float(facts["device"] not in reach["devices"]),
        "backend": float(facts["backend"] not in reach["backends"]),
        "format": float(facts["class"] not in reach["formats"]),
        "kind": float(facts["kind"] not in reach["kinds"]),
        "mixing": float(facts["mixing"] not in reach["mixings"]),
        "larger": max(1.0, parameters / reach["parameters"][1]),
        "smaller": max(1.0, reach["parameters"][0] / parameters),
    }


def _phase(of_phase: Mapping[str, Any], cell: str, facts: Mapping[str, str], parameters: float) -> PhaseSpread:
    reach = of_phase["reach"].get(cell)
    by = of_phase["by"]
    scale = of_phase["scale"] * of_phase["cells"].get(cell, 1.0)
    for name, distance in distances(reach, facts, parameters).items():
        scale *= distance ** by[name] if name in SIZED else by[name] ** distance
    low, high = of_phase["quantiles"]
    return PhaseSpread(
        low=low * scale,
        high=high * scale,
        deepest_tokens=reach["deepest"] if reach else of_phase["deepest"],
        largest_batch=reach["batch"] if reach else of_phase["batch"],
        by_depth=by["depth"],
        by_batch=by["batch"],
        batched=by["batched"],
    )


def _reasons(of_phase: Mapping[str, Any], cell: str, facts: Mapping[str, str], parameters: float) -> tuple[str, ...]:
    far = distances(of_phase["reach"].get(cell), facts, parameters)
    where = "there" if facts["engine"] == TYPICAL else f"under {facts['engine']} there"
    under = "" if facts["engine"] == TYPICAL else f"under {facts['engine']} "
    words = {
        "engine": f"no measurement {under}on {_family(facts)}",
        "device": "no measurement on this device",
        "backend": f"no measurement of the backend {facts['backend'] or 'usual there'} {where}",
        "format": f"no measurement of this kind of weights ({facts['class']}) {where}",
        "kind": f"no measurement of {'mixtures of experts' if facts['kind'] == 'experts' else 'dense models'} {where}",
        "mixing": f"no measurement of a model with {_LAYERS[facts['mixing']]} {where}",
        "larger": f"no measurement of a model as large {where}",
        "smaller": f"no measurement of a model as small {where}",
    }
    return tuple(words[name] for name, value in far.items() if value > (ALIKE if name in SIZED else 0.0))


_LAYERS: Final = {"": "attention alone", "latent": "latent attention", "recurrent": "layers that keep a state"}
# Models whose sizes differ by less count as measured.
ALIKE: Final = 1.5


def _family(facts: Mapping[str, str]) -> str:
    return f"the family {facts['family']}"
