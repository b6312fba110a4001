"""Are many settings estimated in order, on any executor, and errors told with their place?"""

import pickle
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from pysim import estimate, load_device, load_model
from pysim.deployment import Deployment
from pysim.errors import BadConfig, BadValue, PysimError, UnknownName
from pysim.requests.sweep import sweep

SETTINGS = [
    {
        "model": model,
        "device": device,
        "weight_format": weights,
        "prompt_tokens": 512,
        "output_tokens": 64,
    }
    for model, device, weights in product(
        ("llama-3.1-8b", "gpt-oss-20b", "gemma-3-27b"),
        ("rtx-4090", "h100-sxm", "strix-halo"),
        ("f16", "q8_0", "q4_k_m"),
    )
]
EXPECTED = [
    estimate(
        Deployment(
            load_model(str(each["model"])), load_device(str(each["device"])), weight_format=str(each["weight_format"])
        ),
        prompt_tokens=512,
        output_tokens=64,
    )
    for each in SETTINGS
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        ) as local,
        Client(local) as client,  # type: ignore[no-untyped-call]
    ):
        yield client.get_executor()


def test_a_dask_cluster_gives_what_this_process_gives(cluster: Executor) -> None:
    assert sweep(SETTINGS, cluster, together=5) == EXPECTED


def test_threads_give_the_same() -> None:
    with ThreadPoolExecutor(2) as executor:
        assert sweep(SETTINGS, executor) == EXPECTED


def test_processes_give_the_same_for_models_and_devices_themselves() -> None:
    given = [
        {**each, "model": load_model(str(each["model"])), "device": load_device(str(each["device"]))}
        for each in SETTINGS
    ]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        assert sweep(given, executor, together=20) == EXPECTED


def test_no_settings_give_no_estimates() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert sweep([], executor) == []


def test_an_error_says_which_setting_it_is_about() -> None:
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(BadValue, match=r"setting 2.*promt_tokens"):
            sweep([*SETTINGS[:2], {**SETTINGS[0], "promt_tokens": 3}], executor)
        with pytest.raises(BadValue, match=r'^setting 0 \(device "rtx-4090"\): it has no model'):
            sweep([{"device": "rtx-4090"}], executor)
        with pytest.raises(BadValue, match="together"):
            sweep(SETTINGS, executor, together=0)


@pytest.mark.parametrize(
    ("bad", "kind", "told"),
    [
        ({"model": "lama-3.1-8b"}, UnknownName, r'model "lama-3\.1-8b", .*\): unknown model .*"llama-3\.1-8b"'),
        ({"device": "rtx-409"}, UnknownName, 'unknown device "rtx-409"'),
        ({"prompt_tokens": -1}, BadValue, r"prompt_tokens -1.*\): prompt_tokens must be from 1"),
        ({"weight_format": "zz"}, BadValue, 'unknown weight format "zz"'),
        ({"weight_format": []}, BadValue, "a weight format is a name"),
        ({"speed": []}, UnknownName, "unknown speed of type list"),
        ({"model": Path("/nowhere/config.json")}, BadConfig, "/nowhere/config.json: No such file"),
        ({"model": None}, BadValue, r"model None.*\): model must be a Model, not None"),
        ({"model": {}}, BadConfig, "model_type is missing"),
        ({"device": Path("rtx-4090")}, BadValue, "device must be a Device"),
        ({"device": "core-ultra-155h", "engine": "a\nb"}, UnknownName, r'unknown engine "a\\nb"'),
        ({1: 2}, BadValue, "keywords must be strings"),
    ],
)
def test_every_error_comes_after_its_settings_place_and_values(
    bad: dict[object, object], kind: type[PysimError], told: str
) -> None:
    settings: list[Any] = [*SETTINGS[:2], {**SETTINGS[0], **bad}]
    with ThreadPoolExecutor(1) as executor, pytest.raises(kind, match=rf"^setting 2 \(.*{told}") as refused:
        sweep(settings, executor, together=2)
    assert "\n" not in str(refused.value)
    again = pickle.loads(pickle.dumps(refused.value))  # as an error comes from another process
    assert (type(again), str(again)) == (kind, str(refused.value))


@pytest.mark.parametrize("bad", [None, 5, [], "llama-3.1-8b", ("model", "device")])
def test_a_setting_that_is_no_mapping_is_told_so(bad: Any) -> None:
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(BadValue, match=r"^setting 1 must be a mapping of names to values, not"):
            sweep([SETTINGS[0], bad], executor)
        whole: Any = bad or SETTINGS[0]
        with pytest.raises(BadValue, match=r"^setting"):
            sweep(whole, executor)
