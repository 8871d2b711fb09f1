"""Grounding from question to verdict: the oracle is right in every dialect, and everything else counts for what it
is."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.model_name import ModelName
from affordance.core.question import Question
from affordance.core.requests import FinishReason, Request, Response
from affordance.datasets import DatasetCollection
from affordance.grounding.density import nid_count, nid_gauss
from affordance.grounding.dialects import DIALECTS, get_dialect, in_dialect
from affordance.grounding.location_parser import write_location
from affordance.grounding.location_scoring import MissKind, TargetTruth
from affordance.models.model import ModelContext
from affordance.models.oracle import Oracle
from affordance.tasks.function.ground import GROUND_ELEMENT, GROUND_REGION
from affordance.tasks.function.ground_metrics import (
    DENSITY,
    describe_target,
)
from affordance.tasks.metrics import NO_ANSWER_KIND
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.task import Task
from function_data import (
    captured_screen,
    of_every_kind,
    outcome,
    pixel,
    plain_outcomes,
    screen,
    target,
    unseen,
    write_captured,
)
from task_numbers import baselines_of, design_of, errors_of, metrics_of, present, section_of

TASK_OF = {"element": GROUND_ELEMENT, "region": GROUND_REGION}


class NoMediaLoader:
    """The oracle knows, and does not look."""

    async def load(self, media: object) -> list[bytes]:
        raise AssertionError("nobody should ask for pictures")

    load_base64 = load

    def release(self, images: object) -> None:
        raise AssertionError("nothing was lent")


def contrast_of(results: list[AttemptResult]) -> dict[str, float]:
    return present(section_of(GROUND_ELEMENT, DENSITY, results))


def questions(task: Task, data: DatasetCollection, dialect: str = "default") -> list[Question]:
    return [in_dialect(trial.question, get_dialect(dialect)) for trial in task.questions(data, design_of(task))]


def ask_of(task: Task, question: Question) -> Request:
    (ask,) = next(task.strategies["zero-shot"](question, load_prompt_pack(task).texts))
    return ask


def as_outcome(question: Question, verdict: Verdict | None, trial: int = 0) -> AttemptResult:
    return AttemptResult(
        f"{question.id}-{trial}", question.task, "m", "zero-shot", trial, question.id, question.item, question.truth,
        question.tags, question.cluster, verdict,
    )  # fmt: skip


def answered(task: Task, asked: Sequence[Question], replies: Sequence[str]) -> list[AttemptResult]:
    pairs = zip(asked, replies, strict=True)
    return [as_outcome(question, task.score(question, Response(reply))) for question, reply in pairs]


@pytest.mark.parametrize("level", ["element", "region"])
@pytest.mark.parametrize("name", DIALECTS)
def test_the_oracle_is_always_right(name: str, level: str) -> None:
    task = TASK_OF[level]
    asked = questions(task, of_every_kind(level), name)
    by_id = {question.id: question for question in asked}
    oracle = Oracle(ModelName("oracle", name), ModelContext(NoMediaLoader(), by_id.__getitem__))
    found = []
    for question in asked:
        verdict = task.score(question, asyncio.run(oracle.send(ask_of(task, question))))
        assert (verdict.status, verdict.score) == (AttemptStatus.ANSWERED, 1.0), (question.item, verdict)
        assert "fallback" not in verdict.detail
        found.append(as_outcome(question, verdict))
    metrics = metrics_of(GROUND_ELEMENT, found)
    assert metrics["accuracy"] == 1.0
    if DIALECTS[name].points_only(level):
        assert metrics["iou"] is metrics["iou_50"] is None
    else:
        # Targets of 13 pixels on a 3840-pixel screen are 3.4 thousandths wide: rounding costs overlap there.
        assert (metrics["iou"] or 0) > 0.75
    assert {kind: share for kind, share in errors_of(GROUND_ELEMENT, found).items() if share} == {}


def boxes_of(count: int, seed: int) -> DatasetCollection:
    draw = random.Random(seed)
    screens = []
    for number in range(count):
        wide, high = draw.randint(40, 400), draw.randint(40, 300)
        x, y = draw.randint(0, 1000 - wide), draw.randint(0, 600 - high)
        screens.append(screen(f"s{number:03d}", (1000, 600), [target("t", box=pixel(x, y, x + wide, y + high))]))
    return unseen(*screens)


def test_exact_boxes_overlap_wholly() -> None:
    asked = questions(GROUND_ELEMENT, boxes_of(40, 1), "default@original/xyxy")
    replies = [write_location(TargetTruth.from_text(one.truth).boxes[0], one.answer_format) for one in asked]  # type: ignore[arg-type]
    metrics = metrics_of(GROUND_ELEMENT, answered(GROUND_ELEMENT, asked, replies))
    assert metrics["accuracy"] == metrics["iou"] == metrics["iou_90"] == 1.0


def test_random_points_hit_as_often_as_the_area_share_says() -> None:
    asked = questions(GROUND_ELEMENT, boxes_of(3000, 2), "default@original/xyxy")
    draw = random.Random(3)
    replies = [f"Box: [{x}, {y}, {x}, {y}]" for x, y in ((draw.randint(0, 1000), draw.randint(0, 600)) for _ in asked)]
    found = answered(GROUND_ELEMENT, asked, replies)
    share = baselines_of(GROUND_ELEMENT, found)["area share"]
    assert share == pytest.approx(sum(TargetTruth.from_text(one.truth).area_share for one in asked) / len(asked))
    assert metrics_of(GROUND_ELEMENT, found)["accuracy"] == pytest.approx(share, abs=4 * (share / 3000) ** 0.5)


def test_shuffled_boxes_hit_about_as_often() -> None:
    """Boxes of other targets keep to the middle more than random points do, so that they hit somewhat more often."""
    asked = questions(GROUND_ELEMENT, boxes_of(1500, 4), "default@original/xyxy")
    truths = [TargetTruth.from_text(one.truth).boxes[0] for one in asked]
    replies = [write_location(box, asked[0].answer_format) for box in (*truths[1:], truths[0])]  # type: ignore[arg-type]
    found = answered(GROUND_ELEMENT, asked, replies)
    share = baselines_of(GROUND_ELEMENT, found)["area share"]
    assert share <= (metrics_of(GROUND_ELEMENT, found)["accuracy"] or 0) <= 2.5 * share


def test_the_middle_of_the_screen_is_a_floor() -> None:
    data = unseen(
        screen("a", (100, 100), [target("t", box=pixel(40, 40, 60, 60))]),
        screen("b", (100, 100), [target("t", box=pixel(0, 0, 10, 10))]),
        screen("c", (100, 100), [target("t", absent=True)]),
        screen("d", (100, 100), [target("t", polygon=[[0, 0], [100, 0], [0, 100]])]),
    )
    asked = questions(GROUND_ELEMENT, data)
    floors = baselines_of(GROUND_ELEMENT, [as_outcome(one, None) for one in asked])
    assert floors == {"area share": pytest.approx((0.04 + 0.01 + 0 + 0.5) / 4), "screen centre": 0.5}
    assert next(iter(floors)) == "area share", "chance is the first"
    assert baselines_of(GROUND_ELEMENT, []) == {"area share": 0.0}


MIXED = unseen(
    screen(
        "s",
        (1000, 1000),
        [
            target("a", box=pixel(0, 0, 100, 100), alike=[pixel(500, 500, 600, 600)]),
            target("b", polygon=[[0, 0], [500, 0], [0, 500]]),
            target("c", absent=True),
        ],
    )
)
A, B, C = questions(GROUND_ELEMENT, MIXED)
READ: dict[str, tuple[Question, Response, AttemptStatus, float | None, str | None]] = {
    "a box": (A, Response("Box: [0, 0, 100, 100]"), AttemptStatus.ANSWERED, 1.0, "box 0 0 100 100"),
    "a look-alike": (A, Response("Box: [500, 500, 600, 600]"), AttemptStatus.ANSWERED, 0.0, "box 500 500 600 600"),
    "absent, wrongly": (A, Response("Box: none"), AttemptStatus.ANSWERED, 0.0, "absent"),
    "absent, rightly": (C, Response("Box: none"), AttemptStatus.ANSWERED, 1.0, "absent"),
    "pointing at nothing": (C, Response("Box: [1, 2, 3, 4]"), AttemptStatus.ANSWERED, 0.0, "box 1 2 3 4"),
    "into a polygon": (B, Response("Box: [10, 10, 20, 20]"), AttemptStatus.ANSWERED, 1.0, "box 10 10 20 20"),
    "no numbers": (A, Response("In the upper left corner."), AttemptStatus.UNPARSED, None, None),
    "nothing": (A, Response(""), AttemptStatus.UNPARSED, None, None),
    "refused is not absent": (C, Response("I'm sorry, I can't help with that."), AttemptStatus.REFUSED, None, None),
    "refused by the provider": (C, Response("", finish=FinishReason.REFUSAL), AttemptStatus.REFUSED, None, None),
    "an error is not a "
    "place": (A, Response(finish=FinishReason.ERROR, error="Box: [0, 0, 1, 1]"), AttemptStatus.FAILED, None, None),
    "cut": (A, Response("Let me see. The box", finish=FinishReason.LENGTH), AttemptStatus.TRUNCATED, None, None),
    "an error as text": (A, Response('{"error": {"code": 503, "message": "try in 20 '
    's"}}'), AttemptStatus.UNPARSED, None, None),
}  # fmt: skip


@pytest.mark.parametrize(("question", "reply", "ended", "score", "answer"), READ.values(), ids=READ.keys())
def test_reading(
    question: Question, reply: Response, ended: AttemptStatus, score: float | None, answer: str | None
) -> None:
    verdict = GROUND_ELEMENT.score(question, reply)
    assert (verdict.status, verdict.score, verdict.answer) == (ended, score, answer)
    assert (verdict.reason == "") is (ended is AttemptStatus.ANSWERED)


def test_what_is_kept_of_an_answer() -> None:
    verdict = GROUND_ELEMENT.score(A, Response("Box: [450, 500, 650, 600]"))
    assert verdict.detail == {"numbers": (450, 500, 650, 600), "iou": 0.0, "miss": MissKind.LOOK_ALIKE}


def test_what_cannot_be_read_counts_as_wrong_and_no_overlap() -> None:
    found = answered(GROUND_ELEMENT, [A, A, A], ["Box: [0, 0, 100, 100]", "Hm.", "Box: [0, 0, 50, 100]"])
    failed = as_outcome(A, Verdict(AttemptStatus.FAILED, reason="HTTP 503"))
    metrics = metrics_of(GROUND_ELEMENT, [*found, failed, as_outcome(A, None)])
    assert metrics["accuracy"] == pytest.approx(2 / 3)
    assert metrics["iou"] == pytest.approx((1 + 0 + 0.5) / 3)
    assert (metrics["iou_50"], metrics["iou_60"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))


def test_overlap_is_of_boxes_only() -> None:
    found = answered(GROUND_ELEMENT, [A, B, C], ["Box: [0, 0, 100, 100]", "Box: [10, 10, 20, 20]", "Box: none"])
    assert metrics_of(GROUND_ELEMENT, found)["iou"] == 1.0
    assert metrics_of(GROUND_ELEMENT, found[1:])["iou"] is None, "no target is a box"
    assert metrics_of(GROUND_ELEMENT, [])["accuracy"] is None


def test_models_that_point_have_no_overlap() -> None:
    asked = questions(GROUND_ELEMENT, MIXED, "uground")
    metrics = metrics_of(GROUND_ELEMENT, answered(GROUND_ELEMENT, asked, ["(50, 50)", "(10, 10)", "(-1, -1)"]))
    assert metrics["accuracy"] == 1.0
    assert [value for name, value in metrics.items() if name.startswith("iou")] == [None] * 10


def test_models_that_point_have_no_overlap_when_they_say_nothing_either() -> None:
    asked = questions(GROUND_ELEMENT, MIXED, "uground")
    assert metrics_of(GROUND_ELEMENT, answered(GROUND_ELEMENT, asked, ["Hm.", "Hm.", "Hm."]))["accuracy"] == 0.0


REPLIES = ["Box: [0, 0, 100, 100]", "Box: [500, 500, 600, 600]", "Box: none", "Hm.", "Box: [90, 0, 200, 100]"]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([A, B, C]), st.sampled_from(REPLIES)), min_size=1))
def test_shares_and_accuracy_add_up(pairs: list[tuple[Question, str]]) -> None:
    found = answered(GROUND_ELEMENT, [question for question, _ in pairs], [reply for _, reply in pairs])
    shares = errors_of(GROUND_ELEMENT, found)
    assert sum(shares.values()) + (metrics_of(GROUND_ELEMENT, found)["accuracy"] or 0) == pytest.approx(1)
    assert shares[NO_ANSWER_KIND] == pytest.approx(sum(reply == "Hm." for _, reply in pairs) / len(pairs))


def test_the_truth_in_words() -> None:
    assert describe_target(A.truth) == "box 0 0 100 100"
    assert describe_target(B.truth) == "a polygon of 3 corners"
    assert describe_target(C.truth) == "absent"
    assert (
        describe_target(TargetTruth((9, 9), (pixel(0, 0, 1, 1), pixel(2, 2, 3, 3))).to_text())
        == "box 0 0 1 1 or 1 more"
    )


def test_crowding_is_compared_at_equal_area(tmp_path: Path) -> None:
    page = captured_screen()
    asked = questions(GROUND_ELEMENT, write_captured(tmp_path, [page], plain_outcomes(page)))
    assert len(Counter(question.tags["density"].split()[0] for question in asked)) > 1
    dense = [question.tags["density"].startswith("dense") for question in asked]
    right = [write_location(TargetTruth.from_text(one.truth).boxes[0], one.answer_format) for one in asked]  # type: ignore[arg-type]
    replies = ["Hm." if crowded else said for crowded, said in zip(dense, right, strict=True)]
    found = contrast_of(answered(GROUND_ELEMENT, asked, replies))
    assert found == {} or found["dense_less_sparse"] == -1.0
    assert contrast_of(answered(GROUND_ELEMENT, [A], ["Hm."])) == {}


def test_density_of_a_grid_of_nine() -> None:
    """With gaps as wide as the boxes: no centre in 3 times the box, all eight in 4 times, by their distance."""
    boxes = [(x * 80 + 100, y * 80 + 100, x * 80 + 140, y * 80 + 140) for y in range(3) for x in range(3)]
    centres = [((x1 + x2) / 2, (y1 + y2) / 2) for x1, y1, x2, y2 in boxes]
    assert nid_count([boxes[4]], centres)[0] == 0
    assert nid_gauss([boxes[4]], centres, (1000, 1000))[0] == pytest.approx(2.321, abs=0.001)


def test_paths_and_sizes_of_captured_screens(tmp_path: Path) -> None:
    page = captured_screen()
    data = write_captured(tmp_path, [page], [outcome("page", one, f"{one.id}.") for one in page.elements])
    for question in questions(GROUND_ELEMENT, data):
        (picture,) = question.media
        assert question.source_paths[picture.source] == tmp_path / "screens" / "media" / "page.png"
        assert TargetTruth.from_text(question.truth).size == (480, 320)
        assert picture.outlines == (), "nothing is marked"
