"""The HTML builder: JSON in attributes."""

from demos.kit.html import data_json


def test_json_in_attributes_is_compact() -> None:
    assert data_json({"a": [1, "é"]}) == '{"a":[1,"é"]}'
