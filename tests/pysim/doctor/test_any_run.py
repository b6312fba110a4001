"""Does every reading get a diagnosis, however odd its figures are?"""

import dataclasses
import json
import math
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.cli.output import print_json
from pysim.doctor.case import Diagnosis
from pysim.doctor.diagnose import judge
from pysim.doctor.judge.setups import Choices
from pysim.doctor.read.run import Latency, Reading, Run, RunKind, Setup
from pysim.doctor.show.as_json import FORMAT, as_json
from pysim.doctor.show.terminal import as_lines
from pysim.load import load_device, load_model

NUMBERS = st.one_of(
    st.none(), st.just(0.0), st.floats(1e-9, 1e-3), st.floats(1e-3, 1e4), st.floats(1e4, 1e30), st.just(math.inf)
)
COUNTS = st.one_of(st.none(), st.integers(0, 10), st.integers(0, 10**18))
WORDS = st.one_of(
    st.none(),
    st.sampled_from(
        ["", " ", "llama 8B Q4_K - Medium", "qwen3moe 30B.A3B", "mistral", "deepseek-r1:8b", "NVIDIA GeForce RTX 4090",
         "Apple M2 Max", "Radeon 8060S, RTX 4090", "CUDA", "CPU", "f16", "q8_0", "exps=CPU", "?"]
    ),
    st.text(max_size=40),
)  # fmt: skip
LATENCIES = st.one_of(st.none(), st.builds(Latency, **{field.name: NUMBERS for field in dataclasses.fields(Latency)}))


def any_of(annotation: str) -> st.SearchStrategy[object]:
    if "bool" in annotation:
        return st.sampled_from([None, True, False])
    if "float" in annotation:
        return NUMBERS
    if "int" in annotation:
        return COUNTS
    return LATENCIES if "Latency" in annotation else WORDS


SETUPS = st.builds(Setup, **{field.name: any_of(str(field.type)) for field in dataclasses.fields(Setup)})
FIXED: dict[str, st.SearchStrategy[object]] = {
    "tool": st.sampled_from(["llama-bench", "ollama --verbose", "vllm bench serve", "a tool"]),
    "kind": st.sampled_from(get_args(RunKind)),
    "line": st.integers(1, 50),
    "last_line": st.integers(50, 99),
    "label": st.just(""),
    "engine": st.sampled_from([None, "llama.cpp", "vllm", "mlx-lm", "an engine"]),
    "setup": SETUPS,
    "doubts": st.just(()),
    "untrusted": st.sampled_from([(), ("prefill_s",)]),
}
RUNS = st.builds(
    Run,
    **{
        field.name: FIXED[field.name] if field.name in FIXED else any_of(str(field.type))
        for field in dataclasses.fields(Run)
    },
)
CHOICES = st.sampled_from(
    [
        Choices(),
        Choices(model=load_model("llama-3.1-8b"), device=load_device("rtx-4090"), weights="Q4_K_M"),
        Choices(model=load_model("gpt-oss-20b"), device=load_device("apple-m2-max-38c"), weights="MXFP4"),
    ]
)


def checked(diagnosis: Diagnosis) -> None:
    for case in diagnosis.cases:
        assert math.fsum(case.shares.values()) == pytest.approx(1.0) or not case.shares
        assert (case.slow is None) == (not case.shares)
        assert len(case.advice) <= 3
        for advice in case.advice:
            assert advice.low is None or advice.high is None or 0 < advice.low <= advice.high
        for phase in (case.prefill, case.decode):
            if phase is not None and phase.typical is not None:
                band = phase.typical
                assert 0 <= band.low_tokens_per_s <= band.typical_tokens_per_s <= band.high_tokens_per_s
            assert phase is None or phase.doubt is None or phase.verdict is None


@settings(deadline=None, max_examples=150)
@given(runs=st.lists(RUNS, min_size=1, max_size=4), chosen=CHOICES)
def test_no_figures_break_the_judge(runs: list[Run], chosen: Choices) -> None:
    diagnosis = judge(Reading(runs=tuple(runs), lines=99), chosen)
    checked(diagnosis)
    assert as_lines(diagnosis)
    assert json.loads(json.dumps(as_json(diagnosis)))["format"] == FORMAT


def test_what_is_not_finite_is_null_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(tool="a tool", kind="request", line=1, last_line=2, prompt_tokens=math.inf, prefill_s=1.0)
    print_json(as_json(judge(Reading(runs=(run,), lines=2), Choices())))
    assert json.loads(capsys.readouterr().out)["cases"][0]["runs"][0]["prompt_tokens"] is None
