"""Small runs, questions and asks for the tests of the ledger."""

from fractions import Fraction
from pathlib import Path

from affordance.core.attempts import Attempt, AttemptStatus, Verdict
from affordance.core.digest import digest
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.core.question import Question, YesNo
from affordance.core.requests import CallSettings, Response, TokenUsage, legacy_request_key
from affordance.ledger import RequestRecord, RunRecord

STEP = (0, 0, 0)
RIGHT = Verdict(AttemptStatus.ANSWERED, "yes", 1.0)
FAILED = Verdict(AttemptStatus.FAILED, reason="no answer in time")
PATH = Path("clips/one.mp4")


def a_run(name: str = "first", *, fresh: bool = False, **settings: Json) -> RunRecord:
    return RunRecord(digest("run", name, settings), name, settings, {"digest": "d0"}, fresh)


def a_question(item: str = "clip-1", task: str = "effect", **axes: Json) -> Question:
    return Question(task, item, axes, (), {}, YesNo(), "yes", {}, {"family": "fade"})


def an_attempt(run: RunRecord, question: Question, model: str = "m", trial: int = 0, subject: str = "") -> Attempt:
    return Attempt(run.id, question.id, model, "zero-shot", trial, subject)


def a_picture(seconds: int = 0) -> ImageSpec:
    return ImageSpec(digest("clip"), time=Fraction(seconds), max_side=512)


def an_ask(name: str, *, model: str = "m", pictures: int = 1) -> RequestRecord:
    address = CallSettings(model, "https://host/v1", "plain", "pack", {"temperature": 0})
    shown = tuple(a_picture(number) for number in range(pictures))
    return RequestRecord(
        key=legacy_request_key(address, name, 0, STEP),
        call=address,
        question_id=digest("question", name),
        transcript=f'[["user",["{name}"]]]',
        media=shown,
        source_paths={digest("clip"): PATH},
    )


def a_reply(text: str = "Yes.") -> Response:
    return Response(text, "because", usage=TokenUsage(10, 2), seconds=0.5, served_by="m-2025")
