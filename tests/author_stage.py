"""A stage carried out by itself: on a screen that is drawn here, at a real desk with a ledger of its own, with a model
of this process that says what a function of the request says."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from affordance.author.records import Region, Shot, Texts
from affordance.author.stages import prompts_of
from affordance.author.state import ScreenState
from affordance.author.tools import Result, Tools
from affordance.core.digest import digest_bytes
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import Json
from affordance.core.requests import FinishReason, Request, Response
from affordance.evaluation.ad_hoc import MODEL, AdHocClient, RoleModel
from affordance.evaluation.budget import Budget
from affordance.evaluation.execution_config import RetryPolicy
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.request_queue import RequestQueue
from affordance.ledger import RunRecord, open_ledger
from affordance.media import RenderCache, encode_image
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.family import FREE
from affordance.models.model import LocalModel, MediaLoader

Answer = Callable[[str, list[bytes]], str | None]
Stage = Callable[[Tools, ScreenState], Awaitable[Result]]

SIZE = (640, 400)


class Speaker(LocalModel):
    """Says what `answer` does; where that is None, the provider has failed."""

    def __init__(self, answer: Answer, gallery: MediaLoader, name: str = "test:speaker") -> None:
        super().__init__(name)
        self.asked: list[Request] = []
        self._answer = answer
        self._gallery = gallery

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return dict(parameters)

    async def send(self, request: Request) -> Response:
        self.asked.append(request)
        text = "\n".join(part for message in request.messages for part in message.parts if isinstance(part, str))
        said = self._answer(text, await self._gallery.load(request.media))
        return (
            Response(said)
            if said is not None
            else Response(finish=FinishReason.ERROR, error="went away", permanent=True)
        )


@dataclass(frozen=True, slots=True)
class Ended:
    result: Result
    asked: list[Request]  # in the order in which they came


def carry_out(
    stage: Stage,
    name: str,
    screen: ScreenState,
    answer: Answer | None = None,
    settings: Mapping[str, str] | None = None,
    roles: Mapping[str, Answer] | None = None,
    again: bool = False,
) -> Ended:
    """`answer` is the model's; `roles` has the answers of others at the desk."""
    speaking = {**({MODEL: answer} if answer is not None else {}), **(roles or {})}
    prompts = prompts_of(name)
    tools = Tools(prompts=prompts.texts, settings=settings or {}, again=again)
    return asyncio.run(_carried_out(stage, tools, prompts.digest, screen, speaking))


async def _carried_out(
    stage: Stage, tools: Tools, pack: str, screen: ScreenState, speaking: Mapping[str, Answer]
) -> Ended:
    files = {screen.shot.digest: screen.path}
    gallery = ThreadedMediaLoader(RenderCache(screen.path.parent / "pictures", files))
    budget = Budget(None)
    speakers = {role: Speaker(answer, gallery, f"test:{role}") for role, answer in speaking.items()}
    try:
        with TemporaryDirectory() as folder, open_ledger(Path(folder) / "ledger.db") as ledger:
            if speakers:
                lanes = {
                    role: RequestQueue(one, FREE, 16, RetryPolicy(max_tries=1), budget)
                    for role, one in speakers.items()
                }
                run = ledger.begin_run(RunRecord("run", "run", {}, {}))
                seats = {role: RoleModel(lane) for role, lane in lanes.items()}
                tools = replace(tools, desk=AdHocClient(ledger, run, seats, files, pack, budget, RunProgress()))
            result = await stage(tools, screen)
    finally:
        gallery.close()
    return Ended(result, [ask for speaker in speakers.values() for ask in speaker.asked])


@dataclass(frozen=True, slots=True)
class Part:
    """A region to draw: where it is, and what is written of it."""

    xyxy: tuple[float, float, float, float]
    parent: str = "0-0"
    description: str = ""
    type: str = ""
    colour: tuple[int, int, int] = field(default=(214, 214, 224))


def box(*xyxy: float) -> Box:
    return Box(CoordinateSpace.PIXEL, *xyxy)


def drawn(folder: Path, parts: Mapping[str, Part], size: tuple[int, int] = SIZE) -> ScreenState:
    """A screen with these regions: filled rectangles with a dark bar in each."""
    width, height = size
    image = np.full((height, width, 3), 250, np.uint8)
    for part in parts.values():
        x1, y1, x2, y2 = (int(number) for number in part.xyxy)
        cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), part.colour, -1)
        cv2.rectangle(image, (x1 + 4, y1 + 4), (x1 + (x2 - x1) // 2, y1 + 8), (40, 40, 60), -1)
    data = encode_image(image)
    path = folder / "screen.png"
    path.write_bytes(data)
    regions = {"0-0": Region(box=box(0, 0, width, height), dividable=True, type="Entire GUI")}
    for node, part in parts.items():
        regions[node] = Region(
            box=box(*part.xyxy),
            parent=part.parent,
            type=part.type,
            description=Texts(with_context=part.description or None),
            functionality=Texts(with_context=f"does what {node} does" if part.description else None),
        )
    shot = Shot(image="media/screen.png", digest=digest_bytes(data), width=width, height=height)
    return ScreenState("one", shot, path, regions=regions)
