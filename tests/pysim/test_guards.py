"""Is what cannot be meant refused in one line of pysim's own, with the next step?"""

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pysim
from pysim import Deployment, load_device, load_model
from pysim.checks import typed
from pysim.errors import BadConfig, BadValue, PysimError, quoted
from tests.pysim.sample_configs import CONFIGS

M, D = load_model("llama-3.1-8b"), load_device("rtx-4090")
ASKED: dict[str, Any] = {"prompt_tokens": 5, "output_tokens": 5}


def made(*given: object, **named: object) -> Callable[[], object]:
    return lambda: Deployment(*given, **named)  # type: ignore[arg-type]


def verb(name: str, *given: object, **named: object) -> Callable[[], object]:
    return lambda: getattr(pysim, name)(*given, **named)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (made("llama-3.1-8b", D), 'model must be a Model, not "llama-3.1-8b": load_model("llama-3.1-8b") gives one'),
        (made(D, M), 'model must be a Model, not the Device "rtx-4090": load_model(...) gives one'),
        (made(M, "rtx-4090"), 'device must be a Device, not "rtx-4090": load_device("rtx-4090") gives one'),
        (made(M, M), 'device must be a Device, not the Model "llama-3.1-8b"'),
        (made(None, D), "model must be a Model, not None"),
        (made(M, D, host="ryzen"), 'host must be a Device, not "ryzen": load_device("ryzen") gives one'),
        (made(M, D, engine=[]), "an engine is a name"),
        (made(M, D, engine=5), 'or None for all engines combined, not 5; the best case is speed="datasheet"'),
        (made(M, D, engine="a\nb"), r'unknown engine "a\nb"'),
        (made(M, D, backend=[]), "a backend is a name"),
        (made(M, D, weight_format=[]), "a weight format is a name"),
        (made(M, D, kv_format={}), "a KV format is a name"),
        (made(M, D, split="side\nways"), r'unknown split "side\nways"; allowed: tensor, layers'),
        (made(M, D, split=[]), "unknown split"),
        (verb("estimate", Deployment(M, D), speed=[], **ASKED), "unknown speed of type list"),
        (verb("estimate", M, **ASKED), "must be a Deployment, not a Model"),
        (verb("estimate_many", [], **ASKED), "must be a Deployment, not a list"),
        (verb("pass_cost", "llama-3.1-8b", 1, 5), "must be a Deployment"),
        (verb("ridge_tokens", None), "must be a Deployment"),
        (verb("occupancy", [], 5), "must be a Deployment"),
        (verb("max_batch", {}, 5), "must be a Deployment"),
        (verb("max_context_tokens", M), "must be a Deployment"),
        (verb("weights_bytes", "llama-3.1-8b"), 'load_model("llama-3.1-8b") gives one'),
        (verb("weights_bytes", M, []), "a weight format is a name"),
        (verb("kv_cache_bytes", "llama-3.1-8b", 5), 'load_model("llama-3.1-8b") gives one'),
        (verb("kv_bytes_per_token", D), "model must be a Model"),
        (verb("diagnose", None), "raw must be a text, not None"),
        (verb("diagnose", b"x"), "raw must be a text, not a bytes: decode it first"),
        (verb("diagnose", "x", config=5), "config must be a text, not 5"),
        (verb("diagnose", "x", weights=[]), "a weight format is a name"),
        (verb("diagnose", "x", engine=[]), "an engine is a name"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(ask: Callable[[], object], told: str) -> None:
    with pytest.raises(PysimError, match=re.escape(told)) as refused:
        ask()
    assert str(refused.value).isprintable()


def test_a_split_is_read_in_any_case() -> None:
    assert Deployment(M, D, split="Tensor") == Deployment(M, D)
    assert hash(Deployment(M, D, n_devices=2, split="LAYERS")) == hash(Deployment(M, D, n_devices=2, split="layers"))
    assert dataclasses.replace(Deployment(M, D), split=" Layers ").split == "layers"


@pytest.mark.parametrize(
    ("value", "told"),
    [(5, "an int"), (np.ones(2), "an ndarray"), ([], "a list"), (np.uint8(1), "a uint8"), ({}, "a dict")],
)
def test_a_type_has_the_article_that_it_is_spoken_with(value: object, told: str) -> None:
    assert typed(value) == told


def test_a_quoted_line_break_is_shown() -> None:
    assert quoted("a\n\tb\x00") == r'"a\n\tb\x00"'
    assert quoted("x" * 70).endswith('…" (70 characters)')


def test_a_config_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    import json

    path = tmp_path / "mine.json"
    path.write_text(json.dumps(CONFIGS["llama-2-7b"]), encoding="utf-8-sig")
    assert load_model(path).hidden_size == CONFIGS["llama-2-7b"]["hidden_size"]


def test_a_mixture_without_experts_is_told_its_value() -> None:
    config = next(config for config in CONFIGS.values() if config.get("model_type") == "mixtral")
    with pytest.raises(BadConfig, match=r"num_local_experts is 0; .*mixtral.* needs at least 1"):
        load_model({**config, "num_local_experts": 0})
    with pytest.raises(BadConfig, match="num_local_experts is missing"):
        load_model({field: value for field, value in config.items() if field != "num_local_experts"})


def test_an_engines_refusal_is_a_bad_value() -> None:
    with pytest.raises(BadValue):
        Deployment(M, D, engine=5)  # type: ignore[arg-type]
