"""Are engines read from their files, found by any name, and refused where a file breaks the rules?"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pysim.catalog import files
from pysim.catalog.labels import labels
from pysim.catalog.names import keys_by_name, keys_by_plain_key
from pysim.engines import catalog_entry, load, names
from pysim.engines.constants import constants
from pysim.engines.engine import Engine
from pysim.engines.load import engine_choices, engine_keys, load_engine, reserving_engines, tool_engine
from pysim.engines.names import TYPICAL, absorbs, engine_name, known_backend, known_engine
from pysim.errors import BadCatalogue, BadValue, UnknownName
from pysim.formats.names import kv_format, weight_format

CACHES = (
    files.catalogue_keys, files.names_in, keys_by_name, keys_by_plain_key, load._key_of_name, load.tool_engine,
    load._engine, load._keys, catalog_entry.tools_in_heads, catalog_entry.keys_with, catalog_entry._head,
    files.read_head, names._engine_name, labels,
)  # fmt: skip
NEW = """name = "Fast Engine"
also = ["fe"]
built_on = ["llama.cpp"]
tools = ["fastrun"]
rank = 40

[about]
what = "runs models fast"
source = "https://example.org"
checked = 2026-12-01

[reservation]
kind = "share of memory"
order = 4
share = 0.5
step_tokens = 8
rule = "half of the memory − weights"
note = "half of the memory"
source = "https://example.org/memory"
checked = 2026-12-01
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the catalogue's engines, read in place of the catalogue."""
    shutil.copytree(files.CATALOG / "engines", tmp_path / "engines")
    monkeypatch.setattr(files, "CATALOG", tmp_path)
    _forget()
    yield tmp_path / "engines"
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for cache in CACHES:
        cache.cache_clear()


@pytest.mark.parametrize("key", engine_keys())
def test_every_engine_says_what_it_is_and_names_formats_that_exist(key: str) -> None:
    engine = load_engine(key)
    assert engine.key == key
    assert engine.what
    assert engine.sources
    for name in (engine.weights.smaller + engine.weights.by_size) if engine.weights else ():
        assert weight_format(name)
    if engine.weights and engine.weights.bits_name:
        assert weight_format(engine.weights.bits_name.format(bits=4))
    for name in engine.registry.usual_formats if engine.registry else ():
        assert weight_format(name)
    if engine.smaller_cache:
        assert kv_format(engine.smaller_cache).bits_per_element < 16
    assert all(load_engine(base) for base in engine.built_on)


@pytest.mark.parametrize("key", engine_keys())
def test_every_name_of_an_engine_finds_it_in_any_case(key: str) -> None:
    engine = load_engine(key)
    for name in (key, engine.name, *engine.also):
        assert load_engine(name) is engine
        assert load_engine(name.upper()) is engine


def test_every_measured_engine_has_a_file() -> None:
    measured = constants()["engines"]
    assert isinstance(measured, list)
    assert {engine_name(name) for name in measured} == {*measured}
    assert {*measured} - {TYPICAL} <= {load_engine(key).measured_as for key in engine_keys()}


def test_a_remark_in_parentheses_and_the_kind_of_dash_do_not_matter() -> None:
    assert load_engine("TensorRT-LLM (MLPerf v4.1 Server)").key == "tensorrt-llm"
    assert load_engine("tensorrt_llm").key == "tensorrt-llm"
    assert load_engine("IK-llama.cpp").key == "ik_llama.cpp"


def test_a_program_is_measured_as_the_engine_that_it_is_built_on() -> None:
    assert engine_name("Ollama") == engine_name("LM Studio") == engine_name("GPT4All") == "llama.cpp"
    assert engine_name("WebLLM") == "mlc-llm"
    assert known_engine("KoboldCPP") == "llama.cpp"


def test_a_program_has_its_engine_s_facts_and_its_own_ones_first() -> None:
    base, program = load_engine("llama.cpp"), load_engine("ollama")
    assert program.split == base.split == "layers"
    assert absorbs("ollama")
    assert absorbs("llama.cpp")
    assert not absorbs("vLLM")
    assert base.speculates
    assert not program.speculates
    # How it takes memory, and what it prints, are a program's own.
    assert load_engine("lm-studio").reservation is None
    assert load_engine("lm-studio").command is None


def test_an_unknown_engine_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match='unknown engine "sg-lan"; did you mean "SGLang"'):
        load_engine("sg-lan")
    with pytest.raises(UnknownName, match="did you mean"):
        known_engine("lama.cpp")
    assert known_engine("Typical") == TYPICAL
    with pytest.raises(BadValue, match="an engine is a name"):
        load_engine(3)  # type: ignore[arg-type]


def test_an_unknown_backend_is_refused_with_the_nearest_name() -> None:
    assert known_backend("Vulkan (RADV)") == "vulkan"
    assert known_backend("hip+hipblaslt") == "hipblaslt"
    with pytest.raises(UnknownName, match='unknown backend "vulcan"; did you mean "vulkan"'):
        known_backend("vulcan")


@pytest.mark.parametrize(
    ("tool", "key"),
    [
        ("ollama --verbose", "ollama"), ("llama-bench", "llama.cpp"), ("KoboldCpp", "koboldcpp"),
        ("vllm bench serve", "vllm"), ("llama-benchy", None), ("a sentence", None), ("guidellm", None),
    ],
)  # fmt: skip
def test_a_tool_belongs_to_the_engine_whose_tools_its_name_begins_with(tool: str, key: str | None) -> None:
    engine = tool_engine(tool)
    assert (engine and engine.key) == key


def test_engines_to_choose_from_stand_by_rank_under_the_names_that_share_measurements() -> None:
    assert engine_choices()[:2] == (("llama.cpp", "llama.cpp, ollama"), ("vllm", "vLLM"))


def test_one_new_file_is_a_new_engine_in_every_list(folder: Path) -> None:
    (folder / "fast-engine.toml").write_text(NEW, encoding="utf-8")
    engine = load_engine("FE")
    assert engine.key in engine_keys()
    assert (engine.measured_as, engine.split) == ("llama.cpp", "layers")
    assert [reserving.key for reserving in reserving_engines()] == ["vllm", "llama.cpp", "ollama", "fast-engine"]
    assert tool_engine("fastrun --all") is engine
    assert ("llama.cpp", "llama.cpp, ollama, Fast Engine") in engine_choices()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rank = 40", "rang = 40", 'unknown field "rang"; did you mean "rank"\\? \\(engines/fast-engine.toml\\)'),
        (
            "share = 0.5",
            "shares = 0.5",
            '"shares"; did you mean "share"\\? \\(engines/fast-engine.toml \\[reservation\\]',
        ),
        ("[about]", "[abuot]", 'unknown table "abuot"; did you mean "about"'),
        ('source = "https://example.org"\n', "", r"engines/fast-engine.toml: \[about\] needs a source"),
        ("share = 0.5", "share = 50", r"fast-engine.toml \[reservation\]: share must be from 0 to 1, not 50"),
        ("step_tokens = 8", "step_tokens = 0.5", "step_tokens must be a whole number"),
        ('kind = "share of memory"', 'kind = "half"', "kind must be one of share of memory, whole context"),
        ("share = 0.5\n", "", 'share belongs only to kind = "share of memory"'),
        ('also = ["fe"]', 'also = ["Olama", "OLLAMA"]', 'also "OLLAMA" already belongs to engines/ollama.toml'),
        ('built_on = ["llama.cpp"]', 'built_on = ["lama.cpp"]', 'built_on: unknown engine "lama.cpp"; did you mean'),
        ("rank = 40", "rank = ", "engines/fast-engine.toml cannot be read"),
        (
            'built_on = ["llama.cpp"]',
            'built_on = ["ollama"]',
            "built_on must name a base engine, but ollama is itself built on",
        ),
    ],
)
def test_a_bad_file_is_refused_in_one_line(folder: Path, old: str, new: str, message: str) -> None:
    assert old in NEW
    (folder / "fast-engine.toml").write_text(NEW.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadCatalogue, match=message) as caught:
        load_engine("fast-engine")
    assert "\n" not in str(caught.value)


def test_a_memory_in_the_wrong_unit_is_refused(folder: Path) -> None:
    path = folder / "ollama.toml"
    path.write_text(path.read_text(encoding="utf-8").replace('"47 GiB"', '"48 GB/s"'), encoding="utf-8")
    wanted = r"ollama\.toml \[reservation\] contexts: least_memory: \"48 GB/s\" is not in B; allowed"
    with pytest.raises(BadCatalogue, match=wanted):
        load_engine("ollama")


def test_an_engine_can_be_asked_for_in_sets_and_caches() -> None:
    engines: set[Engine] = {load_engine(key) for key in engine_keys()}
    assert len(engines) == len(engine_keys())
