"""Does a measurement of one's own machine change its other predictions as it should, and is nonsense refused?"""

import math
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from pysim import BadValue, Deployment, Estimate, Measurement, load_device, load_model
from pysim.engines.calibration import NOTHING, Calibration, Correction, Measured, difference

ON = Deployment(load_model("llama-3.1-8b"), load_device("rtx-4090"), weight_format="q4_k_m", engine="llama.cpp")


def asked(on: Deployment, batch: int = 1, speed: str = "typical") -> Estimate:
    return on.estimate(prompt_tokens=512, output_tokens=129, batch=batch, speed=speed)


def decode_of(on: Deployment, batch: int = 1) -> float:
    return asked(on, batch).decode_tokens_per_s or 0.0


def width(on: Deployment, field: str = "tpot_s") -> float:
    band = asked(on).band
    assert band is not None
    return math.log(band[field][1] / band[field][0])


def slower_by(times: float) -> Measurement:
    return Measurement(decode_tokens_per_s=decode_of(ON) / times, prompt_tokens=512)


def test_a_machine_as_usual_keeps_its_predictions_in_a_narrower_band() -> None:
    calibrated = ON.calibrated(slower_by(1.0))
    assert decode_of(calibrated) == pytest.approx(decode_of(ON))
    assert width(calibrated) <= width(ON)


def test_a_slower_machine_is_predicted_slower_but_not_by_all_of_it() -> None:
    once, again = decode_of(ON), decode_of(ON.calibrated(slower_by(1.3)))
    assert once / 1.3 <= again < once
    assert width(ON.calibrated(slower_by(1.3))) < width(ON)


def test_the_share_that_carries_over_is_that_of_the_constants() -> None:
    measured = Measured(
        phase="decode", log_ratio=0.2, model="llama-3.1-8b", weight_format="Q4_K_M", is_moe=False, batched=False
    )
    known = Calibration(measured=(measured,))
    same = known.correction("decode", "llama-3.1-8b", "Q4_K_M", is_moe=False, batched=False)
    assert 0.0 < same.log_factor <= 0.2
    assert decode_of(replace(ON, calibration=known)) == pytest.approx(decode_of(ON) / math.exp(same.log_factor))
    assert known.correction("prefill", "llama-3.1-8b", "Q4_K_M", is_moe=False, batched=False) == NOTHING


def test_another_phase_stays_as_it_is() -> None:
    calibrated = ON.calibrated(slower_by(1.4))
    assert asked(calibrated).ttft_s == asked(ON).ttft_s
    assert width(calibrated, "ttft_s") == pytest.approx(width(ON, "ttft_s"))


def test_prefill_is_calibrated_by_prefill() -> None:
    usual = asked(ON).prefill_tokens_per_s
    calibrated = ON.calibrated(Measurement(prefill_tokens_per_s=usual / 1.5, prompt_tokens=512))
    assert usual / 1.5 <= asked(calibrated).prefill_tokens_per_s < usual
    assert decode_of(calibrated) == decode_of(ON)


def test_another_model_and_format_may_have_been_measured() -> None:
    other = replace(ON, model=load_model("qwen3-8b"), weight_format="q8_0")
    measured = decode_of(other) / 1.3
    calibrated = ON.calibrated(
        Measurement(decode_tokens_per_s=measured, model=load_model("qwen3-8b"), weight_format="q8_0", prompt_tokens=512)
    )
    assert decode_of(ON) / 1.3 <= decode_of(calibrated) < decode_of(ON)
    rounding = 1 + 1e-12
    assert width(ON.calibrated(slower_by(1.3))) <= width(calibrated) <= width(ON) * rounding


def test_two_measurements_count_together_and_the_nearer_one_decides() -> None:
    one, other = ON.calibrated(slower_by(1.1)), ON.calibrated(slower_by(1.2))
    both = ON.calibrated(slower_by(1.1), slower_by(1.2))
    assert decode_of(both) == pytest.approx(math.sqrt(decode_of(one) * decode_of(other)))


def test_a_calibrated_deployment_answers_every_question_alike() -> None:
    calibrated = ON.calibrated(slower_by(1.3), Measurement(prefill_tokens_per_s=3000, prompt_tokens=512))
    one = calibrated.estimate(prompt_tokens=2000, output_tokens=100, batch=4)
    many = calibrated.estimate_many(prompt_tokens=np.array([2000, 10]), output_tokens=100, batch=np.array([4, 1]))
    assert many.ttft_s[0] == pytest.approx(one.ttft_s)
    assert many.tpot_s[0] == pytest.approx(one.tpot_s)
    assert many.band is not None
    assert one.band is not None
    assert many.band["tpot_s"][0][0] == pytest.approx(one.band["tpot_s"][0])
    alone = calibrated.estimate(prompt_tokens=512, output_tokens=2)
    passes = calibrated.pass_cost(512, 0).time_s, calibrated.pass_cost(1, 512).time_s
    assert passes == pytest.approx((alone.ttft_s, alone.tpot_s))


def test_a_calibrated_deployment_stays_frozen_hashable_and_can_be_sent_elsewhere() -> None:
    one, other = ON.calibrated(slower_by(1.3)), ON.calibrated(slower_by(1.3))
    assert one == other
    assert hash(one) == hash(other)
    assert one != ON
    assert isinstance(one, Deployment)
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(FrozenInstanceError):
        one.calibration = None  # type: ignore[misc]


def test_the_best_case_is_not_calibrated() -> None:
    calibrated = ON.calibrated(slower_by(1.3))
    assert asked(calibrated, speed="datasheet") == asked(ON, speed="datasheet")


def test_a_new_measurement_replaces_the_old_one() -> None:
    assert ON.calibrated(slower_by(1.3)).calibrated(slower_by(1.1)) == ON.calibrated(slower_by(1.1))


@pytest.mark.parametrize(
    ("speed", "message"),
    [
        # 4.9 GB of weights through 1008 GB/s are at most 215 tokens/s.
        (400.0, "speculative decoding"),
        (2_000.0, "several sequences combined"),
        (200_000.0, "another unit"),
    ],
)
def test_a_speed_beyond_the_datasheet_is_refused_with_what_it_may_be(speed: float, message: str) -> None:
    with pytest.raises(BadValue, match=message) as refused:
        ON.calibrated(Measurement(decode_tokens_per_s=speed))
    assert "1.008 TB/s" in str(refused.value)


def test_a_total_taken_for_one_sequences_speed_is_recognised() -> None:
    total = 16 * decode_of(ON, batch=16)
    with pytest.raises(BadValue, match="all 16 sequences combined"):
        ON.calibrated(Measurement(decode_tokens_per_s=total, batch=16))


def test_a_prompt_that_came_from_a_cache_is_recognised() -> None:
    with pytest.raises(BadValue, match="prompt cache"):
        ON.calibrated(Measurement(prefill_tokens_per_s=100_000, prompt_tokens=4096))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "needs prefill_tokens_per_s, decode_tokens_per_s or both"),
        ({"decode_tokens_per_s": 0.0}, "more than 0"),
        ({"decode_tokens_per_s": float("nan")}, "finite"),
        ({"decode_tokens_per_s": float("inf")}, "finite"),
        ({"prefill_tokens_per_s": -1.0}, "more than 0"),
        ({"decode_tokens_per_s": "47"}, "must be a number"),
        ({"decode_tokens_per_s": 47.0, "batch": 0}, "batch must be"),
        ({"decode_tokens_per_s": 47.0, "prompt_tokens": 0}, "prompt_tokens must be"),
        ({"prefill_tokens_per_s": 47.0, "prompt_tokens": 4}, "says nothing about reading speed"),
        ({"decode_tokens_per_s": 47.0, "model": "llama-3.1-8b"}, "load_model"),
    ],
)
def test_a_measurement_that_is_none_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(BadValue, match=message):
        Measurement(**given)  # type: ignore[arg-type]


def test_a_run_that_cannot_be_this_one_is_refused() -> None:
    with pytest.raises(BadValue, match="times slower than Llama"):
        ON.calibrated(Measurement(decode_tokens_per_s=2.0))
    with pytest.raises(BadValue, match="can't have been measured on this device"):
        ON.calibrated(Measurement(decode_tokens_per_s=2.0, model=load_model("llama-3.1-70b"), weight_format="f16"))
    with pytest.raises(BadValue, match="which measurement"):
        ON.calibrated()


def test_two_measurements_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(BadValue, match="two measurements of decode contradict each other"):
        ON.calibrated(slower_by(1.0), slower_by(3.0))


def test_the_greatest_difference_counts() -> None:
    same = {"same_model": True, "same_format": True, "same_kind": True, "same_batch": True}
    assert difference(**same) == "length"
    assert difference(**(same | {"same_format": False})) == "format"
    assert difference(**(same | {"same_format": False, "same_model": False})) == "model"
    assert difference(**(same | {"same_model": False, "same_kind": False})) == "kind"
    assert difference(**(same | {"same_model": False, "same_batch": False})) == "batch"


def test_a_band_is_never_made_wider() -> None:
    assert Correction(log_factor=0.0, low=-0.5, high=0.5).narrowed((-0.1, 0.2)) == (-0.1, 0.2)
    assert Correction(log_factor=0.0, low=-0.05, high=0.5).narrowed((-0.1, 0.2)) == (-0.05, 0.2)
