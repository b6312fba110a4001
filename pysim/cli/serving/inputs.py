"""What several lines of `pysim serve` ask for: a server, its requests, limits, and a file."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pysim.errors import BadValue, quoted
from pysim.formats.default import AS_CONFIG

if TYPE_CHECKING:
    from pysim.serving.load.traffic import Traffic
    from pysim.serving.plan.limits import Limits
    from pysim.serving.plan.server import Server

_Answer = TypeVar("_Answer")
_NUMBER: dict[str, Any] = {"type": int, "metavar": "N"}
_SECONDS: dict[str, Any] = {"type": float, "metavar": "S"}


def read_file(name: str, read: Callable[[Path], _Answer]) -> _Answer:
    """What `read` makes of a file; BadValue where it can't be read."""
    try:
        return read(Path(name))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadValue(f"cannot read {quoted(name)}: {reason}") from error


def server_options(parser: argparse.ArgumentParser) -> None:
    """The options of a server; `server` reads them."""
    parser.add_argument("--model", required=True, metavar="KEY", help="a key, a name or a Hugging Face id")
    parser.add_argument("--device", required=True, metavar="KEY", help="a device's key or name")
    parser.add_argument(
        "--engine", required=True, metavar="NAME", help="an engine whose scheduler is known, such as vllm"
    )
    parser.add_argument("--policy", metavar="NAME", help="a scheduler's rules instead of the engine's")
    parser.add_argument("--weights", default=AS_CONFIG, metavar="FORMAT", help="as for `pysim estimate` (config)")
    parser.add_argument("--kv", default="f16", metavar="FORMAT", help="f16, fp8, … (f16)")
    parser.add_argument("--token-budget", help="most tokens of a step (the engine's default)", **_NUMBER)
    parser.add_argument("--max-seqs", help="most conversations at once (the engine's default)", **_NUMBER)
    parser.add_argument("--kv-tokens", help="tokens that the cache has room for (from the memory)", **_NUMBER)
    parser.add_argument(
        "--factor",
        type=float,
        metavar="F",
        help="a calibration: all times are F times as long (`pysim serve calibrate`)",
    )


def devices_option(parser: argparse.ArgumentParser) -> None:
    """How many devices share the model."""
    parser.add_argument("--n-devices", default=1, help="devices of this kind, split by tensor (1)", **_NUMBER)


def traffic_options(parser: argparse.ArgumentParser) -> None:
    """The options of requests without a rate; `traffic` reads them."""
    parser.add_argument("--trace", metavar="NAME", help="lengths as in a published trace, such as azure-2023-conv")
    parser.add_argument("--prompt-tokens", help="tokens of every prompt", **_NUMBER)
    parser.add_argument("--output-tokens", help="tokens of every answer", **_NUMBER)
    parser.add_argument("--arrivals", default="poisson", metavar="HOW", help="poisson, even or gamma (poisson)")
    parser.add_argument("--cv", default=1.0, type=float, help="for gamma: the gaps' spread by their mean (1)")
    parser.add_argument("--seed", default=0, help="another seed draws other requests (0)", **_NUMBER)


def limit_options(parser: argparse.ArgumentParser) -> None:
    """The options of limits; `limits` reads them."""
    parser.add_argument("--limits", metavar="NAME", help="limits that have a name, such as mlperf-llama-3.1-8b-server")
    parser.add_argument("--ttft", help="most seconds to the first token", **_SECONDS)
    parser.add_argument("--tpot", help="most seconds per token after that", **_SECONDS)
    parser.add_argument("--end-to-end", help="most seconds of a request", **_SECONDS)
    parser.add_argument("--share", type=float, help="the share of requests that must stay within (0.99)")


def server(asked: argparse.Namespace) -> Server:
    """The server that a command line describes; on one device where it does not ask how many."""
    from pysim.checks import count
    from pysim.deployed import Deployed
    from pysim.load import load_device, load_model
    from pysim.serving.plan.server import Server
    from pysim.serving.step_cost import Tuned

    for name in ("token_budget", "max_seqs", "kv_tokens"):
        if getattr(asked, name) is not None:
            count(getattr(asked, name), f"--{name.replace('_', '-')}")
    factor = 1.0 if asked.factor is None else asked.factor
    if not 0.01 <= factor <= 100:
        raise BadValue(f"--factor {factor:g} is not from 0.01 to 100")
    on = Deployed(
        load_model(asked.model), load_device(asked.device), n_devices=getattr(asked, "n_devices", 1),
        weight_format=asked.weights, kv_format=asked.kv,
        engine=asked.engine,
    )  # fmt: skip
    return Server(
        on=on, policy=asked.policy, token_budget=asked.token_budget, seats=asked.max_seqs, kv_tokens=asked.kv_tokens,
        tuned=Tuned(factor=factor),
    )  # fmt: skip


def traffic(asked: argparse.Namespace) -> Traffic:
    """The requests that a command line describes."""
    from dataclasses import replace

    from pysim.serving.load.made import Lengths
    from pysim.serving.load.traffic import Traffic, traffic_named

    fixed = (asked.prompt_tokens, asked.output_tokens)
    if asked.trace:
        if fixed != (None, None):
            raise BadValue("--trace and --prompt-tokens or --output-tokens name two kinds of lengths; give one")
        return replace(traffic_named(asked.trace, seed=asked.seed), arrivals=asked.arrivals, cv=asked.cv)
    if None in fixed:
        raise BadValue("which requests? Give --trace NAME, or --prompt-tokens N and --output-tokens N")
    prompt, answer = (Lengths.fixed(tokens) for tokens in fixed)
    return Traffic(prompt=prompt, answer=answer, arrivals=asked.arrivals, cv=asked.cv, seed=asked.seed)


def limits(asked: argparse.Namespace) -> Limits:
    """The limits that a command line describes."""
    from pysim.serving.plan.limits import limits_from

    given = {"ttft_s": asked.ttft, "tpot_s": asked.tpot, "end_to_end_s": asked.end_to_end, "share": asked.share}
    given = {name: value for name, value in given.items() if value is not None}
    if asked.limits:
        given["preset"] = asked.limits
    found = limits_from(given)
    if not found.by_measure():
        raise BadValue("which limits? Give --limits NAME, or --ttft S, --tpot S or --end-to-end S")
    return found
