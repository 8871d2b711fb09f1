"""Many people who take part in a study at once, over HTTP as their pages do, and what must be true afterwards."""

import asyncio
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from affordance.author.project import open_as_project, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.studio.studies.assigning import spread
from affordance.studio.studies.opened import Studies
from affordance.studio.studies.seats import held
from forked import Forked, surroundings

CSRF = re.compile(r'name="csrf" content="(\w+)"')
_AGAIN = 0.2  # of answers are sent twice, as after an answer that was lost on the way


@dataclass
class Crowd:
    """What the people know to have done: who answered what last, and how long each request took."""

    answers: dict[tuple[str, str], str] = field(default_factory=dict)  # by seat and slot
    saves: list[float] = field(default_factory=list)
    entries: list[float] = field(default_factory=list)
    pictures: int = 0


@contextmanager
def served_study(folder: Path, *options: str) -> Iterator[str]:
    """`affordance study OPTIONS... --port 0`, until the block ends: the link of the study."""
    output, errors = folder / "study-stdout.txt", folder / "study-stderr.txt"
    output.write_text("")
    process = Forked(["study", *options, "--port", "0"], surroundings(folder / "cache"), output, errors)
    try:
        link = process.first_line()
        assert link, f"the study was not served: {errors.read_text('utf-8')}"
        yield link
    finally:
        process.send_signal(signal.SIGINT)
        if process.wait() is None:
            process.kill()
            process.wait()


async def everybody(link: str, study: str, people: int) -> Crowd:
    crowd = Crowd()
    async with asyncio.TaskGroup() as group:
        for number in range(people):
            group.create_task(_one_person(link, study, number, crowd))
    return crowd


async def _one_person(link: str, study: str, number: int, crowd: Crowd) -> None:
    """Enters, agrees, looks at everything, answers it, changes one answer, and is done."""
    chance = random.Random(number)
    root = link.partition("/s/")[0]
    async with aiohttp.ClientSession(
        root, cookie_jar=aiohttp.CookieJar(unsafe=True), timeout=aiohttp.ClientTimeout(300)
    ) as http:
        begun = time.perf_counter()
        async with http.get(f"{link}?PROLIFIC_PID=worker-{number}") as page:
            found = CSRF.search(await page.text())
            assert page.status == 200
            assert found is not None
        headers = {"X-CSRF-Token": found[1], "Origin": root}
        address = f"/api/study/{study}"
        async with http.post(f"{address}/consent", json={"agreed": True}, headers=headers) as answer:
            state = await answer.json()
            assert answer.status == 200, state
        crowd.entries.append(time.perf_counter() - begun)
        code, slots = state["code"], [slot["id"] for slot in state["slots"]]
        assert slots, state
        for slot in (*slots, slots[0]):
            async with http.get(f"{address}/sheet", params={"slot": slot}) as answer:
                sheet = await answer.json()
                assert answer.status == 200, sheet
            side = chance.choice(("first", "second"))
            edit = {"kind": "answer", "name": f"{code}/{slot}", "after": 0, "set": {"given": {"side": side}}}
            sent = {"screen": f"study:{study}", "key": chance.randbytes(16).hex(), "edits": [edit]}
            for _ in range(2 if chance.random() < _AGAIN else 1):
                begun = time.perf_counter()
                async with http.post("/api/answers", json=sent, headers=headers) as answer:
                    assert answer.status == 200, await answer.text()
                crowd.saves.append(time.perf_counter() - begun)
            crowd.answers[code, slot] = side
        async with http.get(sheet["blocks"][0]["src"]) as answer:
            crowd.pictures += len(await answer.read()) > 0
        async with http.post(f"{address}/finish", json={}, headers=headers) as answer:
            state = await answer.json()
            assert (answer.status, state["stage"]) == (200, "done"), state


def check(where: str, study: str, crowd: Crowd, people: int, per_person: int, cache: Path) -> None:
    """Balanced to within one, no item twice for one person, no answer lost or doubled."""
    with open_as_project(where) as project:
        studies = Studies(project, cache)
        opened = studies.open(studies.study(study))
        documents = project.ledger.documents.latest(scope=study_scope(study))
        every = project.ledger.documents.changes_since(0, kinds=[Kind.ANSWER])
    seats = {one.code: one for one in (read_record(one, Seat) for one in documents if one.kind == Kind.SEAT)}
    assert len(seats) == len({one.external for one in seats.values()}) == people
    assert all(one.finished and len(one.slots) == per_person for one in seats.values())
    loads = spread(opened.slots.values(), held(seats, opened.study))
    assert max(loads.values()) - min(loads.values()) <= 1, loads
    assert sum(loads.values()) == people * per_person
    for one in seats.values():
        assert len({opened.slots[slot].item for slot in one.slots}) == per_person
    assert max(Counter(slot for one in seats.values() for slot in one.slots).values()) == 1
    kept = [read_record(one, StudyAnswer) for one in documents if one.kind == Kind.ANSWER]
    assert {(one.seat, one.slot): one.given["side"] for one in kept} == crowd.answers
    assert len(kept) == people * per_person
    assert max(Counter((one.subject, one.version) for one in every).values()) == 1
    assert people * per_person <= len(every) <= people * (per_person + 1)
