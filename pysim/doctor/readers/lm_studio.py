"""What does LM Studio say about an answer: its interfaces' `stats`, the line under a chat, the lines of `lms`?

REST v0 `"tokens_per_second": 51.4, "time_to_first_token": 0.111, "generation_time": 0.954` in seconds; v1
`"time_to_first_token_seconds"`; the SDK writes `tokensPerSecond`; a chat `51.44 tok/sec • 53 tokens • 0.11s to first
token`. https://lmstudio.ai/docs/developer/rest
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pysim.doctor.read.json_values import JsonObject
from pysim.doctor.read.numbers import NUMBER, count, number, positive
from pysim.doctor.read.run import Gap, Latency, Reading, Run, Setup
from pysim.doctor.read.text import Text, is_whole

TOOL: Final = "lm studio"
TOOLS: Final = {TOOL: "LM Studio"}
_CHAT: Final = re.compile(
    rf"({NUMBER}) {{0,2}}(?:tok/sec|tokens/sec|tok/s|tokens/s)[^\w|]{{1,12}}({NUMBER}) tokens?\b(?!/)"
    rf"(?:[^\w|]{{1,12}}({NUMBER}) ?s to first token)?"
)
_LMS: Final = re.compile(
    rf"(Tokens/Second|Time to First Token|Prompt Tokens|Predicted Tokens|Total Tokens): {{1,8}}({NUMBER})s?\s*$"
)
# The chat window's list of 2024: a label and a value in a line each.
_WINDOW: Final = re.compile(
    rf"\b(time to first token|gen t|speed|token count|gpu layers): {{1,4}}({NUMBER})(?: ?s\b| tok/s|/\d{{1,9}}|\s*$)"
)
_WINDOW_NAMES: Final = {"speed": "Tokens/Second", "time to first token": "Time to First Token"}
# The same figure's names: REST v0, REST v1, SDK.
_SPEED: Final = ("tokens_per_second", "tokensPerSecond")
_FIRST: Final = ("time_to_first_token", "time_to_first_token_seconds", "timeToFirstTokenSec")
_WRITING: Final = ("generation_time", "generationTimeSec")
_PROMPT: Final = ("input_tokens", "promptTokensCount", "prompt_tokens")
_OUTPUT: Final = ("total_output_tokens", "predictedTokensCount", "completion_tokens")
_LOAD: Final = ("model_load_time_seconds",)
_BACKENDS: Final = ("metal", "cuda", "rocm", "vulkan", "mlx", "cpu")


def read(text: Text) -> Reading:
    """One run per answer."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    if any(f'"{name}"' in text.plain for name in (*_SPEED, *_FIRST)):
        for record in text.objects:
            run = _from_object(record)
            if run is not None:
                runs.append(run)
                if not record.whole:
                    gaps.append(Gap(line=record.last_line, message="the answer is cut off: its last part is missing"))
    for at in text.places("tok/sec", "tok/s ", "tokens/sec ", "tokens/s "):
        # Copied from the window, each part and each dot stands in a line of its own.
        content = text.lines[at].text
        chat = _CHAT.search(content) or _CHAT.search(
            " ".join([content, *(line.text for line in text.lines[at + 1 : at + 6])])
        )
        if chat is not None:
            line, (speed, output, first) = text.lines[at].number, chat.groups()
            runs.append(_run(line, line, speed=number(speed), output=number(output), first_s=number(first or "")))
            if first is None:
                gaps.append(Gap(line=line, message="the time to the first token is missing"))
    runs += _printed(text)
    return Reading(runs=tuple(runs), gaps=tuple(gaps), lines=len(text.lines))


def _from_object(record: JsonObject) -> Run | None:
    value = record.value
    stats = value.get("stats", value)
    if (
        not isinstance(stats, dict)
        or _one(stats, _SPEED) is None
        or not any(key in stats for key in (*_FIRST, *_WRITING))
    ):
        return None
    usage = value.get("usage")
    counts: Mapping[str, object] = usage if isinstance(usage, dict) else stats
    return _run(
        record.line,
        record.last_line,
        speed=_one(stats, _SPEED),
        output=_one(counts, _OUTPUT) or _one(stats, _OUTPUT),
        first_s=_one(stats, _FIRST),
        prompt=_one(counts, _PROMPT) or _one(stats, _PROMPT),
        writing_s=_one(stats, _WRITING),
        load_s=_one(stats, _LOAD),
        setup=_setup(value, stats),
        engine=_engine(value),
    )


def _run(
    line: int,
    last_line: int,
    *,
    speed: float | None,
    output: float | None,
    first_s: float | None,
    prompt: float | None = None,
    writing_s: float | None = None,
    load_s: float | None = None,
    setup: Setup | None = None,
    engine: str | None = None,
) -> Run:
    doubts = []
    if speed and output and writing_s and abs(output / writing_s / speed - 1) > 0.05:
        doubts.append(
            f"contradictory: {output:.0f} tokens in {writing_s:.4g} s would be {output / writing_s:.4g} tokens/s, "
            f"not {speed:.4g}"
        )
    if output == 1:
        doubts.append("one token was written: its time says nothing about the speed of writing")
    return Run(
        tool=TOOL,
        kind="request" if first_s is not None else "generation",
        line=line,
        last_line=last_line,
        engine=engine,
        setup=setup or Setup(),
        prompt_tokens=prompt,
        output_tokens=output,
        sequences=1,
        load_s=load_s,
        # Seen in the same program that runs the model: until the first token it reads, and does little else.
        prefill_s=first_s,
        decode_s=writing_s,
        prefill_tokens_per_s=prompt / first_s if prompt and first_s else None,
        decode_tokens_per_s=speed,
        ttft=None if first_s is None else Latency(mean_s=first_s),
        doubts=tuple(doubts),
    )


def _setup(value: Mapping[str, object], stats: Mapping[str, object]) -> Setup:
    info = value.get("model_info")
    known: Mapping[str, object] = info if isinstance(info, dict) else {}
    runtime = _runtime(value)
    model = value.get("model", value.get("model_instance_id"))
    quant = known.get("quant")
    layers = stats.get("numGpuLayers")
    return Setup(
        model=model if isinstance(model, str) else None,
        weights=quant if isinstance(quant, str) else None,
        backend=next((name for name in _BACKENDS if name in runtime), None),
        context_tokens=count(known.get("context_length")),
        layers_on_device=layers if isinstance(layers, int) and not isinstance(layers, bool) else None,
    )


def _runtime(value: Mapping[str, object]) -> str:
    runtime = value.get("runtime")
    name = runtime.get("name") if isinstance(runtime, dict) else None
    return name.lower() if isinstance(name, str) else ""


def _engine(value: Mapping[str, object]) -> str | None:
    info = value.get("model_info")
    form = info.get("format") if isinstance(info, dict) else None
    name = _runtime(value) or (form if isinstance(form, str) else "")
    if "llama.cpp" in name or name == "gguf":
        return "llama.cpp"
    return "mlx-lm" if "mlx" in name or name == "safetensors" else None


def _one(values: Mapping[str, object], names: tuple[str, ...]) -> float | None:
    return next((known for name in names if (known := positive(values.get(name))) is not None), None)


def _printed(text: Text) -> list[Run]:
    """The lines of `lms chat --stats`, and those of the chat window of 2024, a label each."""
    groups: list[tuple[list[int], dict[str, float]]] = []
    places = text.places("Tokens/Second:", "Time to First Token:", "Prompt Tokens:", "Predicted Tokens:")
    if "time to first token: " in text.plain and "speed: " in text.plain:
        places = sorted({*places, *text.places("time to first token: ", "gen t: ", "speed: ", "gpu layers: ")})
    for at in places:
        content = text.lines[at].text
        match = _LMS.search(content) or _WINDOW.search(content)
        value = None if match is None else number(match[2])
        if match is None or value is None or not is_whole(text, at, match.end(2), match[2]):
            continue
        line, name = text.lines[at].number, _WINDOW_NAMES.get(match[1], match[1])
        if not groups or name in groups[-1][1] or line - groups[-1][0][-1] > 6:
            groups.append(([], {}))
        groups[-1][0].append(line)
        groups[-1][1][name] = value
    return [
        _run(
            lines[0],
            lines[-1],
            speed=values["Tokens/Second"],
            output=values.get("Predicted Tokens"),
            first_s=values.get("Time to First Token"),
            prompt=values.get("Prompt Tokens"),
            writing_s=values.get("gen t"),
            setup=Setup(layers_on_device=int(values["gpu layers"])) if "gpu layers" in values else None,
        )
        for lines, values in groups
        if "Tokens/Second" in values
    ]
