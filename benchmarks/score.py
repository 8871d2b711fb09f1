"""Scoring grounding replies, against reading them from the ledger.

    python benchmarks/score.py [--replies N] [--rounds N]

A ledger is filled with attempts at generated targets. The measure is reading them all back, with questions and
verdicts; scoring reads every reply anew (dialect, truth, kind of miss), then computes the rows with all breakdowns. CPU
time, the least of several rounds. Always exits 0: a timing is a finding, not a test.
"""

import argparse
import random
import tempfile
import time
from pathlib import Path

from affordance.core.attempts import Attempt
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.question import LocationFormat, Question
from affordance.core.requests import CallSettings, Message, Request, Response, request_key, transcript
from affordance.grounding.location_parser import write_location
from affordance.grounding.location_scoring import TargetTruth
from affordance.ledger import Ledger, RequestRecord, RunRecord, open_ledger
from affordance.report.results import RunResults, row_key
from affordance.report.rows import rows_of_runs
from affordance.tasks.function.ground import GROUND_ELEMENT

LIMIT = 3.0
SIZES = ((1280, 720), (1920, 1080), (3840, 2160), (1170, 2532))
TAGS = {
    "action": ("click", "hover", "drag", "type"),
    "names itself": ("yes", "no"),
    "density": ("sparse (to 1)", "medium (to 3)", "dense (over 3)"),
    "density, Gaussian": ("sparse (to 1)", "medium (to 3)", "dense (over 3)"),
    "group size": ("1-2", "3-4", "5-6", "7+"),
    "area": ("tiny (to 0.1%)", "small (to 0.5%)", "medium (to 2%)", "large (over 2%)"),
    "platform": ("web", "desktop", "mobile"),
}


def target(number: int, draw: random.Random) -> Question:
    width, height = SIZES[number % len(SIZES)]
    x, y = draw.uniform(0, width * 0.9), draw.uniform(0, height * 0.9)
    box = Box(CoordinateSpace.PIXEL, x, y, x + draw.uniform(8, width * 0.1), y + draw.uniform(8, height * 0.1))
    alike = tuple(Box(CoordinateSpace.PIXEL, box.x1, place, box.x2, place + 20) for place in (10.0, 60.0, 110.0))
    size = (width, height)
    return Question(
        task=GROUND_ELEMENT.name,
        item=f"item-{number}",
        axes={"expression": "functionality"},
        media=(),
        prompt_fields={},
        answer_format=LocationFormat("default", "element", size, size),
        truth=TargetTruth(
            size, (box,), alike=alike, around=(Box(CoordinateSpace.PIXEL, 0, 0, width, height),)
        ).to_text(),
        source_paths={},
        tags={**{tag: draw.choice(values) for tag, values in TAGS.items()}, "expression": "functionality"},
        cluster=f"screen-{number // 20}",
    )


def said(question: Question, draw: random.Random) -> Response:
    """Right, beside it, thinking aloud, or nothing at all."""
    assert isinstance(question.answer_format, LocationFormat)
    box = TargetTruth.from_text(question.truth).boxes[0]
    off = draw.choice((0.0, 0.0, 40.0, 400.0))
    text = write_location(
        Box(CoordinateSpace.PIXEL, box.x1 + off, box.y1 + off, box.x2 + off, box.y2 + off), question.answer_format
    )
    thinking = "<think>It should be in the upper part, near 3 others.</think>\n"
    return Response(draw.choice((text, text, f"Here it is.\n{text}", thinking + text, "I do not see it.")))


def fill(ledger: Ledger, run: RunRecord, questions: list[Question], draw: random.Random) -> dict[str, Response]:
    replies: dict[str, Response] = {}
    address = CallSettings("model", dialect="default")
    for start in range(0, len(questions), 1000):
        part = questions[start : start + 1000]
        attempts = [Attempt(run.id, question.id, "model", "zero-shot", 0) for question in part]
        ledger.add_attempts(
            [(attempt, question.task, question) for attempt, question in zip(attempts, part, strict=True)]
        )
        for attempt, question in zip(attempts, part, strict=True):
            ask = Request(question.id, (Message("user", (question.item,)),), question.answer_format)
            text = transcript(ask)
            asked = RequestRecord(request_key(address, text, 0, ask.step), address, question.id, text, (), {})
            reply = replies[question.id] = said(question, draw)
            ledger.add_response(attempt.id, ask.step, asked, reply, run=run.id, requests=1)
            written = ledger.add_verdict(attempt.id, GROUND_ELEMENT.score(question, reply))
    written.result()
    return replies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    draw = random.Random(0)
    questions = [target(number, draw) for number in range(options.replies)]
    by_id = {question.id: question for question in questions}
    with tempfile.TemporaryDirectory() as folder, open_ledger(str(Path(folder) / "score.db")) as ledger:
        run = ledger.begin_run(RunRecord("score", "score", {"tasks": [GROUND_ELEMENT.name]}, {"name": "score"}, False))
        sent = {run.name: {"model": [{"dialect": "default"}]}}
        replies = fill(ledger, run, questions, draw)
        reading, scoring = [], []
        for _ in range(options.rounds):
            started = time.process_time()
            outcomes = list(ledger.attempt_results(run.id))
            reading.append(time.process_time() - started)
            started = time.process_time()
            for outcome in outcomes:
                GROUND_ELEMENT.score(by_id[outcome.question_id], replies[outcome.question_id])
            found = rows_of_runs(
                RunResults(
                    ledger,
                    (run,),
                    {run.name: {row_key(outcomes[0]): outcomes}},
                    sent,
                    effort={run.name: {}},
                    responses={run.name: ()},
                    adaptations={run.name: ()},
                )
            )
            scoring.append(time.process_time() - started)
    ratio = min(scoring) / min(reading)
    print(f"{'replies':>8} {'reading s':>10} {'scoring s':>10} {'ratio':>7} {'limit':>7}")
    print(f"{options.replies:>8,} {min(reading):>10.2f} {min(scoring):>10.2f} {ratio:>7.2f} {LIMIT:>7.2f}")
    print(f"accuracy {found[0].metrics['accuracy']:.3f}, {len(found[0].breakdowns)} lines of breakdowns")


if __name__ == "__main__":
    main()
