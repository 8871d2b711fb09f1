"""Predictions that somebody else made: found by question or item, and a missing one is no wrong answer."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from model_samples import OPTIONS, ask, question, surroundings

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import DataError, UserError
from affordance.core.model_name import ModelName
from affordance.core.requests import FinishReason, Response
from affordance.models.replay import ReplayModel
from affordance.tasks.registry import get_task
from affordance.tasks.scoring import verdict_of
from errors import assert_carries, raises

ONE, OTHER = question("one"), question("other")
SCORER = get_task(ONE.task).scorer


def replay(path: Path) -> ReplayModel:
    return ReplayModel(ModelName("replay", str(path)), surroundings(ONE, OTHER))


def written(folder: Path, *predictions: dict[str, Any]) -> Path:
    path = folder / "predictions.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in predictions), encoding="utf-8")
    return path


def reply(model: ReplayModel, to: str, trial: int = 0) -> Response:
    return asyncio.run(model.send(ask(question=to, trial=trial)))


def test_by_item_and_trial(tmp_path: Path) -> None:
    model = replay(
        written(
            tmp_path,
            {"item": "one", "reply": "A"},
            {"item": "one", "trial": 1, "reply": "B"},
            {"item": "other", "reply": ""},
        )
    )
    assert reply(model, ONE.id) == Response("A")
    assert reply(model, ONE.id, trial=1) == Response("B")
    assert reply(model, OTHER.id) == Response("")


def test_a_question_goes_before_its_item(tmp_path: Path) -> None:
    model = replay(written(tmp_path, {"item": "one", "reply": "A"}, {"question": ONE.id, "reply": "B"}))
    assert reply(model, ONE.id).text == "B"


@pytest.mark.parametrize(("to", "trial"), [(ONE.id, 1), (OTHER.id, 0)])
def test_a_missing_prediction_is_a_failure_and_never_a_wrong_answer(tmp_path: Path, to: str, trial: int) -> None:
    model = replay(written(tmp_path, {"item": "one", "reply": "A"}))
    found = reply(model, to, trial)
    assert (found.finish, found.permanent, found.text) == (FinishReason.ERROR, True, "")
    assert_carries(found.error, trial)
    verdict = verdict_of(SCORER, ONE, found)
    assert (verdict.status, verdict.counted_score) == (AttemptStatus.FAILED, None)


def test_the_reply_is_read_like_any_other(tmp_path: Path) -> None:
    model = replay(
        written(tmp_path, {"item": "one", "reply": "**B**\nGröße – 寸法"}, {"item": "other", "reply": "no idea"})
    )
    assert verdict_of(SCORER, ONE, reply(model, ONE.id)).score == 1.0
    assert verdict_of(SCORER, OTHER, reply(model, OTHER.id)).status is AttemptStatus.UNPARSED
    assert isinstance(ONE.answer_format, type(OPTIONS))


def test_another_file_is_another_model(tmp_path: Path) -> None:
    """The content is part of what is sent, so a changed file is never answered from the cache."""
    path = written(tmp_path, {"item": "one", "reply": "A"})
    before = replay(path)
    written(tmp_path, {"item": "one", "reply": "B"})
    after = replay(path)
    assert before.name == after.name == "replay:predictions.jsonl"
    assert before.request_parameters({}) != after.request_parameters({})
    assert before.request_parameters({"temperature": 1}) == before.request_parameters({})


GOOD = b'{"item": "one", "reply": "A"}\n'
BROKEN = {
    "blank line": (GOOD + b"\n" + GOOD, 2, ('"item"', '"trial"', '"reply"')),
    "not JSON": (GOOD + b"B", 2, ()),
    "cut": (GOOD + b'{"item": "t', 2, ()),
    "not UTF-8": (b'{"item": "\xff\xff", "reply": ""}', 1, ()),
    "abyss": (b"[" * 100_000, 1, ()),
    "list": (b"[]", 1, ()),
    "no reply": (b'{"item": "one"}', 1, ('"reply"', '"box"', '"point"', '"absent"')),
    "reply of the wrong type": (b'{"item": "one", "reply": 2}', 1, ("reply",)),
    "reply of nothing": (b'{"item": "one", "reply": null}', 1, ('"reply"', '"box"', '"point"', '"absent"')),
    "misspelt": (b'{"item": "one", "rely": "A", "reply": "A"}', 1, ("rely",)),
    "neither item nor question": (b'{"reply": "A"}', 1, ('"item"', '"question"')),
    "empty item": (b'{"item": "", "reply": "A"}', 1, ('"item"', '"question"')),
    "trial as text": (b'{"item": "one", "trial": "0", "reply": "A"}', 1, ("trial",)),
    "twice": (GOOD + GOOD, 2, ("'one'", "0")),
}


@pytest.mark.parametrize(("content", "line", "data"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_line_is_told_with_its_number(
    tmp_path: Path, content: bytes, line: int, data: tuple[str, ...]
) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(content)
    with raises(DataError, *data, path=path, line=line):
        replay(path)


@pytest.mark.parametrize("name", ["", "nowhere.jsonl", "."])
def test_no_file(name: str) -> None:
    with raises(UserError, "replay:"):
        ReplayModel(ModelName("replay", name), surroundings(ONE))
