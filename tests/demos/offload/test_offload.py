"""Does `offload` show both memories, the cliff, and what must move?"""

import pytest

from demos import offload
from demos.kit.declare.controls import Value, start_values
from tests.demos.reading import Read, read


def shown(**changes: Value) -> Read:
    values = {**start_values(offload.CONTROLS), **changes}
    return read(offload.frame(offload.scene(**values), 0.0))


def test_at_first_it_does_not_fit_and_names_how_many_layers_must_move() -> None:
    frame = shown()
    assert frame.outputs["fits"] == "false"
    assert int(frame.outputs["needed_layers"]) > 0
    assert "Nothing has moved yet" in frame.text


def test_the_named_layers_make_it_fit_and_one_less_does_not() -> None:
    needed = int(shown().outputs["needed_layers"])
    assert shown(hosted=needed).outputs["fits"] == "true"
    assert shown(hosted=needed - 1).outputs["fits"] == "false"


def test_half_the_layers_in_main_memory_take_most_of_the_time() -> None:
    # 89.6 GB/s in main memory, 1,008 GB/s on the card: half of the bytes take at best 11 of 12 parts of the time.
    outputs = shown(hosted=32, context_tokens=512).outputs
    assert 0.85 < float(outputs["host_share"]) < 0.98
    assert float(outputs["slower"]) > 4


def test_a_shorter_context_moves_fewer_layers() -> None:
    assert int(shown(context_tokens=16_384).outputs["needed_layers"]) < int(shown().outputs["needed_layers"])


def test_experts_moved_write_faster_than_as_many_layers() -> None:
    mixture: dict[str, Value] = {"model": "qwen3-30b-a3b", "device": "rtx-3060-12gb", "hosted": 24}
    layers, experts = shown(**mixture).outputs, shown(**mixture, moves="experts").outputs
    assert float(experts["decode_tokens_per_s"]) > float(layers["decode_tokens_per_s"])


def test_a_dense_model_moves_layers_and_says_so() -> None:
    assert "has no experts" in shown(moves="experts").text


def test_a_machine_with_one_memory_moves_nothing() -> None:
    frame = shown(device="apple-m4-pro-20c", hosted=8)
    assert frame.outputs["hosted_layers"] == "0"
    assert "frees nothing" in frame.text


@pytest.mark.parametrize(("asked", "layers"), [(80, "32"), (31, "31")])
def test_more_layers_than_the_model_has_are_cut_to_them(asked: int, layers: str) -> None:
    assert shown(model="llama-3.1-8b", hosted=asked).outputs["hosted_layers"] == layers
