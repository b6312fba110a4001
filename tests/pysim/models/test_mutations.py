"""Is every spoiled config a model or one clear line, whatever stands in whichever field?"""

import copy
import json
import random
from collections.abc import Iterator

import pytest

from pysim import BadConfig
from pysim.models.config import read_config
from pysim.models.config_json import read_config_text
from pysim.models.parameters import parameters
from tests.pysim import sample_layered
from tests.pysim.sample_configs import CONFIGS

Config = dict[str, object]
LAYERED: dict[str, Config] = {
    name: value for name, value in vars(sample_layered).items() if name.isupper() and "model_type" in value
}
SAMPLES = CONFIGS | LAYERED
SPOILED: tuple[object, ...] = (
    None, 0, -1, 3, 10**9, 10**40, 0.5, 1e308, float("nan"), float("inf"), True, "", "x", "9" * 5_000, "hidden_size",
    [], ["x"], [None], [0] * 7, {}, {"a": 1}, {"bits": -4}, [["full_attention"]],
)  # fmt: skip
LONGEST_LINE = 320


def spoiled(config: Config, seed: int) -> Iterator[Config]:
    """One field deleted or replaced, at any depth; now and then a second one."""
    dice = random.Random(seed)
    paths = list(_paths(config))
    for path in paths:
        for _ in range(3):
            mutant = copy.deepcopy(config)
            _spoil(mutant, path, dice)
            if dice.random() < 0.2:
                _spoil(mutant, dice.choice(paths), dice)
            yield mutant


def _paths(config: Config, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, value in config.items():
        yield (*before, name)
        if isinstance(value, dict):
            yield from _paths(value, (*before, name))


def _spoil(config: Config, path: tuple[str, ...], dice: random.Random) -> None:
    inner: object = config
    for name in path[:-1]:
        inner = inner.get(name) if isinstance(inner, dict) else None
    if isinstance(inner, dict):
        inner.pop(path[-1], None)
        if dice.random() < 0.9:
            inner[path[-1]] = dice.choice(SPOILED)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_spoiled_config_is_a_model_or_one_line(name: str) -> None:
    refused = 0
    for mutant in spoiled(SAMPLES[name], seed=len(name)):
        try:
            assert parameters(read_config(mutant)).total > 0
        except BadConfig as error:
            refused += 1
            line = str(error)
            assert "\n" not in line
            assert len(line) <= LONGEST_LINE, line
            assert line.startswith("config: ")
    assert refused > 10


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_text_cut_anywhere_is_one_line(name: str) -> None:
    text = json.dumps(SAMPLES[name])
    for end in range(0, len(text) - 1, 1 + len(text) // 60):
        with pytest.raises(BadConfig) as caught:
            read_config_text(text[:end])
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) <= LONGEST_LINE


@pytest.mark.parametrize("wrapper", ["text_config", "llm_config", "language_config", "thinker_config"])
def test_the_language_part_is_found_under_every_name(wrapper: str) -> None:
    inner = CONFIGS["llama-2-7b"]
    bare = read_config(inner)
    assert parameters(read_config({"model_type": "internvl_chat", wrapper: inner})).total == parameters(bare).total
    deep = {"model_type": "outer", "thinker_config": {"model_type": "inner", wrapper: inner}}
    assert parameters(read_config(deep)).total == parameters(bare).total


@pytest.mark.parametrize(
    ("types", "said"),
    [
        (["full_attention"] * 31, "layer_types has 31 entries for num_hidden_layers 32"),
        (["full_attention"] * 31 + ["linear_attention"], 'holds the text "linear_attention" at layer 31'),
        ("full_attention", "must be a list of texts"),
    ],
)
def test_layers_that_a_config_lists_must_be_there(types: object, said: str) -> None:
    # Llama has no window; that a layer keeps no rows would be counted wrong all the same.
    with pytest.raises(BadConfig, match=said):
        read_config({**CONFIGS["llama-2-7b"], "layer_types": types})


def test_a_text_in_a_config_is_never_computed() -> None:
    gated = LAYERED["KIMI_K3"]["text_config"]
    assert isinstance(gated, dict)
    with pytest.raises(BadConfig, match="true or false"):
        read_config({**gated, "mla_use_output_gate": "hidden_size"})
