"""Labels as people write them: read strictly, in whatever a spreadsheet saves."""

import json
from pathlib import Path

import pytest

from affordance.core.errors import DataError
from affordance.judging.labels import read_label_file
from errors import raises

HEAD = "text_a,text_b,label,labeller,task,weight,judgement"
TASK, OTHER = "behavior/rationale", "motion/meaning"


def sheet(tmp_path: Path, *rows: str, head: str = HEAD, name: str = "labels.csv") -> Path:
    path = tmp_path / name
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


READ = {
    "as it was drawn": (HEAD, "a,b,yes,,behavior/rationale,1.5,x"),
    "in capitals, with spaces": (HEAD, "a,b, YES ,,behavior/rationale,1.5, x "),
    "a byte order mark": (f"\ufeff{HEAD}", "a,b,yes,,behavior/rationale,1.5,x"),
    "semicolons and a comma in the number": (HEAD.replace(",", ";"), "a;b;yes;;behavior/rationale;1,5;x"),
    "tabs": (HEAD.replace(",", "\t"), "a\tb\tyes\t\tbehavior/rationale\t1.5\tx"),
    "other columns in another order": ("judgement,note,weight,task,label", "x,hm,1.5,behavior/rationale,Yes"),
    "lines in a text": (HEAD, '"a\nb",b,yes,,behavior/rationale,1.5,x'),
}


@pytest.mark.parametrize(("head", "row"), READ.values(), ids=READ)
def test_what_spreadsheets_write_is_read(tmp_path: Path, head: str, row: str) -> None:
    found = read_label_file(sheet(tmp_path, row, head=head))
    (label,) = found.labelled
    assert (found.task, label.judgement, label.weight, label.value) == (TASK, "x", 1.5, 1.0)


def test_json_lines(tmp_path: Path) -> None:
    rows = [
        {"label": 4, "task": OTHER, "weight": 2, "judgement": "x"},
        {"label": "0", "task": OTHER, "weight": 2.0, "judgement": "y", "labeller": "me"},
        {"label": None, "task": OTHER, "weight": 1, "judgement": "z"},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("\n\n".join(map(json.dumps, rows)))
    found = read_label_file(path)
    assert [(one.judgement, one.value) for one in found.labels] == [("x", 0.8), ("y", 0.0), ("z", None)]
    assert found.empty == 1


WRONG = {
    "a bad label": ("a,b,perhaps,,behavior/rationale,1,x", ("'perhaps'",)),
    "a score where yes or no is asked": ("a,b,1,,behavior/rationale,1,x", ("'1'",)),
    "a score off the scale": ("a,b,6,,motion/meaning,1,x", ("'6'", "0", "5")),
    "a score below the scale": ("a,b,-1,,motion/meaning,1,x", ("'-1'", "0", "5")),
    "half a point": ("a,b,2.5,,motion/meaning,1,x", ("'2.5'", "0", "5")),
    "no judgement": ("a,b,yes,,behavior/rationale,1,", ("'judgement'",)),
    "no task": ("a,b,yes,,,1,x", ("'task'",)),
    "a task without a judge": ("a,b,yes,,motion/effect,1,x", ("'motion/effect'", "motion/meaning")),
    "no weight": ("a,b,yes,,behavior/rationale,,x", ()),
    "a weight of nothing": ("a,b,yes,,behavior/rationale,0,x", ("'0'",)),
    "an endless weight": ("a,b,yes,,behavior/rationale,inf,x", ("'inf'",)),
    "a cell too many": ("a,b,yes,,behavior/rationale,1,x,y", ("7", "8")),
}


def test_what_is_wrong_is_reported_with_its_row(tmp_path: Path) -> None:
    for name, (row, data) in WRONG.items():
        path = sheet(tmp_path, row)
        with raises(DataError, 2, *data, path=path):
            read_label_file(path)
            pytest.fail(name)


FILES = {
    "nothing": ("", ()),
    "no rows": (f"{HEAD}\n", ()),
    "no label column": ("judgement,task,weight\nx,behavior/rationale,1\n", ("'label'",)),
    "two tasks": (f"{HEAD}\na,b,yes,,{TASK},1,x\na,b,3,,{OTHER},1,y\n", (TASK, OTHER, "--task")),
    "one person twice": (f"{HEAD}\na,b,yes,me,{TASK},1,x\na,b,yes,me,{TASK},1,x\n", ("3", "x", "'me'")),
    "two people without names": (f"{HEAD}\na,b,yes,,{TASK},1,x\na,b,no,,{TASK},1,x\n", ("3", "x")),
    "two weights": (f"{HEAD}\na,b,yes,me,{TASK},1,x\na,b,no,you,{TASK},2,x\n", ("3", "x")),
}


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    for name, (text, data) in FILES.items():
        path.write_text(text, encoding="utf-8")
        with raises(DataError, *data, path=path):
            read_label_file(path)
            pytest.fail(name)


def test_other_files(tmp_path: Path) -> None:
    with raises(DataError, "affordance judge sample", path=tmp_path / "nothing.csv"):
        read_label_file(tmp_path / "nothing.csv")
    (tmp_path / "x.csv").write_bytes(b"label\xff")
    with raises(DataError, "UTF-8", path=tmp_path / "x.csv"):
        read_label_file(tmp_path / "x.csv")
    (tmp_path / "x.jsonl").write_text('{"label": "yes"\n')
    with raises(DataError, path=tmp_path / "x.jsonl", line=1):
        read_label_file(tmp_path / "x.jsonl")


def test_of_several_tasks_one_is_chosen(tmp_path: Path) -> None:
    path = sheet(tmp_path, f"a,b,yes,,{TASK},1,x", f"a,b,3,,{OTHER},1,y")
    assert [one.value for one in read_label_file(path, OTHER).labelled] == [0.6]
    with raises(DataError, OTHER, TASK):
        read_label_file(sheet(tmp_path, f"a,b,yes,,{TASK},1,x"), OTHER)


def test_several_people_are_joined(tmp_path: Path) -> None:
    """The majority of yes and no, where a tie says nothing; the mean of scores."""
    said = {"x": ("yes", "yes", "no"), "y": ("no", "yes", ""), "z": ("no", "", ""), "u": ("", "", "")}
    rows = [f"a,b,{label},p{who},{TASK},1,{name}" for name, labels in said.items() for who, label in enumerate(labels)]
    found = read_label_file(sheet(tmp_path, *rows))
    assert {one.judgement: one.value for one in found.labels} == {"x": 1.0, "y": None, "z": 0.0, "u": None}
    assert (found.empty, found.ties, found.labellers) == (1, 1, 3)
    # Of x 4 of the ordered couples differ, of y 2: (4 / 2 + 2 / 1) observed; 12 of all 5 labels: 12 / 4 expected.
    assert found.alpha == pytest.approx(1 - 4 / 3)
    scores = [f"a,b,{label},p{who},{OTHER},1,x" for who, label in enumerate((2, 3, 3))]
    (label,) = read_label_file(sheet(tmp_path, *scores)).labelled
    assert label.value == pytest.approx(8 / 3 / 5)


def test_one_person_has_nobody_to_agree_with(tmp_path: Path) -> None:
    assert read_label_file(sheet(tmp_path, f"a,b,yes,,{TASK},1,x", f"a,b,no,,{TASK},1,y")).alpha is None
