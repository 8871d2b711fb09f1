"""Goals from a file: one in each line, or with more about each."""

from pathlib import Path

import pytest

from affordance.author.designs.goals import read_goals
from affordance.core.errors import DataError


def written(folder: Path, text: str) -> Path:
    path = folder / "goals.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_and_json_lines(tmp_path: Path) -> None:
    text = '# Goals\n\nMore people sign up\n{"goal": "Fewer returns", "context": "A shoe shop", "id": "returns"}\n'
    plain, told = read_goals(written(tmp_path, text))
    assert (plain.goal, plain.context) == ("More people sign up", None)
    assert plain.id.startswith("more-people-sign-up-")
    assert (told.id, told.goal, told.context) == ("returns", "Fewer returns", "A shoe shop")


def test_a_goal_has_the_same_id_wherever_it_stands(tmp_path: Path) -> None:
    (alone,) = read_goals(written(tmp_path, "Buy tea"))
    among = read_goals(written(tmp_path, "Buy coffee\nBuy tea\n買う\n"))
    assert among[1].id == alone.id
    assert len({goal.id for goal in among}) == 3
    assert among[2].id.isascii()


WRONG = {
    "nothing": ("# none\n", "expected a goal in each line, found none"),
    "twice": ("Buy tea\nBuy tea\n", "goals.txt:2: expected each goal once"),
    "no goal": ('{"id": "x"}', "goals.txt:1: "),
    "an unknown field": ('{"goal": "x", "gaol": "y"}', "gaol"),
    "an id that leaves the folder": ('{"goal": "x", "id": "../x"}', "id"),
    "no JSON": ('{"goal": ', "goals.txt:1: expected JSON"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_goals(written(tmp_path, text))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_goals(tmp_path / "none.txt")
