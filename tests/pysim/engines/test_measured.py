"""Is the measured efficiency of a run that of its groups, and how far do such runs scatter?"""

import pytest

import pysim
from pysim.engines.groups import PACKED, format_class, group_names
from pysim.engines.measured import facts_of, measured_efficiency, spread
from pysim.engines.names import TYPICAL, backend_name
from pysim.formats.names import weight_format

RTX_4090 = pysim.load_device("rtx-4090")


def _facts(engine: str, weights: str = "Q4_K_M", backend: str | None = None) -> dict[str, str]:
    return facts_of(RTX_4090, engine, backend, weight_format(weights), is_moe=False)


@pytest.mark.parametrize(
    ("weights", "kernel"),
    [
        ("F16", "16-bit"),
        ("Q4_K_M", "k-quant"),
        ("IQ2_XXS", "codebook"),
        ("Q8_0", "packed 8-bit"),
        ("AWQ-INT4", "packed"),
    ],
)
def test_formats_of_a_class_are_multiplied_by_the_same_kernel(weights: str, kernel: str) -> None:
    assert format_class(weight_format(weights)) == kernel


def test_a_run_belongs_to_no_group_of_a_fact_that_it_does_not_have() -> None:
    groups = group_names(_facts("vLLM", "FP8"))
    assert groups["cell"] == "vllm/nvidia-geforce"
    assert groups["kind"] == "dense"
    # CUDA is what such a device has anyway, and FP8 is multiplied as it is stored, without unpacking.
    assert not {"backend", "packing"} & set(groups)


def test_the_backend_that_a_family_usually_has_is_no_group_of_its_own() -> None:
    assert backend_name("CUDA 12.1", "nvidia-geforce") == ""
    assert backend_name("Vulkan (RADV)", "amd-radeon") == "vulkan"
    assert backend_name("hip+hipblaslt", "amd-apu") == "hipblaslt"


def test_an_engine_that_nobody_measured_is_taken_for_a_typical_one() -> None:
    assert measured_efficiency(_facts("ScaleLLM")) == measured_efficiency(_facts(TYPICAL))
    assert measured_efficiency(_facts("vLLM")) != measured_efficiency(_facts(TYPICAL))


def test_a_program_reaches_what_its_engine_reaches() -> None:
    assert measured_efficiency(_facts("KoboldCpp")) == measured_efficiency(_facts("llama.cpp"))


@pytest.mark.parametrize("engine", ["llama.cpp", "vLLM", TYPICAL])
def test_unpacking_weights_never_makes_matrices_faster(engine: str) -> None:
    plain = measured_efficiency(_facts(engine, "F16")).matrix
    packed = [name for name in ("Q4_K_M", "Q8_0", "IQ2_XXS", "AWQ-INT4") if format_class(weight_format(name)) in PACKED]
    assert len(packed) == 4
    assert all(measured_efficiency(_facts(engine, name)).matrix <= plain for name in packed)


def test_runs_of_an_engine_that_was_measured_on_the_family_are_said_to_be_fitted() -> None:
    assert spread(_facts("llama.cpp")).fitted
    unknown = spread(_facts("ScaleLLM"))
    assert not unknown.fitted
    # One run in ten is faster than the one bound, one in ten slower than the other.
    assert unknown.decode[0] < 0 < unknown.decode[1]
