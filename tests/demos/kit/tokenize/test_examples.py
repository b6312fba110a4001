"""Are the examples' prompts and answers as long as the demos need, and is their code right?"""

from pathlib import Path

import pytest

from demos.kit.errors import KitError
from demos.kit.tokenize.examples import EXAMPLES, STOCK_ANSWER, Example, load_examples
from demos.kit.tokenize.tokenizer import encode

GOOD = 'place = 1\ntitle = "t"\nprompt = "p"\nanswer = "a"\n'


def test_examples_stand_in_the_order_of_their_places() -> None:
    assert list(EXAMPLES) == ["sky", "email", "document", "code", "chat"]


def test_answers_are_as_long_as_their_titles_say() -> None:
    assert len(encode(EXAMPLES["sky"].answer)) >= 64
    assert len(encode(EXAMPLES["email"].answer)) >= 256
    assert len(encode(STOCK_ANSWER)) >= 512


def test_the_document_needs_several_chunks_and_still_fits_a_prompt() -> None:
    assert len(encode(EXAMPLES["document"].prompt)) > 3 * 512
    assert len(EXAMPLES["document"].prompt) < 9_000


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_a_prompt_fits_and_a_title_is_short(example: Example) -> None:
    assert 0 < len(example.prompt) <= 20_000
    assert 0 < len(example.title) <= 48
    assert example.answer


def test_the_faster_function_gives_the_means_of_the_slow_one() -> None:
    slow = EXAMPLES["code"].prompt.split("\n\n", 1)[1]
    fast = EXAMPLES["code"].answer.split("```python\n")[1].split("```")[0]
    names: dict[str, dict[str, object]] = {"slow": {}, "fast": {}}
    exec(slow, names["slow"])
    exec(fast, names["fast"])
    means = [names[name]["moving_average"]([3, 1, 4, 1, 5, 9], 3) for name in ("slow", "fast")]  # type: ignore[operator]
    assert means[0] == means[1] == pytest.approx([8 / 3, 2.0, 10 / 3, 5.0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("answer", "answers"), 'odd.toml: no example has a field "answers"; did you mean "answer"?'),
        (GOOD.replace("place = 1\n", ""), 'odd.toml: an example needs "place", a whole number'),
        (GOOD.replace('"p"', "7"), 'odd.toml: an example needs "prompt", a text'),
    ],
)
def test_a_wrong_example_is_an_error_that_names_its_file(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "odd.toml").write_text(text)
    with pytest.raises(KitError) as caught:
        load_examples(tmp_path)
    assert str(caught.value) == message
