"""Runs that show videos: once each, resumable, and skipped with a reason where a model takes none."""

import base64
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import av
import pytest
from aiohttp import web

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import BoxOutline, VideoSpec, media_spec_from_recipe
from affordance.datasets import DatasetCollection
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.ledger import open_ledger
from affordance.report.rows import build_rows
from affordance.tasks.question_design import PlannedQuestion, QuestionDesign
from affordance.tasks.registry import TASKS
from errors import assert_carries
from loopback import Loopback, Seen, says_move

EFFECT = TASKS["motion/effect"]


def filmed(request: RunRequest, **recipe: Any) -> RunRequest:
    """The request with a video in each question, in place of the frames."""

    def questions(data: DatasetCollection, design: QuestionDesign) -> Iterator[PlannedQuestion]:
        for trial in EFFECT.questions(data, design):
            footage = VideoSpec(trial.question.media[0].source, **{"max_side": 120, "fps": Fraction(20), **recipe})
            yield replace(trial, question=replace(trial.question, media=(footage,)))

    task = replace(EFFECT, questions=questions)
    return replace(request, config=request.config.replace(tasks=(task,)))


def videos(seen: Seen) -> list[str]:
    parts = seen.body["messages"][0]["content"]
    return [part["video_url"]["url"] for part in parts if part["type"] == "video_url"]


def test_each_clip_is_shown_once_as_a_video(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        run, progress = execute_run(filmed(request_for(f"vllm:m@{server.url}")))
        assert progress.complete
        assert len(server.seen) == 7
        for seen in server.seen:
            (url,) = videos(seen)
            assert not seen.images
            with av.open(io.BytesIO(base64.b64decode(url.removeprefix("data:video/mp4;base64,")))) as container:
                assert sum(1 for _ in container.decode(video=0)) == 60, "three seconds at 20 frames a second"
    assert run.settings["tasks"] == ["motion/effect"]


def test_nothing_is_asked_twice_and_another_recipe_is_another_ask(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        request = request_for(f"vllm:m@{server.url}", limit=2)
        execute_run(filmed(request))
        execute_run(filmed(request))
        _, progress = execute_run(replace(filmed(request), name="again"))
        assert next(iter(progress.models.values())).cached == 2
        assert len(server.seen) == 2
        box = BoxOutline(Box(CoordinateSpace.UNIT, 0.2, 0.2, 0.8, 0.8))
        for number, recipe in enumerate(
            ({"fps": Fraction(10)}, {"outlines": (box,)}, {"outlines": (box,), "outlines_start": Fraction(1)}), 1
        ):
            execute_run(replace(filmed(request, **recipe), name=f"other-{number}"))
            assert len(server.seen) == 2 + 2 * number
        execute_run(replace(request, name="frames"))
        assert len(server.seen) == 10, "frames are another ask too"


def test_an_interrupted_run_goes_on_where_it_was(request_for: Callable[..., RunRequest]) -> None:
    async def sometimes(seen: Seen, request: web.Request) -> web.StreamResponse:
        if len(server.seen) > 3 and not back:
            return web.json_response({"error": {"message": "no such model"}}, status=404)
        return await says_move(seen, request)

    back: list[bool] = []
    with Loopback(sometimes) as server:
        request = filmed(request_for(f"vllm:m@{server.url}", concurrency=1))
        _, progress = execute_run(request)
        assert progress.failed == 4
        back.append(True)
        asked = len(server.seen)
        _, progress = execute_run(request)
        assert progress.complete
        assert len(server.seen) == asked + 4


def test_the_ledger_keeps_the_recipe(request_for: Callable[..., RunRequest]) -> None:
    request = filmed(request_for("oracle", limit=1))
    run, _ = execute_run(request)
    with open_ledger(request.ledger, read_only=True) as ledger:
        (attempt,) = ledger.attempt_results(run.id)
        (step,) = ledger.steps_of([attempt.attempt_id])[attempt.attempt_id]
        ((_, parts),) = json.loads(step.transcript)
        (shown,) = [part for part in parts if isinstance(part, dict)]
        record = ledger.media_record(shown["video"])
    assert record is not None
    footage = media_spec_from_recipe(record.source, record.recipe)
    assert footage == VideoSpec(record.source, max_side=120, fps=Fraction(20))
    assert footage.digest == shown["video"]
    assert record.path is not None


SKIPPED = {
    "said by the user": {"video": False},
    "one image": {"most_images": 1},
}


@pytest.mark.parametrize("own", SKIPPED.values(), ids=SKIPPED.keys())
def test_a_model_without_videos_is_skipped_with_what_to_do(
    request_for: Callable[..., RunRequest], own: dict[str, Any]
) -> None:
    with Loopback() as server:
        model = f"vllm:m@{server.url}"
        request = filmed(request_for(model, model_options={model: own}))
        run, progress = execute_run(request)
        assert not server.seen
    assert progress.complete, "asking again would not help"
    ((reason, count),) = progress.models[model].reasons.most_common()
    assert count == 7
    assert_carries(reason, "--input frames")
    with open_ledger(request.ledger, read_only=True) as ledger:
        (row,) = build_rows(ledger, [run])
    assert row.ended["skipped"] == 7


def test_limits_are_no_part_of_the_address(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        model = f"vllm:m@{server.url}"
        execute_run(filmed(request_for(model, limit=1)))
        execute_run(filmed(request_for(model, limit=1, model_options={model: {"video": True, "most_images": 4}})))
        assert len(server.seen) == 1
        assert not {"video", "most_images"} & server.seen[0].body.keys()


def test_the_estimate_counts_videos(request_for: Callable[..., RunRequest]) -> None:
    (found,) = estimate_run(filmed(request_for("vllm:m"), end=Fraction(3)))
    assert (found.asks, found.pictures) == (7, 7)
    assert found.input_tokens > 7 * 6 * 85
