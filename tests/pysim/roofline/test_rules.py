"""Does every pass and request keep the rules that no machine can break?"""

import dataclasses
import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.engines.names import piece_tokens
from pysim.requests.request_estimate import estimate
from pysim.roofline.cost_of_pass import pass_cost

MODELS = ("llama-3.1-8b", "gemma-3-4b", "gpt-oss-20b", "deepseek-v2-lite", "qwen3-30b-a3b", "smollm2-135m")
DEVICES = ("rtx-4090", "h100-sxm", "apple-m2-ultra-76c", "dgx-spark", "strix-halo", "raspberry-pi-5")
ENGINES = (None, "typical", "llama.cpp", "vLLM", "TGI")
FORMATS = ("f16", "q8_0", "q4_k_m", "fp8", "awq")

models, devices, engines = st.sampled_from(MODELS), st.sampled_from(DEVICES), st.sampled_from(ENGINES)
formats = st.sampled_from(FORMATS)
tokens, contexts, batches = st.integers(1, 20_000), st.integers(0, 200_000), st.integers(1, 256)


def some(found: object) -> float:
    assert isinstance(found, float)
    return found


@settings(deadline=None)
@given(
    model=models, device=devices, engine=engines, weights=formats, new=tokens, context=contexts, batch=batches,
    faster=st.floats(1.01, 4),
)  # fmt: skip
def test_more_bandwidth_is_never_slower(
    model: str, device: str, engine: str | None, weights: str, new: int, context: int, batch: int, faster: float
) -> None:
    which, slow = load_model(model), load_device(device)
    fast = dataclasses.replace(slow, memory_bandwidth_bytes_per_s=slow.memory_bandwidth_bytes_per_s * faster)
    times = [
        pass_cost(
            Deployment(which, each, weight_format=weights, engine=engine),
            new,
            context,
            batch,
            speed="datasheet" if engine is None else "typical",
        ).time_s
        for each in (slow, fast)
    ]
    assert times[1] <= times[0]


@settings(deadline=None)
@given(
    model=models, device=devices, engine=engines, weights=formats, new=tokens, context=contexts, batch=batches,
    more=st.tuples(st.integers(0, 500), st.integers(0, 5000), st.integers(0, 20)),
)  # fmt: skip
def test_more_tokens_are_never_cheaper(
    model: str, device: str, engine: str | None, weights: str, new: int, context: int, batch: int,
    more: tuple[int, int, int],
) -> None:  # fmt: skip
    which, on = load_model(model), load_device(device)
    less = pass_cost(
        Deployment(which, on, weight_format=weights, engine=engine),
        new,
        context,
        batch,
        speed="datasheet" if engine is None else "typical",
    )
    all_ = pass_cost(
        Deployment(which, on, weight_format=weights, engine=engine),
        new + more[0],
        context + more[1],
        batch + more[2],
        speed="datasheet" if engine is None else "typical",
    )
    for field in ("flop", "weights_read_bytes", "kv_read_bytes", "kv_written_bytes", "time_s"):
        assert getattr(all_, field) >= getattr(less, field) * (1 - 1e-12), field


@settings(deadline=None)
@given(model=models, device=devices, weights=formats, new=tokens, context=contexts, batch=batches)
def test_no_pass_beats_the_floor_of_its_bytes_and_flop(
    model: str, device: str, weights: str, new: int, context: int, batch: int
) -> None:
    on = load_device(device)
    cost = pass_cost(Deployment(load_model(model), on, weight_format=weights), new, context, batch, speed="datasheet")
    moved = cost.weights_read_bytes + cost.kv_read_bytes + cost.kv_written_bytes
    assert cost.time_s >= moved / on.memory_bandwidth_bytes_per_s * (1 - 1e-12)
    assert cost.time_s >= cost.flop / max(on.peak_flop_per_s.values()) * (1 - 1e-12)


@settings(deadline=None)
@given(model=models, device=devices, engine=engines, weights=formats, new=tokens, context=contexts, batch=batches)
def test_an_engine_never_beats_the_memory_of_the_datasheet(
    model: str, device: str, engine: str | None, weights: str, new: int, context: int, batch: int
) -> None:
    on = load_device(device)
    cost = pass_cost(
        Deployment(load_model(model), on, weight_format=weights, engine=engine),
        new,
        context,
        batch,
        speed="datasheet" if engine is None else "typical",
    )
    moved = cost.weights_read_bytes + cost.kv_read_bytes + cost.kv_written_bytes
    assert cost.time_s >= moved / on.memory_bandwidth_bytes_per_s * (1 - 1e-12)


@settings(deadline=None)
@given(model=models, new=tokens, context=contexts, batch=batches)
def test_fewer_bits_never_move_more_bytes(model: str, new: int, context: int, batch: int) -> None:
    which, on = load_model(model), load_device("h100-sxm")
    read = [
        pass_cost(
            Deployment(which, on, weight_format=weights), new, context, batch, speed="datasheet"
        ).weights_read_bytes
        for weights in ("f32", "f16", "q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k")
    ]
    # The last few change less than the head's own format does in some small models.
    assert all(fewer <= more * 1.01 for more, fewer in itertools.pairwise(read))


@settings(deadline=None)
@given(
    model=models, device=devices, engine=engines, prompt=st.integers(1, 20_000), chunk=st.integers(1, 20_000),
    depth=contexts,
)  # fmt: skip
def test_a_prompt_in_chunks_is_never_faster(
    model: str, device: str, engine: str | None, prompt: int, chunk: int, depth: int
) -> None:
    which, on = load_model(model), load_device(device)
    # An engine that cuts a pass itself (llama.cpp's micro-batches) is cut where it would cut, in whole pieces. 395 and
    # 152 tokens can be done before 512 and 35, since the last piece leaves the math waiting; and a short last piece
    # alone may use another kernel than in the mean of all pieces.
    piece = piece_tokens(engine) or 1
    prompt, chunk = (-(-tokens // piece) * piece for tokens in (prompt, chunk))
    times = [
        estimate(
            Deployment(which, on, engine=engine),
            prompt_tokens=prompt,
            output_tokens=0,
            prompt_depth=depth,
            chunk_tokens=each,
            speed="datasheet" if engine is None else "typical",
        ).ttft_s
        for each in (None, chunk)
    ]
    assert times[1] >= times[0] * (1 - 5e-3)


@settings(deadline=None)
@given(model=models, device=devices, engine=engines, weights=formats, depth=st.integers(1, 50_000))
def test_the_total_speed_never_falls_with_the_batch(
    model: str, device: str, engine: str | None, weights: str, depth: int
) -> None:
    which, on = load_model(model), load_device(device)
    speeds = [
        some(
            estimate(
                Deployment(which, on, weight_format=weights, engine=engine),
                prompt_tokens=depth,
                output_tokens=33,
                batch=batch,
                speed="datasheet" if engine is None else "typical",
            ).decode_total_tokens_per_s
        )
        for batch in (1, 2, 3, 4, 8, 16, 64, 256)
    ]
    assert all(more >= less * (1 - 1e-9) for less, more in itertools.pairwise(speeds))
