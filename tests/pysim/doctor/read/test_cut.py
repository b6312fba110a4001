"""Is what a half-cut text says either what the whole text says, or not there?"""

import dataclasses

import pytest

from pysim.doctor.find import read
from pysim.doctor.read.llama_cpp.only_setup import TOOL as LOADED
from pysim.doctor.read.prose import TOOL as SENTENCE
from pysim.doctor.read.run import Latency, Run
from tests.pysim.doctor.samples import names, sample

# What a cut text may say otherwise: where it ends, and what its figures are called and doubted for.
ELSEWHERE = {"line", "last_line", "doubts", "untrusted", "kind", "label", "tool", "setup"}
# An average over what came before the cut is another average; a log of requests is as long as it is.
OVER_ALL = {"mlx_lm_benchmark.txt", "llm_bench_average.txt", "sglang_batch.txt", "ollama_log.txt"}
# What a running request has reached grows; what its line is about stands behind its figures.
GROWING = {"vllm_progress.txt", "llama_server_running.txt", "llama_server_stream.txt", "llama_server_ik.txt"}
TWO_IN_A_LINE = {"llama_bench_turned.txt"}
ENGINES = [name for name in names() if name not in OVER_ALL | GROWING | TWO_IN_A_LINE]


def facts(value: Run | Latency) -> dict[str, object]:
    return {
        field.name: known
        for field in dataclasses.fields(value)
        if field.name not in ELSEWHERE and (known := getattr(value, field.name)) is not None
    }


def agrees(part: object, whole: object) -> bool:
    if isinstance(part, Latency) and isinstance(whole, Latency):
        return facts(part).items() <= facts(whole).items()
    return part == whole


@pytest.mark.parametrize("name", ENGINES)
def test_a_cut_text_says_nothing_that_the_whole_one_denies(name: str) -> None:
    raw = sample(name)
    whole = {(run.tool, run.line): run for run in read(raw).runs}
    # Steps of 7 characters meet every kind of place over all samples.
    for end in range(1, len(raw), 7):
        for run in read(raw[:end]).runs:
            if run.tool in (SENTENCE, LOADED):
                continue  # half of a tool's line is a sentence with a speed, a log before its times a setup
            full = whole[run.tool, run.line]
            wrong = {key: value for key, value in facts(run).items() if not agrees(value, getattr(full, key))}
            assert not wrong, repr(raw[end - 30 : end])


@pytest.mark.parametrize(
    "name", ["vllm_serve.txt", "ollama_verbose.txt", "trtllm_bench.txt", "mlx_lm.txt", "torchchat.txt"]
)
def test_what_is_missing_is_named_wherever_a_text_broke_off(name: str) -> None:
    raw = sample(name)
    full = read(raw)
    for end in range(1, len(raw), 7):
        part = read(raw[:end])
        lacking = [run for run in part.runs if facts(run).keys() < facts(full.runs[0]).keys()]
        figures = {"decode_tokens_per_s", "ttft", "prefill_tokens_per_s"} & facts(full.runs[0]).keys()
        if any(not figures <= facts(run).keys() for run in lacking):
            assert part.gaps, repr(raw[end - 30 : end])
