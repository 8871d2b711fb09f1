"""A run whose answers were judged by a model that errs by rule, and people who do not.

What is contained in what is a rule on the two texts, so that everybody can be asked about any of them: people, who say
what is true, and the judge, which misses some and makes some up."""

import csv
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiohttp import web

from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.behavior.rationale_judging import ALL_LAWS_ANSWER
from behavior_data import published
from loopback import Seen, completion

PAIRS, REASONS = 40, 3
RUN = "explained"
SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.05, max_repeated_errors=5, outage_timeout=0.0)
TRUE = {"good": 70, "bad": 30}  # percent of rationales that a model's explanation contains
MISSED, MADE_UP, FLAKY = 10, 30, 20  # percent: of yes, of no, and of answers that are others when asked again

# What is compared in a prompt, whatever is said around it: an explanation, or the one of every law; and a rationale.
_EXPLANATION = re.compile(rf"A \w+ explanation, [0-9a-f]{{64}}|{re.escape(ALL_LAWS_ANSWER)}")
_RATIONALE = re.compile(r"Part \d+ of page \d+ is larger\.")


def chance(*texts: str) -> int:
    """From 0 to 99, the same for the same texts."""
    return int(hashlib.sha256("|".join(texts).encode()).hexdigest(), 16) % 100


def is_contained(explanation: str, rationale: str) -> bool:
    """What people say."""
    return any(name in explanation and chance(explanation, rationale) < share for name, share in TRUE.items())


def is_judged(explanation: str, rationale: str, time: int = 1) -> bool:
    """What the judge says when it is asked for the nth time."""
    truth = is_contained(explanation, rationale)
    found = truth != (chance("errs", explanation, rationale) < (MISSED if truth else MADE_UP))
    return found != (time == 2 and chance("flaky", explanation, rationale) < FLAKY)


async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
    if not seen.images:
        (explanation,), (rationale,) = _EXPLANATION.findall(seen.text), _RATIONALE.findall(seen.text)
        return completion("Yes" if is_judged(explanation, rationale, seen.number) else "No")
    return completion(f"A {seen.body['model']} explanation, {seen.key}")


def explained(folder: Path, pairs: int = PAIRS) -> DatasetCollection:
    """Pairs in which no two rationales are the same."""
    reasons = [
        [(f"Part {place} of page {index} is larger.", "Fitts’s Law", "Action") for place in range(REASONS)]
        for index in range(pairs)
    ]
    return published(folder, reasons)


def judged_run(folder: Path, data: DatasetCollection, url: str, **settings: Any) -> Path:
    """A ledger with the run in it."""
    request = RunRequest(
        config=RunConfig(tasks=(RATIONALE,), **{"judge": f"openai:judge@{url}", **settings}),
        data=data,
        models=tuple(ModelName.parse(f"openai:{name}@{url}") for name in TRUE),
        ledger=str(folder / "ledger.db"),
        render_cache=folder / "pictures",
        name=RUN,
        execution=ExecutionConfig(concurrency=16, retry=SHORT),
    )
    _, progress = execute_run(request)
    assert progress.complete
    return folder / "ledger.db"


def fill_in(path: Path, label: Callable[[dict[str, str]], str]) -> None:
    """As a person would, with a spreadsheet."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    write_sheet(path, [{**row, "label": label(row)} for row in rows])


def write_sheet(path: Path, rows: list[dict[str, str]], delimiter: str = ",") -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)


def people(row: dict[str, str]) -> str:
    return "yes" if is_contained(row["text_a"], row["text_b"]) else "no"
