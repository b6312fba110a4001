"""Is the catalogue a folder of sourced files, read one at a time and refused clearly?"""

import pickle
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import pysim
from pysim import BadCatalogue, PysimError, UnknownName, load_device, load_model
from pysim.catalog.files import CATALOG, Folder, catalogue_keys, check_sources, read_table
from pysim.errors import nearest
from pysim.hardware.catalog_entry import read_device
from pysim.models.catalog_entry import read_model

DAY = date(2026, 11, 30)
FOLDERS: tuple[Folder, ...] = ("models", "devices", "architectures", "engines", "memory_rules")
SOURCED = {"source": "a data sheet", "checked": DAY}
DEVICE: dict[str, object] = {
    "name": "A device",
    "family": "cpu",
    "kind": "cpu",
    "peak": {"fp16": "1 TFLOPS", "kind": "datasheet", **SOURCED},
    "memory": {"bandwidth": "100 GB/s", "size": "24 GiB", **SOURCED},
}


def test_the_folders_are_the_registry() -> None:
    for folder in FOLDERS:
        files = {path.stem for path in (CATALOG / folder).iterdir()}
        assert set(catalogue_keys(folder)) == files
    assert {"llama-3.1-8b", "smollm2-135m"} <= set(pysim.model_keys())
    assert {"rtx-4090", "h100-sxm", "apple-m3-max-40c", "cloud-cpu-2c", "snapdragon-8-gen-3"} <= set(
        pysim.device_keys()
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_names_its_sources_and_the_day_they_were_read(folder: Folder) -> None:
    for key in catalogue_keys(folder):
        read_table(folder, key)


def test_a_typo_gets_the_nearest_keys() -> None:
    with pytest.raises(UnknownName, match=r'unknown model "lama-3.1-8b"; did you mean "llama-3.1-8b"'):
        load_model("lama-3.1-8b")
    with pytest.raises(UnknownName, match=r'unknown device "RTX 4900"; did you mean "rtx-4090"'):
        load_device("RTX 4900")


@pytest.mark.parametrize("key", ["", "zzzz", "../models/gpt2", "gpt2.toml", "x" * 100_000, None, 7, ["gpt2"]])
def test_no_key_at_all_is_one_short_line(key: object) -> None:
    with pytest.raises(UnknownName, match="unknown model") as caught:
        load_model(key)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 500


def test_an_unknown_name_survives_the_way_from_another_process() -> None:
    with pytest.raises(UnknownName) as caught:
        load_model("lama-3.1-8b")
    back = pickle.loads(pickle.dumps(caught.value))
    assert str(back) == str(caught.value)
    assert back.nearest[0] == "llama-3.1-8b"


def test_nearest_offers_at_most_three_and_nothing_far() -> None:
    assert len(nearest("llama", pysim.model_keys())) <= 3
    assert nearest("zzzz", pysim.model_keys()) == ()


@pytest.mark.parametrize("missing", ["source", "checked"])
@pytest.mark.parametrize("table", ["peak", "memory"])
def test_a_table_without_source_or_day_is_refused(table: str, missing: str) -> None:
    facts = DEVICE[table]
    assert isinstance(facts, dict)
    broken = DEVICE | {table: {name: value for name, value in facts.items() if name != missing}}
    with pytest.raises(BadCatalogue, match=rf"x\.toml: \[{table}\] needs .*{missing}"):
        check_sources(broken, "x.toml")
    check_sources(DEVICE, "x.toml")


@pytest.mark.parametrize(
    ("table", "name", "value", "message"),
    [
        ("peak", "fp16", "989 GB/s", "not in FLOP/s"),
        ("peak", "fp16", 989, "must be a string with a unit"),
        ("peak", "kind", "measured", "peak.kind must be one of datasheet, derived"),
        ("memory", "bandwidth", "3.35 TiB", "not in B/s"),
        ("memory", "bandwidth", "0 GB/s", "must be more than 0"),
        ("memory", "size", "eighty", "not a quantity in B"),
    ],
)
def test_a_device_file_that_cannot_be_read_says_where(table: str, name: str, value: object, message: str) -> None:
    facts = DEVICE[table]
    assert isinstance(facts, dict)
    with pytest.raises(BadCatalogue, match=f"devices/x.toml: .*{message}"):
        read_device("x", DEVICE | {table: facts | {name: value}})


def test_a_device_needs_a_name_and_a_bandwidth() -> None:
    with pytest.raises(BadCatalogue, match="name is missing"):
        read_device("x", {name: value for name, value in DEVICE.items() if name != "name"})
    with pytest.raises(BadCatalogue, match=r"memory.bandwidth is missing"):
        read_device("x", DEVICE | {"memory": SOURCED})


def test_a_stand_in_for_a_published_peak_has_a_table_of_its_own() -> None:
    peak = {"fp32": "191 GFLOPS", "kind": "measured", **SOURCED}
    without = {name: value for name, value in DEVICE.items() if name != "peak"}
    assert read_device("x", without | {"stand_in_peak": peak}).peak_kind == "measured"
    with pytest.raises(BadCatalogue, match=r"stand_in_peak.* is for devices without a published"):
        read_device("x", DEVICE | {"stand_in_peak": peak})


def test_a_device_without_a_peak_is_a_device() -> None:
    silent = read_device("x", {name: value for name, value in DEVICE.items() if name != "peak"})
    assert silent.peak_kind is None
    with pytest.raises(pysim.MissingFact):
        silent.peak()


def test_a_model_file_that_cannot_be_read_says_where() -> None:
    config = {"model_type": "llama", **SOURCED}
    with pytest.raises(BadCatalogue, match=r"models/x.toml: the table \[published\] is missing"):
        read_model("x", {"name": "X", "config": config})
    with pytest.raises(BadCatalogue, match=r"published.total_params must be a whole number"):
        read_model("x", {"name": "X", "config": config, "published": {"total_params": "8B"}})
    with pytest.raises(BadCatalogue, match="name is missing"):
        read_model("x", {"config": config, "published": {}})
    with pytest.raises(PysimError, match=r"models/x.toml \[config\]: hidden_size is missing"):
        read_model("x", {"name": "X", "config": config, "published": {}})


def test_a_broken_file_is_an_error_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "devices").mkdir()
    (tmp_path / "devices" / "x.toml").write_text("name = ", encoding="utf-8")
    monkeypatch.setattr("pysim.catalog.files.CATALOG", tmp_path)
    with pytest.raises(BadCatalogue, match=r"devices/x.toml cannot be read"):
        read_table("devices", "x")


def test_importing_pysim_imports_neither_numpy_nor_rich_nor_a_toml_reader() -> None:
    code = "import pysim, sys; print(*sorted({'numpy', 'rich', 'tomllib', 'argparse'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


def test_plain_numbers_never_need_numpy() -> None:
    code = (
        "import pysim, sys; m = pysim.load_model('gemma-3-4b'); o = pysim.Deployment(m, pysim.load_device('rtx-4090'));"
        "pysim.kv_cache_bytes(m, 8192), pysim.weights_bytes(m, 'q4_k_m'), pysim.max_context_tokens(o);"
        "o.pass_cost(1, 100), o.estimate(prompt_tokens=100, output_tokens=9); print('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_every_public_name_is_there_and_stays_itself() -> None:
    import importlib
    from pkgutil import iter_modules

    for name in pysim.__all__:
        assert getattr(pysim, name) is not None
    assert set(pysim.__all__) <= set(dir(pysim))
    for module in iter_modules(pysim.__path__):  # none takes a name's place
        assert module.name not in pysim.__all__
        if module.name != "__main__":
            importlib.import_module(f"pysim.{module.name}")
    assert callable(pysim.estimate)
    with pytest.raises(AttributeError, match="no attribute 'estimat'"):
        _ = pysim.estimat
