"""Having corrected regions told anew from the studio: what `author reannotate` would do, in the background.

One studio serves all tests, each on a screen of its own; the model behind it does what the test says."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from affordance.author.orders import Order
from affordance.author.project import open_project
from affordance.author.records import Kind
from affordance.author.state import Change
from affordance.author.working import work_on
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.model_name import ModelName
from affordance.evaluation.ad_hoc import MODEL
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.ledger import DocumentDraft
from affordance.models.family import Price
from affordance.studio.retellings import Retellings
from affordance.studio.settings import Settings
from loopback import Behaviour, Loopback, Seen, after, completion
from patience import PATIENCE, until
from studio_world import Server, make_project, serving

MOVED = {"1-2": [440, 10, 620, 700], "1-3": [650, 10, 800, 700]}
TEXTS = ("revision rationale", "revised description", "revised functionality")


async def retells(seen: Seen, _: web.Request) -> web.StreamResponse:
    return completion(json.dumps({key: f"{key} by a model" for key in TEXTS}))


async def refuses(seen: Seen, _: web.Request) -> web.StreamResponse:
    return web.json_response({"error": {"message": "no such model"}}, status=404)


@dataclass
class World:
    server: Server
    model: Loopback
    behaviour: Behaviour = retells
    before: int = 0  # requests that the model had had when the test began
    keys: Iterator[int] = field(default_factory=lambda: iter(range(1, 1000)))

    async def answer(self, seen: Seen, request: web.Request) -> web.StreamResponse:
        return await self.behaviour(seen, request)

    @property
    def asked(self) -> int:
        return len(self.model.seen) - self.before

    def stroke(self, screen: str, kind: str, name: str, values: dict[str, Any]) -> None:
        entries = self.server.get("/api/screen", screen=screen).json["documents"]
        version = next((one["version"] for one in entries if (one["kind"], one["name"]) == (kind, name)), 0)
        edit = {"kind": kind, "name": name, "after": version, "set": values}
        sent = {"screen": screen, "key": f"{next(self.keys):032x}", "edits": [edit]}
        assert self.server.post("/api/strokes", sent).status == 200

    def correct(self, screen: str) -> None:
        for name, box in MOVED.items():
            self.stroke(screen, "region", name, {"box": {"space": "pixel", "xyxy": box}})

    def standing(self, screen: str) -> dict[str, Any]:
        found: dict[str, Any] = self.server.get("/api/retelling", screen=screen).json
        return found

    def start(self, screen: str) -> int:
        return self.server.post("/api/retelling", {"screen": screen}).status

    def ended(self, screen: str) -> dict[str, Any]:
        """How it stands once it has ended."""
        until(lambda: not self.standing(screen)["running"])
        return self.standing(screen)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = make_project(tmp_path_factory.mktemp("retelling") / "shop", screens=8)

    async def answer(seen: Seen, request: web.Request) -> web.StreamResponse:
        return await made.answer(seen, request)

    with Loopback(answer) as model, serving(folder, "--model", f"openai:m@{model.url}") as server:
        made = World(server, model)
        yield made


@pytest.fixture
def world(shared: World) -> World:
    shared.behaviour = retells
    shared.before = len(shared.model.seen)
    return shared


def test_what_was_corrected_is_told_anew(world: World) -> None:
    world.behaviour = after(0.2, retells)
    screen = "screen-1"
    assert world.standing(screen)["due"] == []
    assert world.start(screen) == 409
    world.correct(screen)
    before = world.standing(screen)
    assert (before["possible"], before["due"], before["running"]) == (True, ["1-2", "1-3"], False)
    assert before["model"] == str(ModelName.parse(f"openai:m@{world.model.url}"))
    assert world.start(screen) == 202
    assert world.start(screen) == 202  # it runs already: nothing more is started
    assert world.standing(screen)["running"]
    assert world.ended(screen) == {**before, "due": []}
    assert world.asked == 2
    documents = world.server.get("/api/screen", screen=screen).json["documents"]
    told = {one["name"]: one for one in documents if one["kind"] == "retelling" and one["name"] in MOVED}
    assert {name: one["document"]["box"]["xyxy"] for name, one in told.items()} == MOVED
    assert told["1-2"]["author"].startswith("reannotate: openai:m")
    row = next(row for row in world.server.get("/api/screens").json["screens"] if row["id"] == screen)
    assert (row["corrected"], row["untold"]) == (2, 0)


def test_a_text_that_was_taken_back_is_told_anew(world: World) -> None:
    screen = "screen-2"
    world.correct(screen)
    world.start(screen)
    assert world.ended(screen)["due"] == []
    world.stroke(screen, "retelling", "1-2", {"gone": True})
    assert world.standing(screen)["due"] == ["1-2"]
    world.start(screen)
    assert world.ended(screen)["due"] == []
    assert world.asked == 2  # what was said before is in the ledger


def test_due_is_what_the_command_would_do(world: World) -> None:
    """Whoever comes second finds nothing to do."""
    screen = "screen-3"
    world.correct(screen)
    world.start(screen)
    assert world.ended(screen)["due"] == []
    order = Order(
        str(world.server.project),
        "reannotate",
        (screen, "screen-8"),
        str(world.server.folder / "cache" / "pictures"),
        settings={"all": "no"},
        models={MODEL: f"openai:m@{world.model.url}"},
    )
    told = work_on(order)
    assert (told.skipped, told.done) == (1, 1)  # the other one was never looked at
    assert world.asked == 2


def test_screens_that_are_not_there_or_put_aside(world: World) -> None:
    screen = "screen-4"
    assert world.server.get("/api/retelling", screen="nowhere").status == 404
    for content, status in (({"screen": "nowhere"}, 404), ({"screen": 1}, 422), ({}, 422), ([], 422)):
        assert world.server.post("/api/retelling", content).status == status
    world.correct(screen)
    with open_project(world.server.project) as project:
        project.ledger.documents.write(
            [DocumentDraft(Kind.SELECTION, screen, {"on": False, "why": "dull"}, "select", screen)]
        )
    assert world.standing(screen)["due"] == []
    assert world.start(screen) == 409


def test_what_fails_or_is_cut_off_is_told_and_can_be_tried_again(world: World) -> None:
    failing, killed = "screen-5", "screen-6"
    world.behaviour = refuses
    world.correct(failing)
    world.start(failing)
    failed = world.ended(failing)
    assert failed["due"] == ["1-2", "1-3"]
    assert "no such model" in failed["error"]
    world.behaviour = after(600, retells)
    world.correct(killed)
    before = len(world.model.seen)
    world.start(killed)
    until(lambda: len(world.model.seen) == before + 2)
    world.server.kill9()
    world.behaviour = retells
    world.server.restart()
    assert world.standing(failing)["error"] == failed["error"]  # the ledger knows it too
    assert not world.standing(killed)["running"]
    for screen in (failing, killed):
        assert world.standing(screen)["due"] == ["1-2", "1-3"]
        assert world.start(screen) == 202
        found = world.ended(screen)
        assert (found["due"], found["error"]) == ([], "")


def test_a_studio_ends_soon_while_models_take_their_time(world: World) -> None:
    """The last of these tests: it ends the studio."""
    world.behaviour = after(600, retells)
    for screen in ("screen-7", "screen-8"):
        world.correct(screen)
        world.start(screen)
    until(lambda: world.asked == 4)  # both at once
    begin = time.monotonic()
    assert world.server.stop() == 0
    assert time.monotonic() - begin < PATIENCE


def test_without_a_model_the_command_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = make_project(tmp_path_factory.mktemp("no model") / "my shop", screens=1)
    with serving(folder) as server:
        world = World(server, Loopback())
        world.correct("screen-1")
        found = world.standing("screen-1")
        assert (found["possible"], found["due"], found["model"]) == (False, ["1-2", "1-3"], "")
        assert f"affordance author reannotate '{folder}' --model PROVIDER:MODEL" in found["why"]
        refused = server.post("/api/retelling", {"screen": "screen-1"})
        assert (refused.status, found["why"] in refused.json["detail"]) == (409, True)


def test_a_budget_holds(tmp_path: Path) -> None:
    """The worst case of one ask costs a little more than 0.8 dollars here."""
    folder = make_project(tmp_path / "shop", screens=1)
    with open_project(folder) as project, Loopback(retells) as model:
        for name, box in MOVED.items():
            moved = project.state("screen-1").regions[name].model_copy(update={"box": Box(CoordinateSpace.PIXEL, *box)})
            project.write("screen-1", [Change(Kind.REGION, f"screen-1/{name}", moved)], "person:ada")
        settings = Settings(
            model=f"openai:m@{model.url}",
            means=ExecutionConfig(prices={"m": Price(0.0, 100.0)}),
            cache=tmp_path / "cache",
        )
        for budget, asked, error in ((0.5, 0, "$0.5"), (1.0, 2, "")):
            retellings = Retellings(project, replace(settings, budget=budget))
            retellings.start("screen-1")
            until(lambda retellings=retellings: not retellings.standing("screen-1").running)  # type: ignore[misc]
            found = retellings.standing("screen-1").error
            assert (bool(found), error in found) == (bool(error), True)
            assert len(model.seen) == asked
