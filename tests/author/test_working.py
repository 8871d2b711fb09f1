"""A stage on a project: what is done is left alone, what fails is reported, people are never overwritten, and whatever
was paid for is kept through kill -9."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from aiohttp import web

from affordance.author.engines import carry_out
from affordance.author.orders import Order, Told
from affordance.author.project import Project, create_project, open_project
from affordance.author.records import Kind, Region, RegionType, Retelling
from affordance.author.screens.intake import take_in
from affordance.author.screens.selecting import Wanted, select
from affordance.author.standing import costs, standing
from affordance.author.state import Change, ScreenState
from affordance.author.tools import Result, Tools
from affordance.author.working import work_on
from affordance.core.geometry import Box, CoordinateSpace
from affordance.evaluation.ad_hoc import MODEL
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.ledger import DocumentDraft
from affordance.media import encode_image
from affordance.models.family import Price
from author_notes import assert_notes
from errors import assert_carries
from loopback import Behaviour, Loopback, Seen, after, completion
from patience import PATIENCE, until

SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.02, max_repeated_errors=500, outage_timeout=0.0)
BUTTON = '{"type": "Button", "subtype": "", "confidence": 0.9}'


async def says_button(seen: Seen, _: web.Request) -> web.StreamResponse:
    return completion(BUTTON)


def pixel(*numbers: float) -> Box:
    return Box(CoordinateSpace.PIXEL, *numbers)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of three drawn screens, with a tree of two regions each."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(3):
        page = np.full((300, 400, 3), 250, np.uint8)
        page[40:80, 30 + 40 * number : 200] = (20, 90, 200)
        page[150:250, 50 : 150 + 40 * number] = (200, 60, 20)
        (pictures / f"s{number}.png").write_bytes(encode_image(page))
    create_project(tmp_path / "project")
    with open_project(tmp_path / "project") as project:
        take_in(project, [str(pictures)])
        for screen in project.screens():
            project.write(
                screen, [Change(Kind.REGION, f"{screen}/{node}", one) for node, one in TREE.items()], "divide"
            )
    return tmp_path / "project"


TREE = {
    "0-0": Region(box=pixel(0, 0, 400, 300)),
    "1-0": Region(box=pixel(20, 30, 220, 90), parent="0-0"),
    "1-1": Region(box=pixel(40, 140, 240, 260), parent="0-0"),
}


@pytest.fixture
def opened(folder: Path) -> Iterator[Project]:
    with open_project(folder) as project:
        yield project


def order(folder: Path, stage: str = "classify", url: str | None = None, **changes: object) -> Order:
    with open_project(folder, read_only=True) as project:
        screens = tuple(project.selected())
    models = {} if url is None else {MODEL: f"openai:m@{url}"}
    means = ExecutionConfig(concurrency=4, retry=SHORT)
    made = Order(str(folder), stage, screens, str(folder / "cache"), models=models, means=means)
    return replace(made, **changes)  # type: ignore[arg-type]


def counted(told: Told) -> tuple[int, int, int, int]:
    return told.done, told.skipped, len(told.failed), len(told.pending)


def test_what_is_done_is_not_done_again(folder: Path) -> None:
    with Loopback(says_button) as server:
        assert counted(work_on(order(folder, url=server.url))) == (3, 0, 0, 0)
        asked = len(server.seen)
        assert asked == 6
        assert counted(work_on(order(folder, url=server.url))) == (0, 3, 0, 0)
        assert len(server.seen) == asked
        again = work_on(order(folder, url=server.url, again=True))
        assert counted(again) == (3, 0, 0, 0)
        assert len(server.seen) == asked  # what is in the ledger is not asked again either


def test_only_what_changed_is_done_again(folder: Path, opened: Project) -> None:
    with Loopback(says_button) as server:
        work_on(order(folder, url=server.url))
        asked = len(server.seen)
        moved = TREE["1-0"].model_copy(update={"box": pixel(25, 35, 210, 85)})
        opened.write("s1", [Change(Kind.REGION, "s1/1-0", moved)], "person:ada")
        classify = next(one for one in standing(opened).stages if one.stage == "classify")
        assert (classify.done, classify.outdated) == (3, ["s1"])
        assert counted(work_on(order(folder, url=server.url))) == (1, 2, 0, 0)
        assert len(server.seen) == asked + 1


def test_one_screen_that_fails_stops_nobody(folder: Path, opened: Project) -> None:
    (folder / opened.shots()["s1"].image).write_bytes(b"gone bad")
    told = work_on(order(folder, "elements", settings={"source": "vision"}))
    assert counted(told) == (2, 0, 1, 0)
    assert "s1" in told.failed
    stage = next(one for one in standing(opened).stages if one.stage == "elements")
    assert (stage.done, list(stage.failed)) == (2, ["s1"])


def test_a_provider_that_fails_leaves_screens_pending(folder: Path) -> None:
    down = True

    async def behaviour(seen: Seen, request: web.Request) -> web.StreamResponse:
        if down:
            return web.json_response({"error": {"message": "overloaded"}}, status=500)
        return await says_button(seen, request)

    with Loopback(behaviour) as server:
        told = work_on(order(folder, url=server.url))
        assert counted(told) == (0, 0, 0, 3)
        assert "overloaded" in told.pending["s0"]
        down = False
        assert counted(work_on(order(folder, url=server.url))) == (3, 0, 0, 0)


def test_what_people_wrote_is_never_changed(folder: Path, opened: Project) -> None:
    work_on(order(folder, "divide", settings={"by": "layout"}))
    theirs = next(iter(set(opened.state("s0").regions) - {"0-0"}))
    moved = opened.state("s0").regions[theirs].model_copy(update={"box": pixel(1, 2, 333, 222)})
    opened.write("s0", [Change(Kind.REGION, f"s0/{theirs}", moved)], "person:ada")
    before = opened.state("s0").regions
    told = work_on(order(folder, "divide", settings={"by": "layout"}, again=True))
    assert told.done == 3
    assert opened.state("s0").regions == before


def test_a_new_tree_replaces_the_old_one_and_the_old_one_stays_readable(folder: Path, opened: Project) -> None:
    extra = Region(box=pixel(0, 0, 5, 5), parent="0-0", type="of an earlier time")
    opened.write("s0", [Change(Kind.REGION, "s0/1-77", extra)], "divide")
    work_on(order(folder, "divide", settings={"by": "layout"}))
    assert "1-77" not in opened.state("s0").regions
    assert [one.document.get("type") for one in opened.ledger.documents.history(Kind.REGION, "s0/1-77")] == [
        "of an earlier time"
    ] * 2


def test_what_it_cost_and_what_the_rest_will_cost(folder: Path, opened: Project) -> None:
    with Loopback(says_button) as server:
        work_on(replace(order(folder, url=server.url), screens=("s0", "s1")))
    classify = next(one for one in costs(opened, {"m": Price(10.0, 100.0)}) if one.stage == "classify")
    assert (classify.asks, classify.input_tokens, classify.output_tokens) == (4, 400, 40)
    assert classify.cost == pytest.approx((400 * 10 + 40 * 100) / 1e6)
    assert (classify.screens, classify.left) == (2, 1)
    assert classify.rest == pytest.approx(classify.cost / 2)
    assert next(one for one in costs(opened, {}) if one.stage == "classify").cost is None


def command(folder: Path, url: str, *more: str) -> list[str]:
    model = f"openai:m@{url}"
    return [sys.executable, "-m", "affordance", "author", "classify", str(folder), "--model", model, "--json", *more]


def started(folder: Path, behaviour: Behaviour, least: int) -> tuple[Loopback, "subprocess.Popen[str]"]:
    """A command that has had so many answers, and gets no more until the server is to go on."""
    server = Loopback(behaviour, most_answers=least).__enter__()
    environment = {**os.environ, "AFFORDANCE_CACHE": str(folder / "cache"), "OPENAI_API_KEY": "none"}
    process = subprocess.Popen(
        command(folder, server.url, "--concurrency", "2"), env=environment, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    until(
        lambda: server.answered.total() >= least,
        going=lambda: process.poll() is None,
        why=lambda: process.kill() or process.communicate(),
    )
    return server, process


@pytest.mark.parametrize("how", [pytest.param(signal.SIGKILL, marks=pytest.mark.long), signal.SIGINT])
def test_nothing_that_was_paid_for_is_lost(folder: Path, how: signal.Signals) -> None:
    server, process = started(folder, after(0.1, says_button), least=3)
    try:
        process.send_signal(how)
        server.go_on()
        _, err = process.communicate(timeout=PATIENCE)
        if how is signal.SIGINT:
            assert process.returncode == 3, err
            assert len(err.strip().splitlines()) >= 1
        answered = server.answered.total()
        told = work_on(order(folder, url=server.url))
        assert not told.failed
        assert not told.pending
        # Six asks in all; those in flight at the kill, two at most, may have been made twice.
        assert len(server.seen) <= 6 + (2 if how is signal.SIGKILL else 0)
        assert answered <= 6
    finally:
        process.kill()
        server.__exit__()
    with open_project(folder, read_only=True) as project:
        assert all(len(project.state(screen).types) == 2 for screen in project.screens())


def test_a_person_who_saves_while_a_stage_is_at_work_is_not_overwritten(folder: Path, opened: Project) -> None:
    theirs = RegionType(type="Form", by="ada")
    saved = False

    async def meanwhile(seen: Seen, request: web.Request) -> web.StreamResponse:
        nonlocal saved
        if not saved:
            saved = True
            opened.write("s0", [Change(Kind.TYPE, "s0/1-0", theirs)], "person:ada")
        return await says_button(seen, request)

    with Loopback(meanwhile) as server:
        told = work_on(order(folder, url=server.url))
    assert told.done == 3
    assert opened.state("s0").types["1-0"].type == "Form"
    assert opened.state("s0").types["1-1"].type == "Button"
    assert_notes(told.notes, ("1",))


def test_secrets_of_an_address_are_nowhere_in_the_project(folder: Path) -> None:
    with Loopback(says_button) as server:
        address = server.url.replace("http://", "http://ada:planted-secret@") + "?key=planted-key"
        work_on(order(folder, url=address))
        assert len(server.seen) == 6
    content = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"planted-secret" not in content
    assert b"planted-key" not in content


def test_a_bug_on_one_screen_loses_no_reply_of_another(
    folder: Path, opened: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from affordance.author.regions import classifying

    right = classifying.classify

    async def wrong(tools: Tools, screen: ScreenState) -> Result:
        if screen.id == "s0":
            while not server.seen:
                await asyncio.sleep(0.01)
            server.go_on()
            raise ZeroDivisionError("a bug of ours")
        return await right(tools, screen)

    monkeypatch.setattr(classifying, "classify", wrong)
    with Loopback(after(0.2, says_button), most_answers=0) as server:
        with pytest.raises(ZeroDivisionError):
            work_on(order(folder, url=server.url))
        sent = len(server.seen)
        assert sent > 0
        (run,) = opened.ledger.run_summaries()
        assert sum(usage.responses for usage in opened.ledger.token_usage(run.run.id)) == sent


def test_a_budget_counts_what_was_spent_before(folder: Path) -> None:
    means = ExecutionConfig(
        concurrency=1, retry=SHORT, prices={"m": Price(0.0, 1e6)}
    )  # a dollar a token that comes out
    with Loopback(says_button) as server:
        made = order(folder, url=server.url, parameters={"max_tokens": 500}, means=means)
        told = work_on(replace(made, screens=("s0",)))
        assert told.progress.cost == pytest.approx(20.0)
        told = work_on(replace(made, means=means.replace(budget=510.0)))
        assert_carries(told.progress.stop_reason, "$510", "$20.0000")
        assert len(server.seen) == 2


def test_what_a_stage_reads_is_in_its_inputs(folder: Path, opened: Project) -> None:
    """Offline groups go by type where there is one: a new type makes them out of date."""
    work_on(order(folder, "group"))
    opened.write("s0", [Change(Kind.TYPE, "s0/1-0", RegionType(type="Form"))], "classify")
    stage = next(one for one in standing(opened).stages if one.stage == "group")
    assert stage.outdated == ["s0"]


def test_one_document_that_cannot_be_read_stops_nobody(folder: Path, opened: Project) -> None:
    newer = {"source": "a11y-tree", "elements": []}
    opened.ledger.documents.write([DocumentDraft(Kind.ELEMENTS, "s1", newer, "a newer version", "s1")])
    told = work_on(order(folder, "group"))
    assert (told.done, list(told.failed)) == (2, ["s1"])
    assert_carries(told.failed["s1"], "s1", "elements")
    assert list(standing(opened).unreadable) == ["s1"]
    missed: list[str] = []
    assert [one.id for one in opened.states(on_error=lambda name, _: missed.append(name))] == ["s0", "s2"]
    assert missed == ["s1"]
    assert select(opened, Wanted()).on == ["s0", "s2"]


def test_a_provider_that_failed_is_pending_in_the_status_too(folder: Path, opened: Project) -> None:
    async def down(seen: Seen, _: web.Request) -> web.StreamResponse:
        return web.json_response({"error": {"message": "overloaded"}}, status=500)

    with Loopback(down) as server:
        work_on(order(folder, url=server.url))
    stage = next(one for one in standing(opened).stages if one.stage == "classify")
    assert not stage.failed
    assert all("overloaded" in why for why in stage.pending.values())


def test_only_the_file_of_a_screen_makes_it_out_of_date(folder: Path, tmp_path: Path) -> None:
    parsed = tmp_path / "parsed"
    parsed.mkdir()
    for name in ("s0", "s1", "s2"):
        (parsed / f"{name}.json").write_text("[]")
    told = work_on(order(folder, "elements", settings={"source": "omniparser"}, extra=str(parsed)))
    assert told.done == 3
    (parsed / "another.json").write_text("[]")
    entry = {"type": "icon", "bbox": [0.1, 0.1, 0.2, 0.2], "interactivity": True, "content": "x", "source": "y"}
    (parsed / "s1.json").write_text(json.dumps([entry]))
    assert counted(work_on(order(folder, "elements", settings={"source": "omniparser"}, extra=str(parsed)))) == (
        1,
        2,
        0,
        0,
    )


def test_replies_that_the_ledger_could_not_take_come_in_with_the_next_command(folder: Path, opened: Project) -> None:
    with Loopback(says_button) as server:
        work_on(replace(order(folder, url=server.url), screens=("s0",)))
        rescue = folder / "project.db.rescue.jsonl"
        rescue.write_text("not whole\n")
        told = carry_out(order(folder, url=server.url))
        assert told.done == 2
        assert not rescue.exists()


def test_what_a_model_made_is_not_put_aside_by_what_costs_nothing(folder: Path, opened: Project) -> None:
    with Loopback(says_button) as server:
        work_on(order(folder, url=server.url))
    told = work_on(order(folder))
    assert counted(told) == (0, 3, 0, 0)
    assert told.notes
    assert opened.state("s0").types["1-0"].type == "Button"
    assert counted(work_on(order(folder, insists=True))) == (3, 0, 0, 0)


async def retells(seen: Seen, _: web.Request) -> web.StreamResponse:
    texts = ("revision rationale", "revised description", "revised functionality")
    return completion(json.dumps({key: f"{key} by a model" for key in texts}))


def test_a_text_of_a_person_stays_until_its_box_changes_or_it_is_taken_back(folder: Path, opened: Project) -> None:
    def write(kind: Kind, document: Region | Retelling) -> None:
        opened.write("s0", [Change(kind, "s0/1-0", document)], "person:ada")

    def described(url: str) -> str:
        work_on(order(folder, "reannotate", url, again=True))
        return opened.state("s0").functionality("1-0")

    moved = TREE["1-0"].model_copy(update={"box": pixel(20, 40, 210, 90)})
    text = Retelling(box=moved.box, description="d", functionality="in Ada's words", by="person:ada")
    write(Kind.REGION, moved)
    write(Kind.RETELLING, text)
    with Loopback(retells) as server:
        assert described(server.url) == "in Ada's words"
        assert not server.counts
        write(Kind.RETELLING, text.model_copy(update={"gone": True}))
        assert described(server.url) == "revised functionality by a model"
        write(Kind.RETELLING, text)
        write(Kind.REGION, moved.model_copy(update={"box": pixel(20, 40, 220, 90)}))
        assert described(server.url) == "revised functionality by a model"
