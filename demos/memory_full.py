"""What does a server do when its memory is full?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from simple_html import SafeString, div

from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.draw.plot import Axis, Curve, plot
from demos.kit.draw.request_lanes import RequestLane, lanes_key, request_lanes, time_axis
from demos.kit.html import element, joined
from demos.kit.number import count, plural, share
from demos.kit.serving.server import SEATS, Refused, Server, sentence, server
from pysim import units
from pysim.errors import PysimError
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.serving.load.traffic import traffic_named
from pysim.serving.policies.tensorrt_llm import TensorrtLlm
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.record import token_times_s
from pysim.serving.run import Run
from pysim.serving.serve import BLOCK_TOKENS

TITLE = "Who loses a place when the cache is full?"
LEAD = "Give the cache less room, press Run, and watch who loses a place."
MAIN = ("cache_tokens", "rule")
ASKED = ("preemption", "kv cache full", "recompute", "out of memory in vllm", "how many requests at once")
MATH_NOTE = "Requests have the lengths of the chat trace of Azure 2023; twenty arrive each second."
KEPT, FORGOTTEN, PROMISED = "kept", "forgotten", "promised"
REQUESTS: Final = 120
RATE: Final = 20.0
LANES: Final = 18
STOPS: Final = 10

CONTROLS = (
    Slider(
        name="cache_tokens", label="Room of the cache", start=20_000, low=15_000, high=400_000, step=1000, scale="log",
        noun="tokens", marks=((15_000, "15,000"), (50_000, "50,000"), (400_000, "400,000")),
    ),
    Choice(
        name="rule", label="When it is full", start=KEPT,
        options=(
            Option(value=KEPT, label="evict the last, keep its rows"),
            Option(value=FORGOTTEN, label="evict the last, read it all again"),
            Option(value=PROMISED, label="promise room for the longest answer"),
        ),
    ),
    Slider(
        name="longest_answer", label="Longest answer allowed", start=1000, low=100, high=4000, step=100, noun="tokens"
    ),
    choices.caches(),
    choices.models("llama-3.1-8b", ("llama-3.1-8b", "qwen3-32b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "h100-sxm", "b200", "mi300x")),
)  # fmt: skip

READOUTS = (
    Readout(name="at_once", label="Most requests at once", counts="request"),
    Readout(name="evictions", label="Evictions", counts="eviction"),
    Readout(name="recomputed_tokens", label="Tokens read again", counts="token"),
    Readout(name="ttft_p99_s", label="First token, p99", unit="s"),
    Readout(name="total_s", label="All done after", unit="s"),
    Readout(name="kv_cache_bytes", label="The cache takes", unit="B"),
)

PRESETS = (
    Preset(label="Little room", values={}, recorded=True),
    Preset(label="Read it all again", values={"rule": FORGOTTEN}),
    Preset(label="Promise first", values={"rule": PROMISED}),
    Preset(label="Room enough", values={"cache_tokens": "100000"}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A burst served with so much room."""

    run: Run | Refused
    served: Server | None
    cache_tokens: int
    rule: str
    lanes: tuple[RequestLane, ...]
    end_s: float

    @property
    def done(self) -> Run:
        """The run; raises ValueError where there is none."""
        if isinstance(self.run, Refused):
            raise ValueError("nothing runs")
        return self.run


def scene(**values: Value) -> Scene:
    """Serve the same requests, with the chosen room and rule."""
    served, room, rule = server(values), int(values["cache_tokens"]), str(values["rule"])
    nothing = {"served": None, "cache_tokens": room, "rule": rule, "lanes": (), "end_s": 0.0}
    if isinstance(served, Refused):
        return Scene(run=served, **nothing)  # type: ignore[arg-type]
    if room > served.kv_tokens:
        most = plural(served.kv_tokens, "token")
        why = f"{served.on.device.name} has room for {most} besides the weights, not for {count(room)}."
        return Scene(run=Refused(why), **nothing)  # type: ignore[arg-type]
    longest = int(values["longest_answer"])
    load = [
        replace(each, output_tokens=min(each.output_tokens, longest), limit_tokens=longest)
        for each in traffic_named("azure-2023-conv", seed=1).at_rate(RATE, REQUESTS / RATE)
    ]
    try:
        run = served.on.serve(
            load, policy=TensorrtLlm(chunked_context=True) if rule == PROMISED else VllmV1(), token_budget=8192,
            seats=SEATS, kv_tokens=room, keeps_rows=rule != FORGOTTEN,
        )  # fmt: skip
    except PysimError as error:
        return Scene(run=Refused(sentence(error)), **nothing)  # type: ignore[arg-type]
    # Those that lose their place first, then the first ones; drawn in order of arrival.
    picked = sorted(run.outcomes, key=lambda each: (-each.evictions, each.request.number))[:LANES]
    lanes = tuple(
        RequestLane(
            name=f"{each.request.prompt_tokens:,} in", waits=(each.request.arrive_s, each.admitted_s),
            reads=[(each.admitted_s, each.first_s)], tokens_s=token_times_s(run.stretches, each), pauses=each.pauses,
        )
        for each in sorted(picked, key=lambda each: each.request.number)
    )  # fmt: skip
    return Scene(run=run, served=served, cache_tokens=room, rule=rule, lanes=lanes, end_s=run.seconds)


def stops(scene: Scene) -> list[float]:
    """Tenths of the run."""
    return [scene.end_s * k / STOPS for k in range(STOPS + 1)] if scene.end_s else [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """How full the memory is over time, and lanes of requests with what was evicted."""
    if isinstance(scene.run, Refused):
        stage = element(div, {"class": "stage serving"}, div({"class": "tool-verdict bad"}, scene.run.why))
        return joined(stage, readouts(READOUTS, _values(scene))).safe_str
    stage = element(
        div, {"class": "stage serving"},
        _fill_plot(scene, t_s),
        request_lanes(scene.lanes, 0.0, scene.end_s, t_s, title=f"{plural(len(scene.lanes), 'request')} of {REQUESTS}",
                      summary=_words(scene)),
        time_axis(0.0, scene.end_s),
        lanes_key(["waits", "reads", "writes", "pauses"]),
    )  # fmt: skip
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _fill_plot(scene: Scene, t_s: float) -> SafeString:
    total = scene.cache_tokens // BLOCK_TOKENS
    record = scene.done.stretches
    every = max(1, len(record) // 160)
    used = [(0.0, 0.0)] + [
        (each.end_s, 1 - each.free_blocks / total) for each in record[::every] if each.end_s <= scene.end_s
    ]
    waiting = max(each.waiting for each in record)
    x = Axis(low=0, high=scene.end_s, label="", ticks=[])
    y = Axis(low=0, high=1.05, label="memory in use", ticks=[(v, share(v)) for v in (0.0, 0.5, 1.0)])
    now = Curve(points=[(t_s, 0), (t_s, 1.05)], kind="rule")
    summary = f"Memory in use over {_seconds(scene.end_s)}; up to {plural(waiting, 'request')} wait."
    return plot(x, y, [Curve(points=used, kind="cache"), now], summary=summary)


def _seconds(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _at_once(run: Run) -> int:
    """The most requests that hold rows at the same time."""
    events = sorted([(each.admitted_s, 1) for each in run.outcomes] + [(each.finish_s, -1) for each in run.outcomes])
    events += [change for each in run.outcomes for begun, until in each.pauses for change in ((begun, -1), (until, 1))]
    most = now = 0
    for _, change in sorted(events):
        now += change
        most = max(most, now)
    return most


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    if isinstance(scene.run, Refused) or scene.served is None:
        return {readout.name: Missing("nothing runs here") for readout in READOUTS}
    run, on = scene.run, scene.served.on
    return {
        "at_once": _at_once(run),
        "evictions": sum(each.evictions for each in run.outcomes),
        "recomputed_tokens": sum(each.recomputed_tokens for each in run.outcomes),
        "ttft_p99_s": run.percentiles()["ttft_s"]["p99"],
        "total_s": run.seconds,
        "kv_cache_bytes": kv_cache_bytes(on.model, scene.cache_tokens, on.kv_format),
    }


def _words(scene: Scene) -> str:
    run = scene.done
    evictions = sum(each.evictions for each in run.outcomes)
    first = f"{plural(REQUESTS, 'request')} are done after {_seconds(run.seconds)}, at most {_at_once(run)} at once"
    if evictions:
        again = sum(each.recomputed_tokens for each in run.outcomes)
        return f"{first}; {plural(evictions, 'eviction')}, {plural(again, 'token')} read again."
    return f"{first}; nobody loses a place."


def say(scene: Scene, t_s: float) -> str:
    """How full the memory is at a moment; at both ends, what came of it."""
    if isinstance(scene.run, Refused):
        return scene.run.why
    if not 0 < t_s < scene.end_s:
        return _words(scene)
    before = [each for each in scene.run.stretches if each.end_s <= t_s]
    used = 1 - before[-1].free_blocks / (scene.cache_tokens // BLOCK_TOKENS) if before else 0.0
    waiting = before[-1].waiting if before else 0
    return (
        f"After {_seconds(t_s)}: {share(used)} of the memory is in use, {plural(waiting, 'request')} wait in the queue."
    )


def explain(scene: Scene) -> list[Formula]:
    """What the room takes, and how many requests it holds by arithmetic."""
    if scene.served is None:
        return []
    on, run = scene.served.on, scene.done
    one = kv_cache_bytes(on.model, 1, on.kv_format)
    mean = sum(each.request.prompt_tokens + each.request.output_tokens / 2 for each in run.outcomes) / REQUESTS
    source, url = "paged cache: Kwon et al., vLLM, 2023", "https://arxiv.org/abs/2309.06180"
    return [
        Formula(
            label="Memory of the cache", rule="tokens × bytes of one token's rows",
            inserted=f"{count(scene.cache_tokens)} × {units.show(one, 'B')}",
            result=units.show(kv_cache_bytes(on.model, scene.cache_tokens, on.kv_format), "B"), source=source,
            source_url=url,
        ),
        Formula(
            label="Requests at once, by arithmetic", rule="tokens of room ÷ (mean prompt + half of a mean answer)",
            inserted=f"{count(scene.cache_tokens)} ÷ {count(mean)}", result=f"{scene.cache_tokens / mean:,.1f}",
            source=source, source_url=url,
        ),
    ]  # fmt: skip


def table(scene: Scene) -> list[list[Cell]]:
    """Every request: when it came, waited, and lost its place."""
    rows: list[list[Cell]] = [
        ["request", "arrive_s", "prompt_tokens", "output_tokens", "ttft_s", "end_to_end_s", "evictions", "read_again"]
    ]
    for each in () if isinstance(scene.run, Refused) else scene.run.outcomes:
        asked = each.request
        rows.append(
            [asked.number, asked.arrive_s, asked.prompt_tokens, asked.output_tokens, each.ttft_s, each.end_to_end_s,
             each.evictions, each.recomputed_tokens]
        )  # fmt: skip
    return rows
