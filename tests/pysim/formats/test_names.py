"""Do weights and caches take the bytes that files of them take?"""

import csv
from pathlib import Path

import pytest

from pysim import BadValue, load_model, model_keys, weights_bytes
from pysim.formats.gguf import RECIPES, type_bits
from pysim.formats.names import kv_format, kv_formats, weight_format, weight_formats
from pysim.memory.weights import stored_weights
from pysim.models.parameters import parameters

GIB = 2**30
SIZES = list(csv.DictReader((Path(__file__).parent / "data" / "gguf_sizes.csv").read_text("utf-8").splitlines()))
EVERY_FORMAT = pytest.mark.parametrize("name", weight_formats())

# Every name of a weight format in the published measurements that the fit is made from.
MEASURED_NAMES = (
    "AWQ", "AWQ-INT4", "BF16", "EXL2 2.5 bpw", "EXL2 3.0 bpw", "EXL2 4.0 bpw", "EXL2 5.0 bpw", "F16", "FP16", "FP4",
    "FP4 (submission; see its README)", "FP8", "GPTQ 4-bit g128", "GPTQ-Int4", "GPTQ-Int8", "INT4 GPTQ", "INT4-MIXED",
    "INT8-CW", "IQ2_M - 2.7 bpw", "IQ2_XS - 2.3125 bpw", "IQ2_XXS - 2.0625 bpw", "IQ3_S - 3.4375 bpw",
    "IQ3_XXS - 3.0625 bpw", "IQ4_NL - 4.5 bpw", "IQ4_XS", "IQ4_XS - 4.25 bpw", "MXFP4", "Q2_K - Small", "Q3_K - Small",
    "Q4_0", "Q4_0 (ollama default)", "Q4_K - Small", "Q4_K_M", "Q4_K_M (imatrix)", "Q4_K_M (ollama default)", "Q5_0",
    "Q5_K - Small", "Q6_K", "Q8_0", "UD-Q3_K_XL", "UD-Q4_K_XL", "listed as BF16 (MXFP4 experts)",
    "mlx q4", "mlx q5", "mlx q5 g32", "mlx q6", "mlx q8",
)  # fmt: skip


@EVERY_FORMAT
def test_a_format_has_a_source_and_bits_that_can_be(name: str) -> None:
    how = weight_format(name)
    assert 1.5 < how.expert_bits <= how.bits_per_weight <= 32
    assert how.expert_bits <= how.beside_experts_bits <= 32
    assert how.source
    assert weight_format(name.lower()) == weight_format(name.upper()) == weight_format(f" {name} (a remark)") == how


@pytest.mark.parametrize("key", model_keys())
def test_quantizing_never_adds_bytes(key: str) -> None:
    model = load_model(key)
    for name in weight_formats():
        stored = stored_weights(model, name)
        most = 4 if name == "F32" else 2
        assert 1.5 / 8 * parameters(model).total < stored.total_bytes <= most * parameters(model).total
        parts = (stored.layers_bytes, stored.experts_bytes, stored.head_bytes, stored.embedding_bytes)
        assert sum(parts) + stored.other_bytes == pytest.approx(stored.total_bytes, rel=1e-12)
        # Beside an input table of its own, tables that each layer looks up.
        assert (stored.embedding_bytes == 0) == (model.tie_word_embeddings and not model.table_params)
        assert (stored.experts_bytes > 0) == model.is_moe


@pytest.mark.parametrize("name", MEASURED_NAMES)
def test_names_that_people_use_are_known(name: str) -> None:
    assert weight_format(name).bits_per_weight > 0
    assert weight_format(name.lower()) == weight_format(name)


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("f32", 32), ("f16", 16), ("bf16", 16), ("fp8", 8), ("int8", 8), ("8-bit", 8),
        ("q8_0", 8 + 16 / 32), ("q4_0", 4 + 16 / 32), ("q4_1", 4 + 32 / 32), ("q5_0", 5 + 16 / 32), ("q5_1", 6),
        ("q6_k", 8 * 210 / 256), ("iq4_xs", 4.25), ("iq2_xxs", 2.0625), ("mlx q4", 4 + 32 / 64), ("mlx q5 g32", 6),
        ("gptq-int4", 4 + 20 / 128), ("awq", 4 + 20 / 128), ("gptq-int8", 8 + 24 / 128), ("awq-int4-g32", 4 + 20 / 32),
        ("exl2 3.0 bpw", 3), ("nvfp4", 4 + 8 / 16), ("nf4", 4 + 8 / 64 + 32 / (64 * 256)),
        ("nf4-single", 4.5), ("w4a16-g32", 4.5), ("w8a16-cw", 8),
    ],
)  # fmt: skip
def test_true_bits_count_scales_and_zero_points(name: str, bits: float) -> None:
    assert weight_format(name).bits_per_weight == bits


@pytest.mark.parametrize(
    ("name", "same_as"),
    [
        ("UD-Q5_0", "Q5_0"), ("MXFP4_MOE", "MXFP4"), ("Q4_0_8_8", "Q4_0"), ("Q4_K - Medium", "Q4_K_M"),
        ("q4_k", "Q4_K_M"), ("Q3_K - Large", "Q3_K_L"), ("W4A16", "GPTQ-INT4"), ("FP8-dynamic", "FP8"),
        ("mlx 4-bit", "MLX q4"), ("int4 awq", "AWQ-INT4"), ("fp4", "NVFP4"), ("half", "F16"),
    ],
)  # fmt: skip
def test_other_spellings_mean_the_same(name: str, same_as: str) -> None:
    assert weight_format(name) == weight_format(same_as)


def test_mxfp4_holds_experts_in_4_25_bits_and_the_rest_of_a_mixture_in_8_5() -> None:
    how = weight_format("mxfp4")
    assert how.expert_bits == how.bits_per_weight == 4 + 8 / 32
    assert how.beside_experts_bits == 8.5


@pytest.mark.parametrize("row", SIZES, ids=lambda row: f"{row['model']} {row['weights']}")
def test_a_file_is_as_large_as_reported(row: dict[str, str]) -> None:
    size = weights_bytes(load_model(row["model"]), row["weights"])
    # Google's own Q4_0 of Gemma 3 keeps the table in Q8_0; reported sizes are rounded to 0.01 GiB.
    within = 0.07 if row["model"] == "gemma-3-4b" else 0.006
    assert size / GIB == pytest.approx(float(row["reported_gib"]), rel=within)


def test_half_of_all_files_come_out_within_a_thousandth() -> None:
    errors = sorted(
        abs(weights_bytes(load_model(row["model"]), row["weights"]) / GIB / float(row["reported_gib"]) - 1)
        for row in SIZES
    )
    assert errors[len(errors) // 2] < 0.001


def test_sixteen_bits_are_two_bytes_for_every_parameter() -> None:
    assert weights_bytes(load_model("llama-3.1-8b")) == 2 * 8_030_261_248
    assert weights_bytes(load_model("llama-3.1-8b"), "f32") == 4 * 8_030_261_248


def test_packed_checkpoints_keep_their_tables_in_sixteen_bits() -> None:
    # Llama-2-7B as AWQ: 2 tables of 32000 x 4096 in 2 bytes and 6,476,005,376 weights in 4.15625 bits: 3.89 GB.
    model = load_model("llama-2-7b")
    expected = 2 * 32000 * 4096 * 2 + 32 * (4 * 4096**2 + 3 * 4096 * 11008) * (4 + 20 / 128) / 8
    assert weights_bytes(model, "awq") == pytest.approx(expected, rel=1e-3)


def test_rows_that_do_not_fill_a_block_of_256_take_the_wider_type() -> None:
    # SmolLM2-135M: rows of 576; llama.cpp stores Q4_K as Q5_0 and Q6_K as Q8_0 there.
    model = load_model("smollm2-135m")
    assert stored_weights(model, "q4_k_m").head_bytes == parameters(model).head * 34 / 32
    assert weights_bytes(model, "q4_k_m") > weights_bytes(model, "q4_0")


def test_the_traced_file_is_as_large_as_it_was() -> None:
    # SmolLM2-135M-Instruct, Q8_0: a file of 144.8 MB, of which about 1.8 MB are the vocabulary.
    assert weights_bytes(load_model("smollm2-135m"), "q8_0") == pytest.approx(143.0e6, rel=0.005)


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_mixture_lies_near_its_name(recipe: str) -> None:
    model = load_model("llama-3.1-70b")
    bits = 8 * weights_bytes(model, recipe) / parameters(model).total
    assert type_bits(RECIPES[recipe]) - 0.25 < bits < type_bits(RECIPES[recipe]) + 0.9


@pytest.mark.parametrize("name", ["q9", "", "()", "gptq-int7", "exl2", "4", "q4_k_m_x", "f16, f32", "x" * 10_000])
def test_an_unknown_format_is_one_short_line(name: str) -> None:
    with pytest.raises(BadValue, match="unknown weight format") as caught:
        weight_format(name)
    assert len(str(caught.value)) < 500


def test_a_typo_gets_the_nearest_name() -> None:
    with pytest.raises(BadValue, match="did you mean Q4_K_M"):
        weight_format("q4_km")
    with pytest.raises(BadValue, match="did you mean Q8_0"):
        kv_format("q8-00")


@pytest.mark.parametrize("name", [None, 4, 4.5, b"f16", ["f16"]])
def test_what_is_no_name_is_refused(name: object) -> None:
    for read, kind in ((weight_format, "weight format"), (kv_format, "KV format")):
        with pytest.raises(BadValue, match=f"a {kind} is a name such as"):
            read(name)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "bits"),
    [("f16", 16), ("BF16", 16), ("fp16", 16), ("f32", 32), ("fp8", 8), ("fp8_e5m2", 8), ("int8", 8),
     ("q8_0", 8.5), ("q5_1", 6), ("q5_0", 5.5), ("q4_1", 5), ("Q4_0 (both)", 4.5), ("iq4_nl", 4.5)],
)  # fmt: skip
def test_cache_formats_have_their_true_bits(name: str, bits: float) -> None:
    assert kv_format(name).bits_per_element == bits


def test_every_cache_format_has_a_source() -> None:
    assert all(kv_format(each).source for each in kv_formats())
