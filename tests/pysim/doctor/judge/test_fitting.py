"""Whether a model fits: has the doctor one answer to it, that of the placement?"""

from dataclasses import replace

from pysim.deployment import Deployment
from pysim.doctor.advise.changed_runs import fits
from pysim.doctor.diagnose import judge
from pysim.doctor.judge.prediction import PossibleRun, predicted
from pysim.doctor.judge.setups import Choices
from pysim.doctor.read.run import Reading, Run, Setup
from pysim.load import load_device, load_model

CARD = load_device("rtx-4090")
RUN = Run(
    tool="llama-server", kind="request", line=1, last_line=3, engine="llama.cpp", prompt_tokens=512, prefill_s=0.06,
    output_tokens=200, decode_s=4.0, decode_passes=200, setup=Setup(model="llama 8B", weights="F16", backend="CUDA"),
)  # fmt: skip


def _questions(memory_bytes: float, n_devices: int, run: Run = RUN) -> dict[str, str]:
    chosen = Choices(device=replace(CARD, memory_bytes=memory_bytes), n_devices=n_devices)
    (case,) = judge(Reading(runs=(run,), lines=3), chosen).cases
    return {question.kind: question.message for question in case.cannot_tell}


def test_three_devices_do_not_fit_when_the_fullest_of_them_does_not() -> None:
    # Three times 5.6 GB are more than all 16.06 GB of weights. But the first device holds 11 of 32 layers of
    # 218,112,000 parameters, the table of 128,256 x 4,096, and of 712 tokens 11/32 of 131,072 B each: 5.88 GB.
    assert (11 * 218_112_000 + 128_256 * 4_096) * 2 + 712 * 131_072 * 11 / 32 > 5.875e9
    message = _questions(5.6e9, 3)["does not fit"]
    assert "weights and cache on the fullest of 3 devices, 5.88 GB, do not fit in its 5.60 GB" in message
    assert "does not fit" not in _questions(5.9e9, 3)


def test_one_device_does_not_fit_by_weights_and_cache_together() -> None:
    # 16.06 GB of weights and 712 x 131,072 B of cache are 16.15 GB.
    assert "weights and cache of 16.2 GB do not fit in 16.1 GB" in _questions(16.1e9, 1)["does not fit"]
    assert "does not fit" not in _questions(16.2e9, 1)


def test_a_stated_size_of_the_file_does_not_contradict_the_placement_of_a_known_model() -> None:
    stated = replace(RUN, setup=replace(RUN.setup, weights_bytes=17e9))
    assert "does not fit" not in _questions(16.5e9, 1, stated)


def test_the_memories_of_a_run_are_those_of_its_prediction() -> None:
    for memory_bytes in (16.0e9, 16.1e9, 16.14e9, 16.16e9, 17.0e9):
        on = Deployment(load_model("llama-3.1-8b"), replace(CARD, memory_bytes=memory_bytes))
        run = PossibleRun(
            on=on, sequences=1, answer_sequences=1, prompt_tokens=512, prompt_depth_tokens=0, output_tokens=200,
            decode_depth_tokens=512,
        )  # fmt: skip
        prediction = predicted(run, "decode")
        assert prediction is not None
        assert run.memories.fits is prediction.fits
        # 16.15 GB fill 93% of 17.37 GB.
        assert fits(run) is False
    assert fits(replace(run, on=replace(on, device=replace(CARD, memory_bytes=17.4e9))))
