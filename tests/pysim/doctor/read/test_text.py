"""Does text that people paste become lines that a reader can trust?"""

from pysim.doctor.read.text import MOST_COLUMNS, Line, clean


def lines_of(raw: str) -> list[str]:
    return [line.text for line in clean(raw).lines]


def test_colours_titles_and_cursor_moves_are_gone() -> None:
    assert lines_of("\x1b[1;32mprompt\x1b[0m eval\x1b[K") == ["prompt eval"]
    assert lines_of("\x1b]0;a title\x07eval") == ["eval"]


def test_odd_spaces_are_spaces_and_marks_without_width_are_gone() -> None:
    assert lines_of("1\u00a0764.61\u202fms\u200b") == ["1 764.61 ms"]
    assert lines_of("\ufeff| model |") == ["| model |"]


def test_each_state_of_a_progress_bar_is_a_line_of_its_number() -> None:
    assert clean("a\r\n10%\r50%\r100%\r\nb").lines == (
        Line(1, "a"),
        Line(2, "10%"),
        Line(2, "50%"),
        Line(2, "100%"),
        Line(3, "b"),
    )


def test_quote_marks_and_the_prefix_of_a_container_log_are_gone() -> None:
    assert lines_of("> eval rate: 5\n> > total: 6") == ["eval rate: 5", "total: 6"]
    assert lines_of("llama-1  | eval time\nmy_server_1 | total time\nllama-1  |") == ["eval time", "total time", ""]


def test_a_prompt_and_a_table_are_left_alone() -> None:
    assert lines_of(">>> hello\n| model | size |\nllama 7B | 3.56 GiB") == [
        ">>> hello",
        "| model | size |",
        "llama 7B | 3.56 GiB",
    ]


def test_of_a_run_of_empty_lines_one_is_kept_with_its_number() -> None:
    assert clean("a\n\n\n\nb").lines == (Line(1, "a"), Line(2, ""), Line(5, "b"))


def test_places_names_every_line_that_holds_a_word_once_and_in_order() -> None:
    text = clean("eval time\nnothing\nload time, eval time\n eval time eval time")
    assert text.places("eval time", "load time") == [0, 2, 3]
    assert text.places("absent") == []


def test_a_long_line_is_cut_for_readers_and_whole_for_json() -> None:
    raw = '{"a": "' + "x" * MOST_COLUMNS + '", "b": 1}'
    text = clean(raw)
    assert len(text.lines[0].text) == MOST_COLUMNS
    assert text.objects[0].value["b"] == 1
