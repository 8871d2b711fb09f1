"""Goals from a file: one in each line, or with more about each."""

from pathlib import Path

from affordance.author.designs.goals import read_goals
from affordance.core.errors import DataError
from errors import raises


def written(folder: Path, text: str) -> Path:
    path = folder / "goals.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_and_json_lines(tmp_path: Path) -> None:
    text = '# Goals\n\nMore people sign up\n{"goal": "Fewer returns", "context": "A shoe shop", "id": "returns"}\n'
    plain, detailed = read_goals(written(tmp_path, text))
    assert (plain.goal, plain.context) == ("More people sign up", None)
    assert plain.id.startswith("more-people-sign-up-")
    assert (detailed.id, detailed.goal, detailed.context) == ("returns", "Fewer returns", "A shoe shop")


def test_a_goal_has_the_same_id_wherever_it_stands(tmp_path: Path) -> None:
    (alone,) = read_goals(written(tmp_path, "Buy tea"))
    among = read_goals(written(tmp_path, "Buy coffee\nBuy tea\n買う\n"))
    assert among[1].id == alone.id
    assert len({goal.id for goal in among}) == 3
    assert among[2].id.isascii()


# Each with the line of the mistake, and what the error names.
WRONG: dict[str, tuple[str, int | None, str]] = {
    "nothing": ("# none\n", None, ""),
    "twice": ("Buy tea\nBuy tea\n", 2, ""),
    "no goal": ('{"id": "x"}', 1, "goal"),
    "an unknown field": ('{"goal": "x", "gaol": "y"}', 1, "gaol"),
    "an id that leaves the folder": ('{"goal": "x", "id": "../x"}', 1, "id"),
    "no JSON": ('{"goal": ', 1, ""),
}


def test_what_is_wrong_has_its_line(tmp_path: Path) -> None:
    for text, line, field in WRONG.values():
        path = written(tmp_path, text)
        with raises(DataError, field, path=path) as caught:
            read_goals(path)
        assert caught.value.line == line


def test_no_such_file(tmp_path: Path) -> None:
    with raises(DataError, path=tmp_path / "none.txt"):
        read_goals(tmp_path / "none.txt")


def test_a_text_may_hold_other_marks_that_end_a_line(tmp_path: Path) -> None:
    """JSON may hold U+2028 and U+0085 as they are."""
    (goal,) = read_goals(written(tmp_path, '{"goal": "Buy\u2028tea\x85now", "id": "tea"}\n'))
    assert goal.goal == "Buy\u2028tea\x85now"
