"""Small real ledgers for the tests of the report: each model follows a script of verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from affordance.core.ask import Address, Ask, Finish, Message, Reply, Usage, transcript
from affordance.core.attempt import Attempt, Ended, Verdict
from affordance.core.digest import Json, digest, digest_file
from affordance.core.grammar import YesNo
from affordance.core.picture import Picture
from affordance.core.question import Question
from affordance.datasets import Dataset
from affordance.ledger import Asked, Ledger, Run, open_ledger
from affordance.report.html import html_report
from affordance.report.results import read_results
from affordance.report.rows import rows

TASK = "motion/effect"
EFFECTS = ("move", "rotate", "size", "color", "fade", "blur", "morph")
STEP = (0, 0, 0)

RIGHT, WRONG = "right", "wrong"
REFUSED = Verdict(Ended.REFUSED, reason="I'm sorry, but I can't help with that.")
UNPARSED = Verdict(Ended.UNPARSED, reason="no answer in the asked form")
TRUNCATED = Verdict(Ended.TRUNCATED, reason="the token limit cut the reply")
FAILED = Verdict(Ended.FAILED, reason="HTTP 503: overloaded")
SKIPPED = Verdict(Ended.SKIPPED, reason="takes 8 pictures at most, asked with 30")
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


def fill(ledger: Ledger, plan: Plan) -> Run:
    described: dict[str, Json] = {
        "name": "primitives",
        "digest": "d0",
        "kind": "clip",
        "items": plan.items,
        "synthetic": True,
    }
    settings = {"protocol": "affordance", "seed": 0, "reasks": {TASK: 0}, **(plan.settings or {})}
    run = ledger.begin_run(Run(digest("run", plan.name), plan.name, settings, {**described, "licence": "CC0-1.0"}))
    files = {digest_file(path): path for path in plan.files}
    pictures = tuple(Picture(source) for source in files)
    for model, script in plan.scripts.items():
        for place in range(plan.items * plan.trials):
            item, trial = divmod(place, plan.trials)
            question = _question(item, trial, plan)
            attempt = Attempt(run.id, question.id, model, "zero-shot", trial)
            ledger.plan([(attempt, TASK, question)])
            verdict = _verdict(script[place % len(script)], question.truth)
            if verdict is not None:
                asked = _asked(model, question, trial, pictures, files)
                reply = _reply(verdict, (plan.replies or {}).get(model))
                ledger.add_reply(attempt.id, STEP, asked, reply, run=run.id)
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
        runs = [summary.run for summary in ledger.runs()]
        return html_report(read_results(ledger, runs), rows(ledger, runs), () if dataset is None else (dataset,))


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
        return Verdict(Ended.ANSWERED, truth, 1.0)
    if scripted == WRONG:
        return Verdict(Ended.ANSWERED, EFFECTS[(EFFECTS.index(truth) + 1) % 7], 0.0)
    assert not isinstance(scripted, str)
    return scripted


def _asked(
    model: str, question: Question, trial: int, pictures: tuple[Picture, ...], files: Mapping[str, Path]
) -> Asked:
    address = Address(model, "https://host/v1", "", "pack", {"temperature": 0})
    prompt = f"Which effect is it, in trial {trial}?"
    ask = Ask(question.id, (Message("user", (prompt, *pictures)),), question.grammar)
    text = transcript(ask)
    key = digest("ask", model, question.id, trial)
    return Asked(key, address, question.id, text, pictures, files)


def _reply(verdict: Verdict, text: str | None) -> Reply:
    finish = {Ended.FAILED: Finish.ERROR, Ended.SKIPPED: Finish.UNABLE, Ended.TRUNCATED: Finish.LENGTH}
    error = verdict.reason if verdict.ended in (Ended.FAILED, Ended.SKIPPED) else ""
    said = text if text is not None else f"{verdict.answer or ''}\nbecause of its edges"
    return Reply(said, finish=finish.get(verdict.ended, Finish.STOP), error=error, usage=Usage(900, 12), seconds=0.5)
