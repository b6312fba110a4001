"""`pysim serve size`: the fewest devices for a rate within limits, how they share the model, and what breaks first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Final

from pysim.cli.output import Column, print_csv, print_json, print_table
from pysim.cli.serving import inputs
from pysim.cli.serving.progress import Progress
from pysim.errors import BadValue

if TYPE_CHECKING:
    from pysim.serving.load.traffic import Traffic
    from pysim.serving.plan.server import Server
    from pysim.serving.plan.size import Option

WAITS: Final = {
    "memory": "requests wait for memory",
    "seats": "requests wait for seats",
    "steps": "requests wait for steps to end",
    "nothing": "hardly any request waits",
}
_OPTIONS: Final = (
    Column("per_replica", "devices per replica", "whole"),
    Column("token_budget", "tokens a step", "whole"),
    Column("replicas", "replicas", "whole"),
    Column("devices", "devices", "whole"),
    Column("highest_rate_per_s", "requests/s of a replica", "rate"),
    Column("price_per_million_tokens", "price per 1M written tokens", "price"),
    Column("breaks_first", "what breaks first"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    inputs.server_options(parser)
    parser.add_argument("--rate", type=float, metavar="R", help="requests per second, all together")
    parser.add_argument("--users", type=int, metavar="N", help="instead of a rate: users who ask one after the other")
    parser.add_argument(
        "--think", default=0.0, type=float, metavar="S", help="how long users think before they ask again (0)"
    )
    inputs.traffic_options(parser)
    inputs.limit_options(parser)
    parser.add_argument(
        "--splits", default="1,2,4,8", metavar="N,N", help="how many devices may share a model (1,2,4,8)"
    )
    parser.add_argument("--budgets", metavar="N,N", help="token budgets to compare (the engine's)")
    parser.add_argument("--test-seconds", default=300.0, type=float, metavar="S", help="shortest test of a rate (300)")
    parser.add_argument("--price", type=float, metavar="P", help="price of a device for an hour, in any currency")
    parser.add_argument("--csv", action="store_true", help="print CSV, in SI units")


def answer_size(asked: argparse.Namespace) -> None:
    """Answer one command line; what is known when somebody interrupts it is printed."""
    from pysim.serving.plan.size import best, options, range_of
    from pysim.serving.points import STEP_BAND

    server, traffic, limits = inputs.server(asked), inputs.traffic(asked), inputs.limits(asked)
    splits = _numbers(asked.splits, "--splits", 1024)
    budgets = _numbers(asked.budgets, "--budgets", 1_000_000) if asked.budgets is not None else []
    seconds = _above_zero(asked.test_seconds, "--test-seconds")
    if asked.price is not None:
        _above_zero(asked.price, "--price")
    rate = _rate(asked, server, traffic)
    found: list[Option] = []
    chosen, ends, interrupted = None, None, False
    with Progress() as told:
        try:
            for option in options(
                server, traffic, limits, rate, splits=splits, budgets=budgets, seconds=seconds, told=told
            ):
                found.append(option)
            chosen = best(found)
            if chosen is not None and asked.factor is None:
                ends = range_of(chosen, server, traffic, limits, rate, STEP_BAND, seconds=seconds, told=told)
        except KeyboardInterrupt:
            interrupted, chosen = True, best(found)
    rows = [_row(option, traffic, rate, asked.price) for option in found]
    if asked.json:
        print_json(
            {
                "rate_per_s": rate,
                "limits": {**limits.by_measure(), "share": limits.share, "together": limits.together},
                "best": None if chosen is None else _row(chosen, traffic, rate, asked.price),
                "devices_if_faster_and_slower": ends,
                "options": rows,
                "complete": not interrupted,
            }
        )
    elif asked.csv:
        print_csv(rows, [column.field for column in _OPTIONS])
    else:
        if asked.users is not None:
            print(f"{asked.users:,} users send at most {rate:.3g} requests/s")
        unknown = {column.field for column in _OPTIONS if all(row[column.field] is None for row in rows)}
        hidden = unknown & {"token_budget", "price_per_million_tokens"}
        print_table(rows, [column for column in _OPTIONS if column.field not in hidden])
        print(_words(chosen, ends))
    if interrupted:
        raise KeyboardInterrupt
    if chosen is None and not (asked.json or asked.csv):
        raise BadValue("no number of devices serves this rate within the limits")


def _words(chosen: Option | None, ends: tuple[int | None, int | None] | None) -> str:
    if chosen is None or chosen.devices is None:
        return ""
    replicas = "one replica" if chosen.replicas == 1 else f"{chosen.replicas:,} replicas"
    several = f"{replicas} of {chosen.per_replica}" if chosen.per_replica > 1 else ""
    budget = f"{chosen.token_budget:,} tokens a step" if chosen.token_budget is not None else ""
    words = f"\nfewest devices: {chosen.devices:,}"
    if several or budget:
        words += f" ({', '.join(filter(None, (several, budget)))})"
    if ends is not None:
        from pysim.serving.points import STEP_BAND

        low, high = ("no number" if end is None else f"{end:,}" for end in ends)
        fast, slow = STEP_BAND
        words += f"; {low} if every step takes {fast:.2g} times as long as typical, {high} if {slow:.2g} times"
    return words


def _row(option: Option, traffic: Traffic, rate: float, per_hour: float | None) -> dict[str, Any]:
    from pysim.serving.plan.size import price_per_million

    over = option.breaks_first
    why = option.why_not or (f"{over.broken}; {WAITS[over.holds_up]}" if over else "")
    price = None
    if per_hour is not None and option.devices is not None:
        price = price_per_million(option, traffic, rate, per_hour)
    return {
        "per_replica": option.per_replica,
        "token_budget": option.token_budget,
        "replicas": option.replicas,
        "devices": option.devices,
        "highest_rate_per_s": option.highest.rate_per_s if option.highest else None,
        "price_per_million_tokens": price,
        "breaks_first": why,
        "breaks": None if over is None else over.breaks,
        "holds_up": None if over is None else over.holds_up,
        "worst_s": option.highest.below.worst_s if option.highest and option.highest.below else None,
    }


def _rate(asked: argparse.Namespace, server: Server, traffic: Traffic) -> float:
    from pysim.serving.plan.size import rate_of_users

    if (asked.rate is None) == (asked.users is None):
        raise BadValue("how many requests? Give --rate R or --users N")
    if asked.users is None:
        return float(asked.rate)
    if not (0 <= asked.think < 1e9 and 1 <= asked.users <= 1_000_000_000):
        raise BadValue(f"--users {asked.users} with --think {asked.think:g} are no users who ask one after the other")
    return rate_of_users(server, traffic, asked.users, asked.think)


def _numbers(text: str, name: str, most: int) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and part.isascii() and 1 <= int(part[:9]) <= most for part in parts):
        raise BadValue(f"{name} {text[:60]!r} is not a list of whole numbers from 1 to {most:,}, such as 1,2,4,8")
    return sorted({int(part[:9]) for part in parts})


def _above_zero(value: float, name: str) -> float:
    if not 0 < value < 1e9:
        raise BadValue(f"{name} {value:g} is not above 0 and below 1e9")
    return value
