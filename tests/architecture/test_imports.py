"""Do imports run downwards only, from floor to lower floor, and never in a circle?"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

import pytest

from tests.architecture.imports import HOUSES, circles, imports, modules

FLOORS: Final[list[list[str]]] = tomllib.loads(Path(__file__).with_name("floors.toml").read_text(encoding="utf-8"))[
    "floors"
]
FLOOR_OF: Final = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
STAR: Final = ".*"


def room_of(module: str) -> str:
    """The longest name of a room that a module lies in; "" for none."""
    # A house's own name stands for its __init__ alone: a new folder has to be put on a floor.
    rooms = [room for room in FLOOR_OF if module == room or (module.startswith(f"{room}.") and room not in HOUSES)]
    above, _, rest = module.partition(".")
    if not rooms and rest and above + STAR in FLOOR_OF:
        return f"{above}.{rest.partition('.')[0]}"
    return max(rooms, key=len, default="")


def floor_of(module: str) -> int:
    """The floor of a module's room, counted from below."""
    room = room_of(module)
    return FLOOR_OF.get(room, FLOOR_OF.get(room.partition(".")[0] + STAR, -1))


@pytest.mark.parametrize("house", HOUSES)
def test_every_module_lies_on_one_floor(house: str) -> None:
    homeless = [module for module in modules() if module.split(".")[0] == house and not room_of(module)]
    assert homeless == [], "put their folder on a floor in tests/architecture/floors.toml"
    assert len(FLOOR_OF) == sum(map(len, FLOORS))


@pytest.mark.parametrize("house", HOUSES)
def test_a_room_imports_only_from_lower_floors(house: str) -> None:
    upwards = [
        f"{module} imports {target}"
        for module, targets in imports().items()
        for target in sorted(targets)
        if module.split(".")[0] == house and room_of(module) != room_of(target) and floor_of(module) <= floor_of(target)
    ]
    assert upwards == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles(imports()) == []


def test_every_room_of_the_floors_is_there() -> None:
    known = modules()
    rooms = [room.removesuffix(STAR) for room in FLOOR_OF]
    lost = [room for room in rooms if not any(module == room or module.startswith(f"{room}.") for module in known)]
    assert lost == []


def test_a_new_demo_is_a_room_of_its_own_above_the_kit() -> None:
    assert room_of("demos.brand_new.picture") == "demos.brand_new"
    assert floor_of("demos.brand_new") > floor_of("demos.kit.html") > floor_of("pysim.cli.main")
    assert floor_of("demos.brand_new") == floor_of("demos.kv_memory")
    assert room_of("pysim.brand_new") == ""


def test_a_circle_would_be_found() -> None:
    graph = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"a"}), "d": frozenset({"a"})}
    assert circles(graph) == [["a", "b", "c"]]


def test_imports_in_functions_and_for_types_are_seen() -> None:
    seen = imports()
    assert "pysim.models.catalog_entry" in seen["pysim.load"]  # inside a function
    assert "pysim.hardware.device" in seen["pysim.load"]  # for types alone
