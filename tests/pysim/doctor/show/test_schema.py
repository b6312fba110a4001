"""Is what `--json` prints what its schema says, refusals included?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pysim.cli.main import main
from pysim.cli.output import plain
from pysim.doctor.diagnose import diagnose
from pysim.doctor.show.as_json import as_json, refusal
from pysim.doctor.show.schema import schema
from tests.pysim.doctor.samples import names, sample

SCHEMA: dict[str, Any] = json.loads(json.dumps(schema()))
KINDS = {"string": str, "boolean": bool, "null": type(None), "object": dict, "array": list}


def faults(value: Any, rule: dict[str, Any], where: str = "$") -> list[str]:
    """Where a value breaks a schema: the keywords that ours has."""
    unknown = set(rule) - {
        "$schema", "$defs", "title", "description", "type", "enum", "const", "anyOf", "$ref", "properties", "required",
        "additionalProperties", "items",
    }  # fmt: skip
    assert not unknown, unknown
    if "$ref" in rule:
        return faults(value, SCHEMA["$defs"][rule["$ref"].rpartition("/")[2]], where)
    if "const" in rule:
        return [] if value == rule["const"] else [f"{where}: {value!r}"]
    if "enum" in rule:
        return [] if value in rule["enum"] else [f"{where}: {value!r}"]
    if "anyOf" in rule:
        return [] if any(not faults(value, part, where) for part in rule["anyOf"]) else [f"{where}: none fits"]
    allowed = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    if not any(_is(value, kind) for kind in allowed):
        return [f"{where}: {value!r} is not {allowed}"]
    if isinstance(value, list):
        return [fault for at, part in enumerate(value) for fault in faults(part, rule["items"], f"{where}[{at}]")]
    if not isinstance(value, dict):
        return []
    told = [f"{where}: lacks {name}" for name in rule.get("required", ()) if name not in value]
    for name, part in value.items():
        of = rule.get("properties", {}).get(name, rule.get("additionalProperties", True))
        told += [f"{where}: has {name}"] if of is False else faults(part, of, f"{where}.{name}")
    return told


def _is(value: Any, kind: str) -> bool:
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


@pytest.mark.parametrize("name", sorted(names()))
def test_the_json_of_every_tool_s_output_keeps_to_the_schema(name: str) -> None:
    assert faults(plain(as_json(diagnose(sample(name)))), SCHEMA) == []


def test_a_schema_that_is_broken_is_noticed() -> None:
    whole = plain(refusal("no such file"))
    assert isinstance(whole, dict)
    assert faults(whole, SCHEMA) == []
    assert faults({**whole, "more": 1}, SCHEMA)
    assert faults({**whole, "format": 1}, SCHEMA)
    assert faults({**whole, "cases": [{}]}, SCHEMA)
    assert faults({name: value for name, value in whole.items() if name != "error"}, SCHEMA)


def test_a_refusal_has_the_same_form(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("nothing that was measured\n", encoding="utf-8")
    for line in ([str(text)], [str(tmp_path / "none.txt")], [str(text), "--device", "rtx 4900"]):
        assert main(["doctor", *line, "--json"]) == 2
        out, err = capsys.readouterr()
        refused = json.loads(out)
        assert faults(refused, SCHEMA) == []
        assert refused["cases"] == []
        assert refused["error"] in err


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA


def test_prompt_tokens_are_those_that_were_read() -> None:
    text = (
        "slot update_slots: id  0 | task 7 | kv cache rm [1000, end)\n"
        "slot print_timing: id  0 | task 7 |\n"
        "prompt eval time = 1000.00 ms / 2000 tokens ( 0.50 ms per token, 2000.00 tokens per second)\n"
        "       eval time = 1000.00 ms / 100 tokens ( 10.00 ms per token, 100.00 tokens per second)\n"
    )
    cases: Any = as_json(diagnose(text))["cases"]
    assert cases[0]["prompt_tokens"] == cases[0]["runs"][0]["prompt_tokens"] == 2000
