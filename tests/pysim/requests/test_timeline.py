"""Are passes laid in time as long as they cost?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pysim
from pysim.deployment import Deployment
from pysim.requests.passes import generation
from pysim.requests.timeline import cost_of, straight_pieces, timed


@pytest.mark.parametrize("model_key", ["llama-3.1-8b", "gemma-3-12b", "gpt-oss-20b"])
@pytest.mark.parametrize("engine", [None, "typical"])
def test_every_pass_lasts_as_long_as_it_costs(model_key: str, engine: str | None) -> None:
    model, device = pysim.load_model(model_key), pysim.load_device("rtx-4090")
    steps = generation(prompt_tokens=900, output_tokens=300, chunk_tokens=512, draft_tokens=3, acceptance=0.6)
    now_s = 0.0
    for each in timed(
        steps, Deployment(model, device, engine=engine), speed="datasheet" if engine is None else "typical"
    ):
        cost = cost_of(
            each.step, Deployment(model, device, engine=engine), speed="datasheet" if engine is None else "typical"
        )
        assert each.start_s == now_s
        assert each.end_s - each.start_s == pytest.approx(float(cost.time_s), rel=1e-9)
        now_s = each.end_s


@given(st.lists(st.tuples(st.integers(0, 400), st.floats(0, 5)), max_size=3), st.floats(0.1, 9), st.integers(0, 400))
def test_straight_pieces_agree_with_the_function_wherever_it_bends(
    bends: list[tuple[int, float]], start: float, high: int
) -> None:
    def bent(at: int) -> float:
        return start + 0.5 * at + sum(slope * max(0, at - place) for place, slope in bends)

    found = straight_pieces(bent, 0, high)
    assert found == {at: pytest.approx(bent(at), rel=1e-9) for at in range(high + 1)}


def test_a_long_straight_stretch_is_measured_at_a_few_places() -> None:
    asked: list[int] = []

    def straight(at: int) -> float:
        asked.append(at)
        return 1.0 + 0.25 * at

    straight_pieces(straight, 0, 100_000)
    assert len(asked) == 5
