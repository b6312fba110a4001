"""Does advice name what is slow here, with the gain that arithmetic gives, and never what is done or does not fit?"""

from dataclasses import replace

import pytest

from pysim.deployment import Deployment
from pysim.doctor.case import Advice, Case
from pysim.doctor.diagnose import judge
from pysim.doctor.judge.setups import Choices
from pysim.doctor.read.run import Latency, Reading, Run, Setup
from pysim.doctor.words import gain_in_words
from pysim.load import load_device, load_model
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.weights import weights_bytes
from pysim.models.parameters import parameters
from pysim.roofline.attention_scores import score_bytes

SETUP = Setup(model="llama 8B", weights="F16", parameters=8.03e9, device="NVIDIA GeForce RTX 4090", backend="CUDA")


def request(setup: Setup = SETUP, engine: str = "llama.cpp", **figures: object) -> Run:
    run = Run(
        tool="llama-server", kind="request", line=1, last_line=3, engine=engine, setup=setup, prompt_tokens=512,
        prefill_s=0.06, output_tokens=200, decode_s=200 / 54.0, decode_passes=200,
    )  # fmt: skip
    return replace(run, **figures)  # type: ignore[arg-type]


def case_of(run: Run, **chosen: object) -> Case:
    (case,) = judge(Reading(runs=(run,), lines=3), Choices(**chosen)).cases  # type: ignore[arg-type]
    return case


def advice(case: Case, kind: str) -> Advice:
    matching = [change for change in case.advice if change.kind == kind]
    assert len(matching) == 1, [change.kind for change in case.advice]
    return matching[0]


def kinds(case: Case) -> list[str]:
    return [change.kind for change in case.advice]


def test_smaller_weights_gain_by_the_bytes_that_they_save() -> None:
    change = advice(case_of(request()), "weights")
    assert "Q4_K_M" in change.what
    assert change.figure == "decode"
    model, device = load_model("llama-3.1-8b"), load_device("rtx-4090")
    ratios = []
    for speed in ("typical", "datasheet"):
        before, after = (
            Deployment(model, device, weight_format=weights, engine="llama.cpp", backend="CUDA")
            .estimate(prompt_tokens=1, output_tokens=201, prompt_depth=511, speed=speed)
            .tpot_s
            for weights in ("f16", "Q4_K_M")
        )
        assert isinstance(before, float)
        assert isinstance(after, float)
        ratios.append(before / after)
    assert change.low == pytest.approx(min(ratios))
    assert change.high == pytest.approx(max(ratios))
    # By the datasheet alone: bytes of a token before and after, the cache in 16 bits both times.
    cache = kv_cache_bytes(model, 612)
    table = parameters(model).embedding
    wide = weights_bytes(model, "f16") - table * 2 + cache
    narrow = weights_bytes(model, "q4_k_m") - table * 4.5 / 8 + cache
    assert change.high == pytest.approx(wide / narrow, rel=0.02)


def test_small_weights_are_not_made_smaller_again() -> None:
    small = replace(SETUP, weights="Q4_K - Medium")
    assert "weights" not in kinds(case_of(request(small, decode_s=200 / 140)))


def test_weights_are_of_the_engine_s_kind() -> None:
    hf = Setup(model="meta-llama/Llama-3.1-8B-Instruct", device="NVIDIA H100 80GB HBM3")
    assert "AWQ-INT4" in advice(case_of(request(hf, "vllm", decode_s=200 / 150)), "weights").what
    mlx = Setup(model="mlx-community/Llama-3.1-8B-bf16", device="Apple M2 Max 38-core")
    assert "MLX q4" in advice(case_of(request(mlx, "mlx-lm", prefill_s=1.0, decode_s=200 / 22)), "weights").what


def test_a_smaller_cache_and_a_shorter_context_help_where_the_cache_is_long() -> None:
    long = replace(SETUP, weights="Q4_K - Medium")
    case = case_of(request(long, depth_tokens=60_000, decode_s=200 / 60))
    assert {"cache", "context"} <= set(kinds(case))
    assert "30,256 tokens from 60,512" in advice(case, "context").what
    short = case_of(request(long, decode_s=200 / 140))
    assert not {"cache", "context"} & set(kinds(short))
    done = case_of(request(replace(long, kv_keys="q8_0", kv_values="q8_0"), depth_tokens=60_000, decode_s=200 / 70))
    assert "cache" not in kinds(done)


def test_a_long_prompt_is_helped_by_what_the_cache_holds_already() -> None:
    figures: dict[str, object] = {"prompt_tokens": 8000, "prefill_s": 1.0, "decode_s": 20 / 90, "output_tokens": 20}
    run = replace(request(replace(SETUP, weights="Q8_0")), decode_passes=20, **figures)  # type: ignore[arg-type]
    change = advice(case_of(run), "prefix")
    assert "7,200 of 8,000 prompt tokens" in change.setting
    assert change.low is not None
    assert change.high is not None
    # Linear layers read a tenth; the attention of that tenth looks back at everything, so it is not ten times.
    assert 5 < change.low <= change.high < 10
    assert "prefix" not in kinds(case_of(replace(run, cached_tokens=4000.0)))


def test_keeping_the_model_loaded_saves_its_load_time() -> None:
    run = replace(request(prefill_s=1.0, decode_s=5.0), tool="ollama --verbose", load_s=4.0, total_s=10.0)
    change = advice(case_of(run), "load")
    assert change.low == change.high == pytest.approx(10 / 6)


def test_layers_left_on_the_host_belong_on_the_device_if_they_fit() -> None:
    half = replace(SETUP, weights="Q8_0", layers_on_device=16)
    case = case_of(request(half, decode_s=200 / 9))
    change = advice(case, "device")
    assert "all layers on the device" in change.what
    assert change.figure == "decode"
    view = case.decode
    assert view is not None
    assert view.typical is not None
    assert change.low == pytest.approx(view.typical.low_tokens_per_s / 9)
    assert change.high == pytest.approx(view.typical.high_tokens_per_s / 9)
    assert view.verdict is None
    assert view.mbu is None


def test_what_does_not_fit_is_advised_in_weights_that_do() -> None:
    large = Setup(model="llama 70B", weights="Q8_0", parameters=70.55e9, device="NVIDIA RTX A6000", layers_on_device=40)
    changes = [change for change in case_of(request(large, decode_s=200 / 2)).advice if change.kind == "device"]
    assert changes
    # 93% of 48 GiB hold 70.55 billion weights of up to 5.4 bits: Q5_K_M has 5.7, Q4_K_M 4.8.
    assert "use Q4_K_M weights" in changes[0].what
    too_large = replace(large, device="NVIDIA GeForce RTX 3060")
    assert "device" not in kinds(case_of(request(too_large, decode_s=200 / 2)))


def test_all_layers_asked_for_in_any_way_is_no_advice() -> None:
    for layers in (99, 33, 32, -1, None):
        assert "device" not in kinds(case_of(request(replace(SETUP, layers_on_device=layers))))


def test_flash_attention_saves_the_way_of_the_scores_through_memory() -> None:
    off = replace(SETUP, weights="Q4_K - Medium", flash_attention=False)
    run = request(off, prompt_tokens=8192, prefill_s=3.0, output_tokens=10, decode_passes=10, decode_s=0.1)
    change = advice(case_of(run), "flash attention")
    # 32 layers of 32 heads, 8192 x 8192 scores of 4 bytes, four times through 1008 GB/s.
    saved = 32 * 32 * 8192 * 8192 * 4 * 4 / 1008e9
    assert score_bytes(load_model("llama-3.1-8b"), 8192, 0) == saved * 1008e9
    assert change.low == pytest.approx(3.0 / (3.0 - saved))
    assert change.high == pytest.approx(3.0 / (3.0 - 1.5 * saved))
    for on in (True, None):
        assert "flash attention" not in kinds(case_of(replace(run, setup=replace(off, flash_attention=on))))


def test_scores_of_windowed_layers_end_at_the_window() -> None:
    gemma = load_model("gemma-3-4b")
    window = gemma.sliding_window
    assert window is not None
    full = gemma.layer_types.count("full_attention")
    seen = full * 9000 + (len(gemma.layer_types) - full) * window
    assert score_bytes(gemma, 1, 8999) == 16 * gemma.num_attention_heads * seen


def test_waiting_is_halved_by_half_the_requests() -> None:
    run = Run(
        tool="a load generator", kind="service", line=1, last_line=9, requests=100, total_s=50.0, prompt_tokens=1000,
        output_tokens=100, total_prefill_tokens_per_s=2000.0, ttft=Latency(mean_s=10.5), tpot=Latency(mean_s=0.05),
    )  # fmt: skip
    # One's own prompt takes 1000 / 2000 = 0.5 s, 10 s are waiting: 0.5 + 5 with half of it.
    change = advice(case_of(run), "queue")
    assert change.low == change.high == pytest.approx(10.5 / 5.5)


def test_more_requests_at_once_help_a_server_that_has_no_queue() -> None:
    run = Run(
        tool="vllm log", kind="window", line=1, last_line=1, engine="vllm", running=4, waiting=0,
        decode_total_tokens_per_s=400.0, setup=Setup(model="Qwen/Qwen3-8B", device="NVIDIA H100 80GB HBM3"),
    )  # fmt: skip
    change = advice(case_of(run), "batch")
    assert change.figure == "all answers"
    assert change.low is not None
    assert 2 < change.low <= 4
    assert "batch" not in kinds(case_of(replace(run, waiting=7)))


def test_a_run_below_its_kind_is_told_how_far() -> None:
    case = case_of(request(decode_s=200 / 20))
    change = advice(case, "below typical")
    assert case.decode is not None
    assert case.decode.typical is not None
    assert change.low == pytest.approx(case.decode.typical.low_tokens_per_s / 20)


def test_guesses_are_worth_what_a_wider_pass_costs() -> None:
    change = advice(case_of(request(replace(SETUP, weights="Q8_0"), decode_s=200 / 100)), "guesses")
    # 1 + a + a² + a³ + a⁴ tokens a pass for chances of 0.4 and 0.75; a pass of five reads hardly more than one.
    assert change.high == pytest.approx(1 + 0.75 + 0.75**2 + 0.75**3 + 0.75**4, rel=0.02)
    assert change.low is not None
    assert 1 < change.low < 1 + 0.4 + 0.4**2 + 0.4**3 + 0.4**4


def test_an_impossible_run_gets_no_advice_from_its_names() -> None:
    # 15.1 GB for each of 200 tokens a second: three times what an RTX 4090 can read.
    case = case_of(request(decode_s=1.0))
    assert case.decode is not None
    assert case.decode.doubt is not None
    assert "2.99 times the bandwidth" in case.decode.doubt
    assert case.decode.verdict is None
    assert not {"weights", "guesses", "cache", "below typical"} & set(kinds(case))
    assert "impossible" in [question.kind for question in case.cannot_tell]


def test_8_bit_arithmetic_beyond_the_16_bit_peak_is_no_fault_but_said() -> None:
    cpu = Setup(model="llama 8B", weights="Q8_0", parameters=8.03e9, device="AMD Ryzen 9 7950X", backend="CPU")
    run = replace(
        request(cpu), prompt_tokens=512, prefill_s=512 / 200, output_tokens=20, decode_passes=20, decode_s=3.0
    )
    case = case_of(run, device=load_device("ryzen-7950x"))
    # 200 tokens a second of 2 x 7.5 billion FLOP are 3 TFLOP/s, about twice what its 32-bit instructions do.
    assert case.prefill is not None
    assert case.prefill.mfu is not None
    assert case.prefill.mfu > 1.03
    assert case.prefill.doubt is None
    assert case.prefill.note is not None
    assert "8 bits" in case.prefill.note


def test_advice_is_at_most_three_and_best_first() -> None:
    case = case_of(request(depth_tokens=60_000, decode_s=200 / 25))
    assert len(case.advice) == 3
    gains = [
        change.low if change.kind == "guesses" else (change.low or 1) * (change.high or 1) for change in case.advice
    ]
    assert all(gains)


def test_without_names_there_is_no_prediction_but_what_the_run_itself_says() -> None:
    case = case_of(request(Setup()))
    assert kinds(case) == ["answer"]
    assert case.decode is not None
    assert (case.decode.typical, case.decode.mbu, case.decode.verdict) == (None, None, None)


def test_a_prompt_of_an_unknown_model_is_advised_by_its_own_time() -> None:
    run = replace(request(Setup()), prompt_tokens=8000, prefill_s=75.0, output_tokens=100, decode_s=5.0)
    case = case_of(run)
    assert kinds(case) == ["prefix", "shorter prompt"]
    change = advice(case, "prefix")
    # A tenth of 75 s is left, or 19% of it, were all attention: 1 - 0.9².
    assert (change.low, change.high) == pytest.approx((1 / 0.19, 10))
    assert "7.5 s to 14 s" in change.why
    # Of 80 s in all 5 s are writing: half of that is 3%, not worth a word.
    assert "prefix" not in kinds(case_of(replace(run, cached_tokens=4000)))
    assert "prefix" not in kinds(case_of(replace(run, prompt_tokens=200)))


def test_half_an_answer_takes_half_the_time_of_writing() -> None:
    case = case_of(replace(request(Setup()), prompt_tokens=20, prefill_s=1.0, decode_s=9.0))
    change = advice(case, "answer")
    assert change.low == change.high == pytest.approx(10 / 5.5)


def test_a_run_at_its_limit_is_told_so_and_what_is_left() -> None:
    small = replace(SETUP, weights="Q4_K - Medium", weights_bytes=None)
    # 4.9 GB 140 times a second are 68% of 1008 GB/s.
    case = case_of(replace(request(small), prompt_tokens=100, decode_s=200 / 140))
    assert kinds(case)[0] == "limit"
    assert gain_in_words(case.advice[0]) == ""
    more = advice(case, "other device")
    assert "RTX 5090" in more.what
    assert more.low is not None
    assert 1.2 < more.low < 1792 / 1008 + 0.1
    slow = case_of(replace(request(small), prompt_tokens=100, decode_s=200 / 40))
    assert "limit" not in kinds(slow)


def test_what_fits_in_no_weights_is_told_of_a_device_that_holds_it() -> None:
    large = Setup(model="llama 70B", weights="Q4_K - Medium", parameters=70.55e9, device="NVIDIA GeForce RTX 3060",
                  layers_on_device=20)  # fmt: skip
    change = advice(case_of(request(large, decode_s=200 / 2)), "other device")
    assert change.low is not None
    assert change.low > 1
    assert "device" not in kinds(case_of(request(large, decode_s=200 / 2)))


def test_formats_that_the_text_leaves_open_are_advised_together_where_all_fit() -> None:
    open_weights = Setup(model="llama3.1:8b", device="NVIDIA GeForce RTX 4090", host_share=0.4)
    run = replace(request(open_weights, decode_s=200 / 9), tool="ollama --verbose")
    changes = [change for change in case_of(run).advice if change.kind == "device"]
    assert changes
    assert "num_ctx" in changes[0].what
    assert changes[0].low is not None
    assert changes[0].low > 3
