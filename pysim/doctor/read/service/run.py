"""What do a load generator's figures say, and what in them is waiting, not the speed of a phase?"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pysim.doctor.read.run import Gap, Latency, Run, Setup
from pysim.doctor.read.service.block import ResultBlock
from pysim.doctor.read.text import Text

# By Little's law, requests before their first token = arrivals per second × mean TTFT. An engine reads a few
# prompts at once; more than these stand in a queue.
_READ_AT_ONCE: Final = 3.0
_MODEL: Final = re.compile(
    r"(?:--(?:model|model-path|model_id|served-model-name|hf-model)[ =]{1,4}|\bmodel(?:_id|_path)?="
    r"|(?<!python)(?<!python3)\s-m )"
    r"['\"]?([\w./:@+-]{2,160})"
)
_LINES_ABOVE: Final = 80


def model_above(text: Text, at: int) -> str | None:
    """The model that a command or a list of arguments names in the lines above index `at`, the nearest one."""
    for line in reversed(text.lines[max(0, at - _LINES_ABOVE) : at]):
        if "model" in line.text or " -m " in line.text:
            match = _MODEL.search(line.text)
            if match is not None and match[1].lower() not in ("none", "null"):
                return match[1]
    return None


def tpot_speed(tpot: Latency | None) -> float | None:
    """Tokens per second of one request, from its mean time per token after the first."""
    return 1 / tpot.mean_s if tpot is not None and tpot.mean_s else None


def block_run(block: ResultBlock, text: Text, *, tool: str, engine: str | None) -> Run:
    """A block's figures as a run of kind "service"."""
    requests = block.count("successful requests")
    prompt = _total(block, "total input tokens", "input token throughput (tok/s)")
    output = _total(block, "total generated tokens", "output token throughput (tok/s)")
    tpot = block.latency("tpot")
    limit = block.count("maximum request concurrency")
    rate = block.value("request rate configured (rps)")
    return with_doubts(
        Run(
            tool=tool,
            kind="service",
            line=block.line,
            last_line=block.last_line,
            engine=engine,
            setup=Setup(model=model_above(text, block.at)),
            requests=requests,
            failed_requests=block.count("failed requests"),
            prompt_tokens=prompt / requests if prompt is not None and requests else None,
            output_tokens=output / requests if output is not None and requests else None,
            request_rate_per_s=block.value("traffic request rate") if rate is None else rate,
            request_throughput_per_s=block.value("request throughput (req/s)"),
            concurrency_limit=block.count("max request concurrency") if limit is None else limit,
            total_s=block.value("benchmark duration (s)"),
            total_prefill_tokens_per_s=_input_rate(block),
            decode_tokens_per_s=tpot_speed(tpot),
            decode_total_tokens_per_s=block.value("output token throughput (tok/s)"),
            combined_tokens_per_s=block.value("total token throughput (tok/s)"),
            sequences=block.value("concurrency"),
            ttft=block.latency("ttft"),
            tpot=tpot,
            itl=block.latency("itl"),
            end_to_end=block.latency("end_to_end"),
        )
    )


def _total(block: ResultBlock, label: str, rate: str) -> float | None:
    """Tokens of all requests: as printed, or what the rate over the whole time makes of it."""
    printed, per_s, duration_s = block.value(label), block.value(rate), block.value("benchmark duration (s)")
    if printed is not None or not block.of_another or per_s is None or duration_s is None:
        return printed
    return per_s * duration_s


def block_gaps(block: ResultBlock) -> list[Gap]:
    """What a whole block would have that this one has not."""
    missing = [
        name
        for name, there in (
            ("the number of requests", "successful requests" in block.words),
            ("the duration", "benchmark duration (s)" in block.words),
            ("the input tokens", "total input tokens" in block.words or block.of_another),
            ("the output tokens", "total generated tokens" in block.words or block.of_another),
            ("TTFT", block.latency("ttft") is not None),
            ("the time per output token", block.latency("tpot") is not None or block.latency("itl") is not None),
        )
        if not there
    ]
    if not missing:
        return []
    what = "this program's block does not have all" if block.of_another else "the result block is cut off"
    return [Gap(line=block.last_line, message=f"{what}: {', '.join(missing)} missing")]


def _input_rate(block: ResultBlock) -> float | None:
    printed = block.value("input token throughput (tok/s)")
    prompt, duration = block.value("total input tokens"), block.value("benchmark duration (s)")
    if printed is not None or prompt is None or not duration:
        return printed
    return prompt / duration


def with_doubts(run: Run) -> Run:
    """The same run with what its latencies cannot mean."""
    doubts = [*run.doubts, *_of_first_token(run), *_of_tokens(run)]
    if run.failed_requests:
        doubts.append(f"{run.failed_requests} requests failed; no figure counts them")
    return replace(run, doubts=tuple(doubts))


def waiting_requests(run: Run) -> float | None:
    """How many requests at a time were waiting for their first token, on average."""
    ttft = None if run.ttft is None else run.ttft.mean_s
    finished = run.request_throughput_per_s
    if finished is None and run.requests and run.total_s:
        finished = run.requests / run.total_s
    return None if ttft is None or finished is None else finished * ttft


def _of_first_token(run: Run) -> list[str]:
    ttft = None if run.ttft is None else run.ttft.mean_s
    end = None if run.end_to_end is None else run.end_to_end.mean_s
    waiting = waiting_requests(run)
    doubts = []
    if waiting is not None and waiting > _READ_AT_ONCE:
        doubts.append(
            f"on average {waiting:.0f} requests at a time were waiting for their first token, "
            "so TTFT here is mostly waiting in a queue, not reading"
        )
    many = run.output_tokens is None or run.output_tokens > 2
    if ttft and end and ttft > 0.99 * end and many:
        doubts.append(
            "TTFT equals the time of the whole request: the answers were not streamed, so the phases can't be separated"
        )
    return doubts


def _of_tokens(run: Run) -> list[str]:
    doubts = []
    if run.output_tokens is not None and run.output_tokens < 3:
        doubts.append(
            f"answers had {run.output_tokens:.3g} tokens on average: times per output token mean nothing at that length"
        )
    elif (run.tpot is not None and run.tpot.mean_s == 0) or (run.itl is not None and run.itl.mean_s == 0):
        doubts.append("no time between tokens: the answers arrived in one piece, so writing was not timed")
    itl = run.itl
    if itl is not None and itl.mean_s and itl.p99_s and itl.mean_s > itl.p99_s:
        doubts.append(
            "the mean time between tokens is above its P99: a few very long pauses, as other requests' prefills cause"
        )
    return doubts
