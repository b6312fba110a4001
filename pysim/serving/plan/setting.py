"""One setting of an experiment: the server and the requests that it names, and what comes of them, as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pysim.checks import amount, count, text
from pysim.deployed import Deployed
from pysim.errors import BadValue, UnknownName, quoted
from pysim.load import load_device, load_model
from pysim.serving.frontend import FrontEnd
from pysim.serving.load.made import Lengths
from pysim.serving.load.servegen import read_clients, requests_of
from pysim.serving.load.trace import read_trace
from pysim.serving.load.traffic import Traffic, traffic_named
from pysim.serving.plan.experiment import NAMES, Setting
from pysim.serving.plan.limits import Limits, limits_from
from pysim.serving.plan.probe import backlog_grows, holds_up
from pysim.serving.plan.server import Server
from pysim.serving.request import Request
from pysim.serving.run import Run
from pysim.serving.serve import Split
from pysim.serving.step_cost import Tuned

USUAL_S: Final = 300.0
TIMES_AT_ONCE: Final = 8
MOST_TOKENS: Final = 10_000_000
LENGTH: Final = ("median", "spread", "least", "most")


def server_of(setting: Setting) -> Server:
    """The server of a setting; raises BadValue or UnknownName."""
    given = _with_names(setting["server"])
    for name in ("model", "device", "engine"):
        if not isinstance(given.get(name), str):
            raise BadValue(f"[server] has no {name}")
    on = Deployed(
        load_model(given["model"]), load_device(given["device"]), n_devices=given.get("n_devices", 1),
        weight_format=given.get("weights", "config"), kv_format=given.get("kv", "f16"), engine=given["engine"],
    )  # fmt: skip
    sizes = {
        field: count(given[name], name)
        for name, field in (("token_budget", "token_budget"), ("max_seqs", "seats"), ("kv_tokens", "kv_tokens"),
                            ("replicas", "replicas"))
        if name in given
    }  # fmt: skip
    split = None
    if "readers" in given or "writers" in given:
        split = Split(
            readers=count(given.get("readers", 1), "readers"), writers=count(given.get("writers", 1), "writers"),
            link=given.get("link", "infiniband"),
        )  # fmt: skip
    front = FrontEnd(
        latency_s=amount(given.get("latency_s", 0.0), "latency_s"),
        intake_per_s=amount(given["intake_per_s"], "intake_per_s") if "intake_per_s" in given else math.inf,
    )
    factor = amount(given.get("factor", 1.0), "factor", above=True)
    return Server(
        on=on, policy=given.get("policy"), tuned=Tuned(factor=factor), router=given.get("router", "least-tokens"),
        split=split, frontend=front, **sizes,
    )  # fmt: skip


def load_of(setting: Setting) -> tuple[tuple[Request, ...], int | None, float]:
    """The requests of a setting, how many of them are in the server at once (None: as they arrive), and a pause (s)."""
    given = _with_names(setting["load"])
    requests = count(given["requests"], "requests", most=1_000_000) if "requests" in given else None
    ways = [
        name for name in ("rate", "concurrency", "burst") if given.get(name) is not None and given[name] is not False
    ]
    if len(ways) > 1:
        raise BadValue(f"[load] has {' and '.join(ways)}; give one")
    if "file" in given:
        return _from_file(given, requests)
    if "clients" in given:
        return _from_clients(given, setting["seed"], requests), None, 0.0
    if not ways:
        raise BadValue("[load] says neither rate nor concurrency, and is no burst")
    traffic = _traffic(given, setting["seed"])
    if ways == ["rate"]:
        rate = amount(given["rate"], "rate", above=True)
        seconds = amount(given.get("seconds", USUAL_S), "seconds", above=True)
        return traffic.at_rate(rate, requests / rate if requests else seconds), None, 0.0
    at_once = count(given["concurrency"], "concurrency") if ways == ["concurrency"] else None
    asked = requests or (max(TIMES_AT_ONCE * at_once, 100) if at_once else 300)
    think_s = amount(given.get("think_s", 0.0), "think_s")
    return traffic.burst(min(asked, 1_000_000)), at_once, think_s


def outcome_row(setting: Setting) -> dict[str, Any]:
    """What comes of a setting; where it can't be, `error` says why."""
    try:
        server = server_of(setting)
        load, at_once, think_s = load_of(setting)
        limits = limits_from(setting["limits"]) if setting.get("limits") else None
        return row_of(server, server.run(load, at_once, think_s), limits)
    except (BadValue, UnknownName) as error:
        return {"error": str(error)}


def row_of(server: Server, run: Run, limits: Limits | None) -> dict[str, Any]:
    """The measures of a run by name: SI units; percentiles as `ttft_s_p99`."""
    end_s = max(each.request.arrive_s for each in run.outcomes)
    row: dict[str, Any] = {"requests": len(run.outcomes), "seconds": run.seconds, "devices": server.devices}
    row |= {f"{name}_{rank}": value for name, ranks in run.percentiles().items() for rank, value in ranks.items()}
    speed = run.output_tokens_per_s
    row |= {"output_tokens_per_s": speed, "output_tokens_per_s_per_device": speed / server.devices}
    row |= {
        "requests_per_s": len(run.outcomes) / run.seconds,
        "evictions": sum(each.evictions for each in run.outcomes),
        "cached_tokens": sum(each.cached_tokens for each in run.outcomes),
        "backlog_grows": backlog_grows(run.outcomes, end_s),
        "holds_up": holds_up(run, end_s or run.seconds),
    }
    if limits is not None and limits.by_measure():
        share = limits.share_within(run.outcomes)
        row |= {
            "share_within": share,
            "goodput_per_s": share * len(run.outcomes) / run.seconds,
            "limits_hold": limits.broken(run.outcomes) is None,
        }
    return row


def _with_names(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same table, its names checked: a number or a list where a name belongs is refused."""
    for name in NAMES:
        if name in given:
            text(given[name], name)
    return given


def _from_file(given: Mapping[str, Any], requests: int | None) -> tuple[tuple[Request, ...], int | None, float]:
    path = Path(given["file"])
    try:
        trace = read_trace(path)
    except OSError as error:
        raise BadValue(f"cannot read {quoted(str(path))}: {error.strerror}") from error
    factor = amount(given.get("stretch", 1.0), "stretch", above=True)
    if given.get("rate") is not None:
        # At another rate, the trace's gaps are all longer or shorter.
        span_s = trace.requests[-1].arrive_s
        if not span_s:
            raise BadValue(f"{path.name}: all requests arrive at once, so there is no rate to change")
        factor = (len(trace.requests) - 1) / span_s / amount(given["rate"], "rate", above=True)
    load = trace.stretched(factor, requests)
    if given.get("burst"):
        load = tuple(replace(request, arrive_s=0.0) for request in load)
    at_once = count(given["concurrency"], "concurrency") if given.get("concurrency") is not None else None
    return load, at_once, amount(given.get("think_s", 0.0), "think_s")


def _from_clients(given: Mapping[str, Any], seed: int, requests: int | None) -> tuple[Request, ...]:
    path = Path(given["clients"])
    if given.get("concurrency") is not None or given.get("burst"):
        raise BadValue("[load] has clients, who send at their own times: give neither concurrency nor burst")
    rate = amount(given["rate"], "rate", above=True) if given.get("rate") is not None else None
    begin_s = amount(given.get("begin", 0.0), "begin")
    seconds = amount(given.get("seconds", USUAL_S), "seconds", above=True)
    try:
        clients = read_clients(path)
    except OSError as error:
        raise BadValue(f"cannot read {quoted(str(path))}: {error.strerror}") from error
    return requests_of(clients, begin_s=begin_s, seconds=seconds, rate_per_s=rate, seed=seed).requests[:requests]


def _traffic(given: Mapping[str, Any], seed: int) -> Traffic:
    arrivals, cv = given.get("arrivals", "poisson"), amount(given.get("cv", 1.0), "cv", above=True)
    if "trace" in given:
        if "prompt_tokens" in given or "output_tokens" in given:
            raise BadValue("[load] has trace and lengths; give one")
        return replace(traffic_named(str(given["trace"]), seed=seed), arrivals=arrivals, cv=cv)
    prompt, answer = (_lengths(given, name) for name in ("prompt_tokens", "output_tokens"))
    return Traffic(prompt=prompt, answer=answer, arrivals=arrivals, cv=cv, seed=seed)


def _lengths(given: Mapping[str, Any], name: str) -> Lengths:
    """A number of tokens, or a table: the median, and the spread of the logarithm, between `least` and `most`."""
    value = given.get(name)
    if value is None:
        raise BadValue(f"[load] has no {name}; give it, or trace or file")
    if not isinstance(value, dict):
        return Lengths.fixed(count(value, name, most=MOST_TOKENS))
    for key in value:
        if key not in LENGTH:
            raise UnknownName(f"value of {name}", key, LENGTH)
    least, most = (count(value.get(key, usual), f"{name}.{key}", most=MOST_TOKENS)
                   for key, usual in (("least", 1), ("most", 131_072)))  # fmt: skip
    if least > most:
        raise BadValue(f"{name}: least {least:,} is above most {most:,}")
    median = amount(value.get("median"), f"{name}.median", least=1)
    return Lengths(
        log_mean=math.log(median), log_spread=amount(value.get("spread", 0.0), f"{name}.spread"), least=least, most=most
    )
