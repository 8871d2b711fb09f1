"""Questions that come up while the work goes on: kept like those of a run, and asked once."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from aiohttp import web

from affordance.core.errors import UserError
from affordance.core.media_spec import ImageSpec
from affordance.core.model_name import ModelName
from affordance.evaluation.ad_hoc import CHECKER, MODEL, AdHocAnswer, AdHocClient, AdHocQuestion, build_ad_hoc_models
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.progress import RunProgress
from affordance.ledger import RunRecord, open_ledger
from affordance.media import RenderCache, encode_image
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.family import Price
from errors import assert_carries, raises
from loopback import Behaviour, Loopback, Seen, completion

SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.02, max_repeated_errors=50, outage_timeout=0.0)


def number(text: str) -> int | str:
    return int(text) if text.strip().isdecimal() else "expected a number"


def about(item: str = "screen", read: object = number, **more: object) -> AdHocQuestion[int]:
    parts = more.pop("parts", ("How many?",))
    return AdHocQuestion("author/count", item, more.pop("axes", {}), parts, read, **more)  # type: ignore[arg-type]


class Session:
    """A desk on a ledger, opened and closed as a command would."""

    def __init__(self, folder: Path, models: Mapping[str, str], **means: object) -> None:
        self.folder = folder
        self.models = {role: ModelName.parse(name) for role, name in models.items()}
        self.means = ExecutionConfig(**{"retry": SHORT, "concurrency": 8, **means})  # type: ignore[arg-type]
        self.files: dict[str, Path] = {}
        self.progress = RunProgress()

    def ask(self, *inquiries: tuple[str, AdHocQuestion[int]], **parameters: object) -> list[AdHocAnswer[int]]:
        async def all_of_them() -> list[AdHocAnswer[int]]:
            gallery = ThreadedMediaLoader(RenderCache(self.folder / "pictures", self.files))
            seating = build_ad_hoc_models(self.models, gallery, self.means, parameters)  # type: ignore[arg-type]
            run = ledger.begin_run(RunRecord("r", "count", {"tasks": ["author/count"]}, {"name": "p", "digest": "d"}))
            desk = AdHocClient(ledger, run, seating.by_role, self.files, "pack", seating.budget, self.progress)
            try:
                return await asyncio.gather(*(desk.ask(role, one) for role, one in inquiries))
            finally:
                await seating.close()
                gallery.close()

        with open_ledger(self.folder / "desk.db") as ledger:
            return asyncio.run(all_of_them())


def says(*texts: str) -> Behaviour:
    """One after the other, the last for ever."""
    left = list(texts)

    async def behaviour(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion(left.pop(0) if len(left) > 1 else left[0])

    return behaviour


def test_a_reply_is_read_and_never_asked_for_again(tmp_path: Path) -> None:
    with Loopback(says("7")) as server:
        session = Session(tmp_path, {MODEL: f"openai:m@{server.url}"})
        (said,) = session.ask((MODEL, about()))
        assert (said.value, said.failed, said.text) == (7, False, "7")
        assert session.ask((MODEL, about()), (MODEL, about(axes={"node": "1-0"})))[0].value == 7
        assert len(server.seen) == 1  # the same words to the same model are the same ask
        with open_ledger(tmp_path / "desk.db", read_only=True) as ledger:
            assert [step.response.text for step in ledger.steps_of([said.attempt])[said.attempt]] == ["7"]


def test_what_cannot_be_read_is_asked_again_with_other_temperatures(tmp_path: Path) -> None:
    with Loopback(says("many", "a lot", "3")) as server:
        session = Session(tmp_path, {MODEL: f"openai:m@{server.url}"})
        (said,) = session.ask((MODEL, about(temperatures=(0.1, 0.6, 0.6))))
        assert said.value == 3
        assert [seen.body["temperature"] for seen in server.seen] == [0.1, 0.6, 0.6]


def test_it_gives_up_with_the_reason(tmp_path: Path) -> None:
    with Loopback(says("many")) as server:
        (said,) = Session(tmp_path, {MODEL: f"openai:m@{server.url}"}).ask((MODEL, about(temperatures=(0.0, 0.6))))
        assert (said.value, said.failed, said.reason) == (None, False, "expected a number")
        assert len(server.seen) == 2


def test_a_provider_that_fails_is_asked_another_time(tmp_path: Path) -> None:
    working = False

    async def behaviour(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion("5") if working else web.json_response({"error": {"message": "down"}}, status=500)

    with Loopback(behaviour) as server:
        session = Session(tmp_path, {MODEL: f"openai:m@{server.url}"})
        (said,) = session.ask((MODEL, about(temperatures=(0.0, 0.6))))
        assert (said.value, said.failed) == (None, True)
        assert_carries(said.reason, "down")
        working = True
        assert session.ask((MODEL, about(temperatures=(0.0, 0.6))))[0].value == 5


def test_two_parts_may_be_one_model_and_overlap(tmp_path: Path) -> None:
    with Loopback(says("1")) as server:
        name = f"openai:m@{server.url}"
        session = Session(tmp_path, {MODEL: name, CHECKER: name})
        said = session.ask((MODEL, about(parts=("one",))), (CHECKER, about(parts=("two",))))
        assert [one.value for one in said] == [1, 1]
        assert session.progress.models[name].sent == 2


def test_a_truncated_reply_is_read_up_to_its_last_whole_line(tmp_path: Path) -> None:
    async def behaviour(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion("12\n34", finish_reason="length")

    with Loopback(behaviour) as server:
        (said,) = Session(tmp_path, {MODEL: f"openai:m@{server.url}"}).ask((MODEL, about()))
        assert said.value == 12


def test_pictures_are_shown_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    path.write_bytes(encode_image(np.full((40, 60, 3), 200, np.uint8)))
    with Loopback(says("2")) as server:
        session = Session(tmp_path, {MODEL: f"openai:m@{server.url}"})
        session.files["digest"] = path
        session.ask((MODEL, about(parts=("Look:", ImageSpec("digest", max_side=30)))))
        assert len(server.seen[0].images) == 1
    with open_ledger(tmp_path / "desk.db", read_only=True) as ledger:
        assert ledger.source_path("digest") == path


def test_a_budget_holds(tmp_path: Path) -> None:
    with Loopback(says("1")) as server:
        prices = {"m": Price(1_000_000, 1_000_000)}  # a dollar a token; each reply has 110
        session = Session(tmp_path, {MODEL: f"openai:m@{server.url}"}, budget=2_000.0, prices=prices, concurrency=1)
        said = session.ask(*((MODEL, about(parts=(f"Number {k}?",))) for k in range(40)), max_tokens=500)
        assert 0 < len(server.seen) < 40
        assert any("2000" in one.reason for one in said)
        assert session.progress.cost is not None
        assert session.progress.cost <= 2_000


@pytest.mark.parametrize(
    ("name", "means", "data"),
    [
        ("oracle", {}, "oracle"),
        ("baseline:pixels", {}, "baseline:pixels"),
        ("openai:unheard@http://127.0.0.1:9/v1", {"budget": 1.0}, "--budget"),
        ("nobody:m", {}, "nobody"),
    ],
)
def test_what_the_user_must_put_right(tmp_path: Path, name: str, means: dict[str, object], data: str) -> None:
    with raises(UserError, data):
        Session(tmp_path, {MODEL: name}, **means).ask((MODEL, about()))
