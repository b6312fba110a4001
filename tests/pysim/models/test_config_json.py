"""Is a pasted config.json read as what it is, and does a wrong one hear what is wrong?"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pysim
from pysim.models.config_json import read_config_text
from pysim.models.parameters import parameters
from tests.pysim.sample_configs import CONFIGS


@pytest.mark.parametrize("key", sorted(CONFIGS))
def test_the_text_of_a_published_config_is_the_model_of_the_catalogue(key: str) -> None:
    model = read_config_text(json.dumps(CONFIGS[key], indent=2))
    assert parameters(model).total == parameters(pysim.load_model(key)).total


def test_the_model_is_called_what_the_config_calls_it() -> None:
    named = {**CONFIGS["llama-2-7b"], "_name_or_path": "my-org/my\nmodel"}
    assert read_config_text(json.dumps(named)).name == "my-org/my model"
    assert read_config_text("\ufeff" + json.dumps(CONFIGS["llama-2-7b"])).name == "llama"
    assert len(read_config_text(json.dumps({**named, "_name_or_path": "x" * 10_000})).name) <= 61


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1, column 2: expecting property name"),
        ('{"model_type": "llama",\n "hidden_size": }', "line 2, column 17: expecting value"),
        ("[1, 2]", "one JSON object in braces, not a list"),
        ("{}", "config.json: model_type is missing"),
        ('{"model_type": "llama"}', "config.json: hidden_size is missing"),
        ('{"model_type": "nonsense"}', 'config.json: .*"nonsense"'),
        ('{"model_type": "llama", "hidden_size": "4096"}', 'hidden_size must be a whole number .* the text "4096"'),
        ("[" * 100_000, "nests deeper than 32 levels"),
        ('{"a": ' * 5_000, "nests deeper than 32 levels"),
        ('{"a": ' + "1" * 5_000 + "}", "number in it is too long"),
    ],
)
def test_an_error_names_the_line_or_the_field(text: str, said: str) -> None:
    with pytest.raises(pysim.BadConfig, match=said):
        read_config_text(text)


def test_brackets_in_texts_do_not_count_as_levels() -> None:
    config = {**CONFIGS["llama-2-7b"], "chat_template": "[{" * 500 + '\\"'}
    assert read_config_text(json.dumps(config)).num_hidden_layers == 32


@given(st.text(alphabet='{}[]":,\\ \n0123456789eE+-.truefalsn', max_size=200))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    with pytest.raises(pysim.BadConfig):
        read_config_text(text)
