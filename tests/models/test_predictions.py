"""Places that others read out of replies: ours and ScreenSpot-Pro's files, and whom each prediction belongs to."""

import asyncio
import json
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from model_samples import ask, surroundings

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.errors import DataError
from affordance.core.geometry import CoordinateSpace, Point
from affordance.core.model_name import ModelName
from affordance.core.question import LocationFormat, Question
from affordance.core.requests import FinishReason
from affordance.grounding.dialects import DIALECTS, get_dialect, in_dialect
from affordance.grounding.location_parser import parse_location, write_location_exactly
from affordance.grounding.location_scoring import TargetTruth, score_location
from affordance.models.replay import ReplayModel
from affordance.tasks.function.ground import GROUND_ELEMENT
from errors import assert_carries, raises
from function_data import pixel, screen, target, unseen
from task_numbers import design_of

SIZE = (2000, 1000)
BOX = pixel(200, 100, 400, 300)
DATA = unseen(
    screen(
        "cad",
        SIZE,
        [
            target("a", box=BOX, functionality="draw a line"),
            target("b", box=pixel(1000, 500, 1100, 600), functionality="close"),
            target("c", box=pixel(1500, 500, 1600, 600), functionality="close"),
            target("d", absent=True, functionality="fly"),
        ],
    )
)
A, B, C, D = (trial.question for trial in GROUND_ELEMENT.questions(DATA, design_of(GROUND_ELEMENT)))


def verdict(path: Path, question: Question, dialect: str = "default", trial: int = 0) -> Verdict:
    """How a question ends with these predictions, asked in a dialect."""
    spoken = in_dialect(question, get_dialect(dialect))
    model = ReplayModel(ModelName("replay", str(path)), surroundings(A, B, C, D))
    reply = asyncio.run(model.send(ask(grammar=spoken.answer_format, question=question.id, trial=trial)))
    return GROUND_ELEMENT.score(spoken, reply)


def lines(folder: Path, *predictions: dict[str, Any]) -> Path:
    path = folder / "predictions.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in predictions))
    return path


def details(folder: Path, *entries: dict[str, Any], **more: Any) -> Path:
    path = folder / "result.json"
    path.write_text(json.dumps({"metrics": {"overall": {"accuracy": 0.9}}, "details": list(entries), **more}))
    return path


def detail(prompt: str, pred: list[float] | None, bbox: list[float] | None = None, **more: Any) -> dict[str, Any]:
    found = {"img_path": "/data/images/cad.png", "prompt_to_evaluate": prompt, "pred": pred, "correctness": "correct"}
    return {**found, **({"bbox": bbox} if bbox is not None else {}), **more}


PLACES: dict[str, tuple[dict[str, Any], str, float, float | None]] = {
    "a box in pixels": ({"box": BOX.to_json()}, "box 200 100 400 300", 1.0, 1.0),
    "in shares": ({"box": {"space": "unit", "xyxy": [0.1, 0.1, 0.2, 0.3]}}, "box 200 100 400 300", 1.0, 1.0),
    "in thousandths": ({"box": {"space": "mille", "xyxy": [100, 100, 150, 300]}}, "box 200 100 300 300", 1.0, 0.5),
    "a point": ({"point": {"space": "pixel", "xy": [400, 300]}}, "point 400 300", 1.0, None),
    "a point in shares": ({"point": {"space": "unit", "xy": [0.5, 0.5]}}, "point 1000 500", 0.0, None),
    "absent": ({"absent": True}, "absent", 0.0, 0.0),
    "a reply is read in the dialect": ({"reply": "Box: [100, 100, 200, 300]"}, "box 200 100 400 300", 1.0, 1.0),
}


@pytest.mark.parametrize(("said", "answer", "score", "iou"), PLACES.values(), ids=PLACES.keys())
def test_places(tmp_path: Path, said: dict[str, Any], answer: str, score: float, iou: float | None) -> None:
    found = verdict(lines(tmp_path, {"item": "cad/a", **said}), A)
    assert (found.status, found.answer, found.score) == (AttemptStatus.ANSWERED, answer, score)
    assert found.detail.get("iou") == iou


def test_a_place_is_the_same_in_every_dialect(tmp_path: Path) -> None:
    """`--dialect` says how replies are to be read; what others have read is no matter of dialect."""
    path = lines(
        tmp_path,
        {"item": "cad/a", "box": BOX.to_json()},
        {"item": "cad/b", "point": {"space": "pixel", "xy": [1000, 500]}},
        {"item": "cad/d", "absent": True},
    )
    for name in DIALECTS:
        found = [verdict(path, one, name) for one in (A, B, D)]
        assert [one.score for one in found] == [1.0] * 3, name
        assert found[0].detail["iou"] == pytest.approx(1.0, abs=1e-5), name


@settings(max_examples=40)
@given(st.tuples(st.integers(300, 4000), st.integers(300, 4000)), st.tuples(st.integers(1, 290), st.integers(1, 290)))
@example((1170, 2532), (277, 244))
def test_a_point_on_the_edge_of_the_truth_is_inside(size: tuple[int, int], corner: tuple[int, int]) -> None:
    """Others' files hold whole pixels, and so do boxes: both often lie on one line."""
    grammar = LocationFormat("default", "element", size, size)
    place = parse_location(write_location_exactly(Point(CoordinateSpace.PIXEL, *corner), grammar), grammar).location
    assert place is not None
    for box in (pixel(0, 0, *corner), pixel(*corner, *size)):
        assert score_location(place, TargetTruth(size, (box,))).is_correct


def test_what_has_no_prediction_has_failed_and_is_not_wrong(tmp_path: Path) -> None:
    path = lines(tmp_path, {"item": "cad/a", "absent": True})
    found = verdict(path, B)
    assert (found.status, found.counted_score) == (AttemptStatus.FAILED, None)
    assert_carries(found.reason, "'cad/b'", "0", "replay:predictions.jsonl")


BROKEN: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "two at once": ({"absent": True, "reply": "x"}, ("reply", "box", "point", "absent")),
    "none": ({}, ("reply", "box", "point", "absent")),
    "not absent": ({"absent": False}, ("absent",)),
    "a box without a space": ({"box": [1, 2, 3, 4]}, ("box",)),
    "corners the wrong way round": ({"box": {"space": "pixel", "xyxy": [3, 4, 1, 2]}}, ("x1", "x2")),
    "no such space": ({"point": {"space": "percent", "xy": [1, 2]}}, ("space",)),
    "three numbers": ({"point": {"space": "pixel", "xy": [1, 2, 3]}}, ("xy",)),
}


@pytest.mark.parametrize(("said", "data"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_place_is_told_with_its_line(tmp_path: Path, said: dict[str, Any], data: tuple[str, ...]) -> None:
    path = lines(tmp_path, {"item": "x", "absent": True}, {"item": "y", **said})
    with raises(DataError, *data, path=path, line=2):
        verdict(path, A)


LINES = {
    "point": '{"item": "x", "point": {"space": "pixel", "xy": [1, %s]}}\n',
    "box": '{"item": "x", "box": {"space": "pixel", "xyxy": [0, 0, 1, %s]}}\n',
}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_numbers_that_are_none(tmp_path: Path, line: str, number: str) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text(line % number)
    with pytest.raises(DataError):
        verdict(path, A)


def test_screenspot_pro_points_are_pixels(tmp_path: Path) -> None:
    path = details(tmp_path, detail("draw a line", [400, 300], list(BOX.xyxy)), detail("fly", [3, 4]))
    assert verdict(path, A).score == 1.0
    assert verdict(path, A).answer == "point 400 300"
    assert verdict(path, A).detail.get("iou") is None
    assert verdict(path, D).score == 0.0
    assert verdict(path, B).status is AttemptStatus.FAILED, "what is missing has failed, it is not wrong"


def test_the_same_words_twice_are_told_apart_by_the_truth(tmp_path: Path) -> None:
    b, c = [1000, 500, 1100, 600], [1500, 500, 1600, 600]
    for order in ([("b", b, [1050, 550]), ("c", c, [5, 5])], [("c", c, [5, 5]), ("b", b, [1050, 550])]):
        path = details(tmp_path, *(detail("close", pred, bbox) for _, bbox, pred in order))
        assert verdict(path, B).score == 1.0
        assert verdict(path, C).score == 0.0
    path = details(tmp_path, detail("close", [1050, 550], b), detail("close", [1, 1], [7, 7, 8, 8]))
    assert verdict(path, C).status is AttemptStatus.FAILED, "nobody's prediction is taken for another's"


def test_a_single_prediction_is_not_taken_for_two_questions(tmp_path: Path) -> None:
    path = details(tmp_path, detail("close", [1050, 550], [1000, 500, 1100, 600]))
    assert verdict(path, B).score == 1.0
    assert verdict(path, C).status is AttemptStatus.FAILED


NULLS = {
    "nothing was said": (None, AttemptStatus.UNPARSED),
    "an empty reply": ("", AttemptStatus.UNPARSED),
    "prose": ("It is in the corner.", AttemptStatus.UNPARSED),
    "a refusal": ("I'm sorry, I can't help with that.", AttemptStatus.REFUSED),
    "numbers that were not read there": ("<point>200 200</point> of who knows what", AttemptStatus.UNPARSED),
}


@pytest.mark.parametrize(("raw", "ended"), NULLS.values(), ids=NULLS.keys())
def test_a_prediction_that_is_null_is_no_answer(tmp_path: Path, raw: str | None, ended: AttemptStatus) -> None:
    found = verdict(details(tmp_path, detail("draw a line", None, raw_response=raw)), A)
    assert (found.status, found.counted_score) == (ended, 0.0)


def test_pictures_are_told_apart_and_folders_are_not(tmp_path: Path) -> None:
    entries = [
        detail("draw a line", [1, 1], img_path="/x/other.png"),
        detail("draw a line", [300, 200], img_path="C:\\data\\cad.png"),
    ]
    assert verdict(details(tmp_path, *entries), A).score == 1.0


WRONG: dict[str, Any] = {
    "three numbers": detail("x", [1, 2, 3]),
    "no picture": {"prompt_to_evaluate": "x", "pred": [1, 2]},
    "no pred": {"img_path": "x", "prompt_to_evaluate": "x"},
    "no object": 5,
}


@pytest.mark.parametrize("entry", WRONG.values(), ids=WRONG.keys())
def test_a_broken_entry_is_told_with_its_number(tmp_path: Path, entry: Any) -> None:
    path = details(tmp_path, detail("draw a line", [1, 2]), entry)
    with raises(DataError, "details", 2, path=path):
        verdict(path, A)


def test_numbers_of_screenspot_pro_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    entry = json.dumps(detail("draw a line", [1, 2])).replace("[1, 2]", "[NaN, 2]")
    path.write_text(f'{{"details": [{entry}]}}')
    with raises(DataError, "details", 1, path=path):
        verdict(path, A)


def test_a_place_is_no_answer_to_a_choice(tmp_path: Path) -> None:
    model = ReplayModel(ModelName("replay", str(lines(tmp_path, {"item": "cad/a", "absent": True}))), surroundings(A))
    reply = asyncio.run(model.send(ask(question=A.id)))
    assert (reply.finish, reply.permanent) == (FinishReason.ERROR, True)


def test_predictions_for_nothing_that_is_asked_are_told(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"item": "nobody", "reply": "A"}\n', encoding="utf-8")
    model = ReplayModel(ModelName("replay", str(path)), surroundings(A))
    assert_carries(model.unmatched_warning([A]), 1)


def points(space: str, *numbers: tuple[float, float], names: str = "abcef") -> list[dict[str, Any]]:
    """The numbers in turn, once for each name."""
    return [{"item": f"cad/{name}", "point": {"space": space, "xy": xy}} for name, xy in zip(names, cycle(numbers))]


UNITS: dict[str, tuple[list[dict[str, Any]], tuple[str, ...]]] = {
    "shares for pixels": (
        points("pixel", (0.1, 0.2), (0.5, 1)),
        ("0", "1"),
    ),
    "shares for thousandths": (points("mille", (0.1, 0.2)), ("0", "1")),
    "pixels for shares": (
        points("unit", (640, 0), (3, 300)),
        ("'unit'", "0", "1"),
    ),
    "pixels for thousandths": (points("mille", (2560, 1440)), ("'mille'", "0", "1000")),
    "boxes": (
        [{"item": f"cad/{name}", "box": {"space": "pixel", "xyxy": [0.1, 0.1, 0.2, 0.3]}} for name in "abcef"],
        (),
    ),
}


@pytest.mark.parametrize(("given", "data"), UNITS.values(), ids=UNITS.keys())
def test_a_file_in_other_units_is_refused(tmp_path: Path, given: list[dict[str, Any]], data: tuple[str, ...]) -> None:
    """It would score 0 throughout."""
    with raises(DataError, "predictions.jsonl", *data):
        verdict(lines(tmp_path, *given, {"item": "cad/d", "absent": True}), A)


def test_a_result_of_screenspot_pro_in_shares_is_refused(tmp_path: Path) -> None:
    others = [detail(f"close {number}", [1.0, 0.0]) for number in range(4)]
    shares = (detail("draw a line", [0.15, 0.2]), detail("fly", None), *others)
    with raises(DataError, "result.json", 0, 1):
        verdict(details(tmp_path, *shares), A)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(points("pixel", (0, 0), (1, 1)), id="the corner"),
        pytest.param(points("pixel", (0.5, 0.5), (300, 200)), id="one near the corner"),
        pytest.param(points("unit", (1.2, 0.5)), id="beside the picture"),
        pytest.param(points("unit", (0.5, 0.5), (7, 7)), id="one far away"),
        pytest.param(points("pixel", (0.5, 0.5), names="a"), id="a single one"),
        pytest.param(points("unit", (0.5, 0.5)) + points("pixel", (0.5, 0.5), names="ghijk"), id="half of them"),
    ],
)
def test_odd_places_are_what_a_model_said(tmp_path: Path, given: list[dict[str, Any]]) -> None:
    assert verdict(lines(tmp_path, *given), A).status is AttemptStatus.ANSWERED


def test_a_file_without_predictions_is_a_mistake(tmp_path: Path) -> None:
    for path in (lines(tmp_path), details(tmp_path)):
        with raises(DataError, path=path):
            verdict(path, A)


def test_an_entry_that_is_there_twice_is_told(tmp_path: Path) -> None:
    twice = details(tmp_path, detail("draw a line", [1, 1]), detail("draw a line", [2, 2]))
    with raises(DataError, 2, path=twice):
        verdict(twice, A)
