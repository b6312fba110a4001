"""The order of the runtime's files: each is in one bundle, and uses only what files before it declare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hooks.assets.bundles import DEMOS, BundleError, bundle

RUNTIME = DEMOS / "runtime"
# Scripts of one kind of page or thread, and whose scripts are there before them.
BEFORE = {"page": (), "pictures": ("page",), "worker": ()}
# A script that is fetched when a reader wants a picture; the page knows it by these two names only.
FETCHED_LATER = {"TwoSpeeds.pictures", "TwoSpeeds.pictureStyle"}

PIECE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
DECLARED = re.compile(r"^(?:async )?(?:class|const|let|function) (\w+)", re.MULTILINE)
SHARED = re.compile(r"^ {0,2}(TwoSpeeds\.\w+) = ", re.MULTILINE)
WORD = re.compile(r"TwoSpeeds\.\w+|(?<![\w.])[A-Za-z_]\w*")


def braced(text: str, start: int) -> tuple[str, int]:
    """Return what the brace at `start` encloses, and the place behind it."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + 1 : place], place + 1
    return text[start + 1 :], len(text)


def types_in(comment: str) -> Iterator[str]:
    """Yield the types that a JSDoc comment names."""
    for tag in re.finditer(r"@(?:param|type|returns|typedef|template)\s*(?=\{)", comment):
        yield braced(comment, tag.end())[0]


def code(text: str) -> str:
    """Return a script without its strings and prose; the types in its comments stay."""

    def without_prose(piece: re.Match[str]) -> str:
        return " ".join(types_in(piece[0])) if piece[0].startswith("/*") else " "

    return PIECE.sub(without_prose, text)


def declared(text: str) -> set[str]:
    """Return the names that a script declares for the scripts after it, those of types included."""
    typedefs = set()
    for tag in re.finditer(r"@typedef\s*(?=\{)", text):
        behind = braced(text, tag.end())[1]
        typedefs.update(re.findall(r"\s*(\w+)", text[behind : behind + 80])[:1])
    return {*DECLARED.findall(text), *SHARED.findall(text), *typedefs}


def uses_too_early(scripts: Mapping[str, str], known: set[str]) -> list[str]:
    """Return what each script, in their order, uses of scripts that come after it."""
    owners = {name: path for path, text in scripts.items() for name in declared(text)}
    seen, complaints = set(known), []
    for path, text in scripts.items():
        seen |= declared(text)
        used = {word for word in WORD.findall(code(text)) if word in owners}
        complaints += [f"{path} uses {name} of {owners[name]}, which comes after it" for name in sorted(used - seen)]
    return complaints


def texts(name: str) -> dict[str, str]:
    """Return the scripts of a bundle by path, in their order."""
    return {path.relative_to(RUNTIME).as_posix(): path.read_text(encoding="utf-8") for path in bundle(name)}


def names_of(bundles: tuple[str, ...]) -> set[str]:
    return {name for other in bundles for text in texts(other).values() for name in declared(text)}


@pytest.mark.parametrize("name", BEFORE)
def test_a_script_uses_only_what_scripts_before_it_declare(name: str) -> None:
    assert uses_too_early(texts(name), names_of(BEFORE[name])) == []


@pytest.mark.parametrize("name", BEFORE)
def test_a_bundle_uses_no_name_of_a_bundle_that_is_not_there(name: str) -> None:
    absent = tuple(other for other in BEFORE if other not in (name, *BEFORE[name]))
    own = names_of((name, *BEFORE[name])) | FETCHED_LATER
    foreign = names_of(absent) - own
    used = {word for text in texts(name).values() for word in WORD.findall(code(text))}
    assert used & foreign == set()


def test_every_name_is_declared_once() -> None:
    for name, before in BEFORE.items():
        owners = [owned for other in (name, *before) for text in texts(other).values() for owned in declared(text)]
        assert sorted(owners) == sorted(set(owners))


def test_the_figure_is_known_only_where_it_is_made() -> None:
    users = [path for path, text in texts("page").items() if "DemoFigure" in WORD.findall(code(text))]
    assert users == ["page/figure.js", "page/start.js"]


def test_a_circle_of_two_files_is_found() -> None:
    low = "class Low {\n  /** @param {High} high */\n  constructor(high) {}\n}\n"
    high = 'class High {\n  // Low is named in prose and "Low" in a string.\n  low = new Low(this);\n}\n'
    late = uses_too_early({"low.js": low, "high.js": high}, set())
    assert late == ["low.js uses High of high.js, which comes after it"]
    late = uses_too_early({"high.js": high, "low.js": low}, set())
    assert late == ["high.js uses Low of low.js, which comes after it"]


def test_every_script_and_sheet_is_in_one_bundle(tmp_path: Path) -> None:
    bundle("page")  # Raises if a file is in none, or in two.
    runtime = tmp_path / "demos" / "runtime"
    runtime.mkdir(parents=True)
    (runtime / "one.js").touch()
    (runtime / "order.toml").write_text('page = ["one.js"]\nworker = []\n')
    assert bundle("page", tmp_path) == [runtime / "one.js"]
    (runtime / "two.js").touch()
    with pytest.raises(BundleError, match=r"two\.js is listed 0 times, must be once"):
        bundle("page", tmp_path)
    (runtime / "order.toml").write_text('page = ["one.js", "two.js"]\nworker = ["two.js"]\n')
    with pytest.raises(BundleError, match=r"two\.js is listed 2 times, must be once"):
        bundle("page", tmp_path)
    (runtime / "order.toml").write_text('page = ["one.js", "two.js", "three.js"]\n')
    with pytest.raises(BundleError, match=r"three\.js does not exist"):
        bundle("page", tmp_path)


@pytest.mark.parametrize("path", sorted(path.relative_to(RUNTIME).as_posix() for path in RUNTIME.rglob("*.js")))
def test_a_script_is_one_idea_in_150_lines_and_its_first_line_says_which(path: str) -> None:
    lines = (RUNTIME / path).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150
    assert re.fullmatch(r"// .{20,}", lines[0])
