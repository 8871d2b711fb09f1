"""Small real ledgers for the tests of the report: each model follows a script of verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from affordance.core.attempts import Attempt, AttemptStatus, Verdict
from affordance.core.digest import digest, digest_file
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.core.question import Question, YesNo
from affordance.core.requests import CallSettings, FinishReason, Message, Request, Response, TokenUsage, transcript
from affordance.datasets import Dataset
from affordance.ledger import Ledger, RequestRecord, RunRecord, open_ledger
from affordance.report.page.html_report import html_report
from affordance.report.results import read_results
from affordance.report.rows import build_rows

TASK = "motion/effect"
EFFECTS = ("move", "rotate", "size", "color", "fade", "blur", "morph")
STEP = (0, 0, 0)

RIGHT, WRONG = "right", "wrong"
REFUSED = Verdict(AttemptStatus.REFUSED, reason="I'm sorry, but I can't help with that.")
UNPARSED = Verdict(AttemptStatus.UNPARSED, reason="no answer in the asked form")
TRUNCATED = Verdict(AttemptStatus.TRUNCATED, reason="the token limit cut the reply")
FAILED = Verdict(AttemptStatus.FAILED, reason="HTTP 503: overloaded")
SKIPPED = Verdict(AttemptStatus.SKIPPED, reason="takes 8 pictures at most, asked with 30")
PENDING = None

Script = Sequence[str | Verdict | None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run holds. A model's script is repeated over its attempts, item by item and trial by trial."""

    scripts: Mapping[str, Script]
    name: str = "first"
    items: int = 7
    trials: int = 2
    settings: Mapping[str, Json] | None = None
    replies: Mapping[str, str] | None = None  # by model, instead of an ordinary one
    tags: Mapping[str, str] | None = None
    files: Sequence[Path] = ()  # the pictures of every question


def still(path: Path, shade: int = 128) -> Path:
    """A real picture file."""
    cv2.imwrite(str(path), np.full((48, 64, 3), shade, np.uint8))
    return path


def fill(ledger: Ledger, plan: Plan) -> RunRecord:
    described: dict[str, Json] = {
        "name": "primitives",
        "digest": "d0",
        "kind": "clip",
        "items": plan.items,
        "synthetic": True,
    }
    settings = {"protocol": "affordance", "seed": 0, "reasks": {TASK: 0}, **(plan.settings or {})}
    run = ledger.begin_run(
        RunRecord(digest("run", plan.name), plan.name, settings, {**described, "licence": "CC0-1.0"})
    )
    files = {digest_file(path): path for path in plan.files}
    pictures = tuple(ImageSpec(source) for source in files)
    for model, script in plan.scripts.items():
        for place in range(plan.items * plan.trials):
            item, trial = divmod(place, plan.trials)
            question = _question(item, trial, plan)
            attempt = Attempt(run.id, question.id, model, "zero-shot", trial)
            ledger.add_attempts([(attempt, TASK, question)])
            verdict = _verdict(script[place % len(script)], question.truth)
            if verdict is not None:
                asked = _asked(model, question, trial, pictures, files)
                reply = _reply(verdict, (plan.replies or {}).get(model))
                ledger.add_response(attempt.id, STEP, asked, reply, run=run.id)
                ledger.add_verdict(attempt.id, verdict)
    return run


def page_of(where: Path, *plans: Plan, dataset: Dataset | None = None) -> str:
    """The report on a new ledger that holds these runs."""
    with open_ledger(where) as ledger:
        for plan in plans:
            fill(ledger, plan)
    return page_again(where, dataset=dataset)


def page_again(where: Path, *, dataset: Dataset | None = None) -> str:
    with open_ledger(where, read_only=True) as ledger:
        runs = [summary.run for summary in ledger.run_summaries()]
        return html_report(read_results(ledger, runs), build_rows(ledger, runs), () if dataset is None else (dataset,))


def _question(item: int, trial: int, plan: Plan) -> Question:
    truth = EFFECTS[item % len(EFFECTS)]
    slot = "ABCDEFG"[(item + trial) % 7]
    tags = {
        "effect": truth,
        "slot": slot,
        **{key: value.replace("{}", str(item)) for key, value in (plan.tags or {}).items()},
    }
    return Question(TASK, f"clip-{item:04d}", {"trial": trial}, (), {}, YesNo(), truth, {}, tags)


def _verdict(scripted: str | Verdict | None, truth: str) -> Verdict | None:
    if scripted == RIGHT:
        return Verdict(AttemptStatus.ANSWERED, truth, 1.0)
    if scripted == WRONG:
        return Verdict(AttemptStatus.ANSWERED, EFFECTS[(EFFECTS.index(truth) + 1) % 7], 0.0)
    assert not isinstance(scripted, str)
    return scripted


def _asked(
    model: str, question: Question, trial: int, pictures: tuple[ImageSpec, ...], files: Mapping[str, Path]
) -> RequestRecord:
    address = CallSettings(model, "https://host/v1", "", "pack", {"temperature": 0})
    prompt = f"Which effect is it, in trial {trial}?"
    ask = Request(question.id, (Message("user", (prompt, *pictures)),), question.answer_format)
    text = transcript(ask)
    key = digest("ask", model, question.id, trial)
    return RequestRecord(key, address, question.id, text, pictures, files)


def _reply(verdict: Verdict, text: str | None) -> Response:
    finish = {
        AttemptStatus.FAILED: FinishReason.ERROR,
        AttemptStatus.SKIPPED: FinishReason.UNSUPPORTED,
        AttemptStatus.TRUNCATED: FinishReason.LENGTH,
    }
    error = verdict.reason if verdict.status in (AttemptStatus.FAILED, AttemptStatus.SKIPPED) else ""
    said = text if text is not None else f"{verdict.answer or ''}\nbecause of its edges"
    return Response(
        said, finish=finish.get(verdict.status, FinishReason.STOP), error=error, usage=TokenUsage(900, 12), seconds=0.5
    )
