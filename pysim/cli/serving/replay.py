"""`pysim serve replay`: serve the requests of a file, and compare with what was measured there."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from pysim.cli.output import Column, print_csv, print_json, print_table
from pysim.cli.serving.inputs import read_file
from pysim.cli.serving.progress import Progress
from pysim.errors import BadValue

if TYPE_CHECKING:
    from pysim.serving.calibrate import Errors
    from pysim.serving.load.replay import Replay
    from pysim.serving.request import Outcome
    from pysim.serving.run import Run
    from pysim.serving.step_cost import Tuned

CALIBRATIONS: Final = ("none", "one", "four")
MOST_TURNS: Final = 80
_ERRORS: Final = (
    Column("requests", "requests compared", "whole"),
    Column("ttft", "first token", "%"),
    Column("tpot", "time per token", "%"),
    Column("end_to_end", "end to end", "%"),
)
_TIMES: Final = (
    Column("name", "seconds"),
    Column("mean", "mean", "s"),
    Column("p50", "p50", "s"),
    Column("p90", "p90", "s"),
    Column("p99", "p99", "s"),
)


def arguments(replay: argparse.ArgumentParser) -> None:
    """Its options."""
    replay.add_argument(
        "file", metavar="FILE.requests.jsonl", help="one request a line: input_toks, output_toks, arrival_time"
    )
    replay.add_argument("--model", required=True, metavar="KEY", help="a key, a name or a Hugging Face id")
    replay.add_argument("--device", required=True, metavar="KEY", help="a device's key or name")
    number: dict[str, Any] = {"type": int, "metavar": "N"}
    replay.add_argument("--n-devices", default=1, help="devices of this kind, split by tensor (1)", **number)
    replay.add_argument(
        "--engine", required=True, metavar="NAME", help="an engine whose scheduler is known, such as vllm"
    )
    replay.add_argument("--policy", metavar="NAME", help="a scheduler's rules instead of the engine's own")
    replay.add_argument("--weights", default="config", metavar="FORMAT", help="as for `pysim estimate` (config)")
    replay.add_argument("--token-budget", help="most tokens of a step (vLLM's default)", **number)
    replay.add_argument("--max-seqs", help="most conversations at once (vLLM's default)", **number)
    replay.add_argument("--kv-tokens", help="tokens that the cache has room for (from the memory)", **number)
    replay.add_argument("--csv", action="store_true", help="print CSV: a line for each request, times in s")
    replay.add_argument(
        "--calibrate", default="none", choices=CALIBRATIONS, help="one factor, or four constants (none)"
    )
    replay.add_argument(
        "--calibrate-on", default=0.33, type=float, metavar="SHARE", help="the first share of the requests (0.33)"
    )


def answer_replay(asked: argparse.Namespace) -> None:
    """Replay one file."""
    from pysim.deployment import Deployment
    from pysim.load import load_device, load_model
    from pysim.serving.calibrate import errors
    from pysim.serving.load.trace import read_replay
    from pysim.serving.policies import policy_named
    from pysim.serving.serve import serve

    if not (math.isfinite(asked.calibrate_on) and 0 < asked.calibrate_on < 1):
        raise BadValue(f"--calibrate-on {asked.calibrate_on} is not a share between 0 and 1")
    given = read_file(asked.file, read_replay)
    on = Deployment(
        load_model(asked.model), load_device(asked.device), n_devices=asked.n_devices, weight_format=asked.weights,
        engine=asked.engine,
    )  # fmt: skip
    policy = policy_named(asked.policy) if asked.policy else None

    def simulate(tuned: Tuned) -> Run:
        told(f"{len(given.requests):,} requests, with all times {tuned.factor:.3g} times as long")
        return serve(
            on, given.requests, policy=policy, token_budget=asked.token_budget, seats=asked.max_seqs,
            kv_tokens=asked.kv_tokens, tuned=tuned, records=False,
        )  # fmt: skip

    with Progress() as told:
        tuned, used = _tuned(asked.calibrate, asked.calibrate_on, given, simulate)
        run = simulate(tuned)
    rest = {number: known for number, known in given.measured.items() if number not in used}
    missed = errors(run.outcomes, rest) if rest else None
    if asked.json:
        print_json(_replay_json(run, tuned, asked.calibrate, len(used), missed))
        return
    if asked.csv:
        print_csv([_request(each) for each in run.outcomes], list(_request(run.outcomes[0])))
        return
    print(
        f"{len(run.outcomes):,} requests, cache of {run.kv_tokens:,} tokens, {run.token_budget:,} tokens a step at most"
    )
    print_table([{"name": name, **values} for name, values in _times(run.outcomes).items()], _TIMES)
    if missed is not None:
        print(f"\nmedian error by request, after --calibrate {asked.calibrate} on the first {len(used):,}:")
        print_table([asdict(missed)], _ERRORS, upright=True)


def _request(outcome: Outcome) -> dict[str, object]:
    asked = outcome.request
    return {
        "number": asked.number,
        "arrive_s": asked.arrive_s,
        "prompt_tokens": asked.prompt_tokens,
        "output_tokens": asked.output_tokens,
        "ttft_s": outcome.ttft_s,
        "tpot_s": outcome.tpot_s,
        "end_to_end_s": outcome.end_to_end_s,
        "evictions": outcome.evictions,
        "cached_tokens": outcome.cached_tokens,
    }


def _tuned(way: str, share: float, given: Replay, simulate: Callable[[Tuned], Run]) -> tuple[Tuned, frozenset[int]]:
    """The calibration, and the requests that it was made from: the first share of those that were measured."""
    from pysim.serving.calibrate import errors, least, one_factor
    from pysim.serving.step_cost import UNTUNED, Tuned

    if way == "none":
        return UNTUNED, frozenset()
    if not given.measured:
        raise BadValue(
            f"--calibrate {way} needs measured times: queued_ts, first_token_ts and last_token_ts of each line"
        )
    numbers = sorted(given.measured)
    used = frozenset(numbers[: max(1, round(share * len(numbers)))])
    known = {number: given.measured[number] for number in used}

    def missed(tuned: Tuned) -> float:
        found: Errors = errors(simulate(tuned).outcomes, known)
        return sum(value for value in (found.ttft, found.tpot, found.end_to_end) if value is not None)

    factor = one_factor(lambda each: simulate(Tuned(factor=each)).outcomes, known)
    if way == "one":
        return Tuned(factor=factor), used
    start = math.log(factor)
    four = least(lambda place: missed(_four(place)), [start, start, start, 0.0], 0.3, MOST_TURNS)
    return _four(four), used


def _four(place: Sequence[float]) -> Tuned:
    from pysim.serving.step_cost import Tuned

    weights, cache, math_, fixed = (math.exp(value) for value in place)
    return Tuned(weights=weights, cache=cache, math=math_, fixed_s=fixed / 1000)


def _times(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    from pysim.serving.measure import percentiles

    kinds = {
        "ttft_s": [each.ttft_s for each in outcomes],
        "tpot_s": [each.tpot_s for each in outcomes if each.tpot_s is not None],
        "end_to_end_s": [each.end_to_end_s for each in outcomes],
    }
    return {name: percentiles(values) for name, values in kinds.items() if values}


def _replay_json(run: Run, tuned: Tuned, way: str, used: int, missed: Errors | None) -> dict[str, object]:
    begun_s = min(each.request.arrive_s for each in run.outcomes)
    took_s = max(each.finish_s for each in run.outcomes) - begun_s
    answer: dict[str, object] = {
        "requests": len(run.outcomes),
        "kv_tokens": run.kv_tokens,
        "token_budget": run.token_budget,
        "max_seqs": run.seats,
        "evictions": sum(each.evictions for each in run.outcomes),
        "output_tokens_per_s": sum(each.request.output_tokens for each in run.outcomes) / took_s,
        **_times(run.outcomes),
        "calibration": {"way": way, "on_requests": used, **asdict(tuned)},
    }
    if missed is not None:
        answer["median_error"] = {
            "requests": missed.requests, "ttft": missed.ttft, "tpot": missed.tpot, "end_to_end": missed.end_to_end,
        }  # fmt: skip
    return answer
