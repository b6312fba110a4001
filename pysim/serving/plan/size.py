"""Size: the fewest devices for a rate within limits, how to split the model over them, and what breaks first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean
from typing import Final

from pysim.errors import BadValue
from pysim.serving.load.traffic import Traffic
from pysim.serving.plan.limits import Limits
from pysim.serving.plan.probe import Probe
from pysim.serving.plan.search import ALONE, TEST_S, Highest, Told, highest_rate
from pysim.serving.plan.server import Server

SPLITS: Final = (1, 2, 4, 8, 16)
MOST_REPLICAS: Final = 100_000
SECONDS_PER_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A way to serve the rate: replicas of `per_replica` devices each. `token_budget`: None for the engine's.

    `why_not` says why it can't be.
    """

    per_replica: int
    highest: Highest | None
    replicas: int | None
    why_not: str | None = None
    token_budget: int | None = None

    @property
    def devices(self) -> int | None:
        """All devices together."""
        return None if self.replicas is None else self.replicas * self.per_replica

    @property
    def breaks_first(self) -> Probe | None:
        """The lowest rate that was tried and found too high, with the reason."""
        return self.highest.above if self.highest else None


def options(
    server: Server, traffic: Traffic, limits: Limits, rate_per_s: float, *, splits: Sequence[int] = SPLITS,
    budgets: Sequence[int] = (), seconds: float = TEST_S, told: Told = lambda _: None,
) -> Iterator[Option]:  # fmt: skip
    """One option for each number of devices that share a model and each token budget, as soon as it is known.

    Each replica gets an equal share of the requests, at random. Raises BadValue for a rate that is none.
    """
    if not (math.isfinite(rate_per_s) and rate_per_s > 0):
        raise BadValue(f"a rate of {rate_per_s:g} requests/s is not above 0")
    for count, budget in product(splits, budgets or (server.token_budget,)):
        if server.on.model.num_attention_heads % count:
            why = f"{server.on.model.num_attention_heads} attention heads do not divide by {count}"
            yield Option(per_replica=count, highest=None, replicas=None, why_not=why, token_budget=budget)
            continue
        try:
            found = highest_rate(_sized(server, count, budget), traffic, limits, seconds=seconds, told=told)
        except BadValue as error:
            yield Option(per_replica=count, highest=None, replicas=None, why_not=str(error), token_budget=budget)
            continue
        yield _option(count, budget, found, rate_per_s)


def rate_of_users(server: Server, traffic: Traffic, users: int, think_s: float) -> float:
    """Requests per second that so many users send who think for `think_s` after each answer, at most.

    Each waits for an answer at least as long as if the server were idle; on a busy one they wait longer, and send less.
    Raises BadValue where a request never fits.
    """
    if users < 1 or not (math.isfinite(think_s) and think_s >= 0):
        raise BadValue(f"{users} users who think for {think_s:g} s are none")
    alone = server.run(traffic.at_rate(1e-4, ALONE * 1e4))
    return users / (think_s + fmean(each.end_to_end_s for each in alone.outcomes))


def best(found: Sequence[Option]) -> Option | None:
    """The option with the fewest devices; of several, the one with the fewest replicas, which is the fastest."""
    possible = [option for option in found if option.devices is not None]
    return min(possible, key=lambda option: (option.devices, option.replicas), default=None)


def price_per_million(option: Option, traffic: Traffic, rate_per_s: float, per_device_hour: float) -> float:
    """Cost of a million tokens of answers at the asked rate, in the currency of the price of a device's hour."""
    if option.devices is None:
        raise BadValue("an option that cannot be has no price")
    tokens_per_s = rate_per_s * traffic.mean_tokens()[1]
    return option.devices * per_device_hour / SECONDS_PER_HOUR / tokens_per_s * 1e6


def range_of(
    option: Option, server: Server, traffic: Traffic, limits: Limits, rate_per_s: float, band: tuple[float, float], *,
    seconds: float = TEST_S, told: Callable[[str], None] = lambda _: None,
) -> tuple[int | None, int | None]:  # fmt: skip
    """Devices if all times are those of the band's two ends; None where no number is enough."""
    ends: list[int | None] = []
    for factor in band:
        sized = _sized(server, option.per_replica, option.token_budget).slower(factor)
        found = highest_rate(sized, traffic, limits, seconds=seconds, told=told)
        ends.append(_option(option.per_replica, option.token_budget, found, rate_per_s).devices)
    return ends[0], ends[1]


def _sized(server: Server, count: int, budget: int | None) -> Server:
    return replace(server, on=replace(server.on, n_devices=count), replicas=1, token_budget=budget)


def _option(count: int, budget: int | None, found: Highest, rate_per_s: float) -> Option:
    if not found.rate_per_s:
        return Option(per_replica=count, highest=found, replicas=None, why_not=found.why_none, token_budget=budget)
    replicas = math.ceil(rate_per_s / found.rate_per_s)
    if replicas > MOST_REPLICAS:
        why = f"{replicas:,} replicas would be needed; {MOST_REPLICAS:,} is the most that is answered"
        return Option(per_replica=count, highest=found, replicas=None, why_not=why, token_budget=budget)
    return Option(per_replica=count, highest=found, replicas=replicas, token_budget=budget)
