"""The motion suite on a set laid out like the published one, through a real process: exact calls with all cues, kill -9
in the middle of the summaries and of the run, videos, both orders of the judge, estimates that ask nothing."""

import base64
import io
import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import cv2
import pytest
from aiohttp import web
from killing import CONCURRENCY, kill_after, run_command, start_again

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import IncompleteError, UserError
from affordance.core.model_name import ModelName
from affordance.datasets import (
    Clip,
    DatasetCollection,
    DatasetHeader,
    load_collection,
    load_folder,
    write_folder,
)
from affordance.datasets.clips import CapturedMotion
from affordance.datasets.items import ItemLink
from affordance.datasets.summaries import read_summaries
from affordance.datasets.taxonomies import PURPOSES
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.reference_summaries import estimate_with_summaries, write_missing_summaries
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import RunSummary, open_ledger
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from affordance.tasks.motion.cues import ALL_CUE_SETS
from affordance.tasks.motion.meaning_judging import held_out_response
from affordance.tasks.registry import resolve_tasks
from animint_files import record, write_set
from errors import assert_carries, raises
from loopback import Loopback, Seen, after, completion
from moving_clips import Pixels, frames, write_clip

CLIPS = 5
RESPONSES = 3  # of each clip
SETS = len(ALL_CUE_SETS)
SUMMARIES = CLIPS  # each of all responses
WITH_PEOPLE = 2 * CLIPS  # and each without the one that stands for a person
JUDGED = 1 + RESPONSES  # of each interpretation: against the summary, against each response
SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.05, max_repeated_errors=5, outage_timeout=0.0)
ASKED, JUDGE, SUMS = "test", "judge", "sums"  # the models, as the server knows them
PEOPLE = "baseline:people"
# What models and people say here.
COMPARED = re.compile(
    r"It means [0-9a-f]{64}\.|(?:They agree on|They all say|sums-\w+ read) [0-9a-f]{64}\."
    r"|Message \d was \w+, says \d\."
)


def number(index: int) -> Callable[[Pixels, int], None]:
    """What makes a clip look like no other: its number, on a square that moves."""

    def draw(pixels: Pixels, at: int) -> None:
        left = 40 + 8 * min(max(at - 6, 0), 14)
        pixels[140:160, left : left + 20] = (200, 30, 30)
        cv2.putText(pixels, str(index), (left, 158), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 2)

    return draw


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in the published layout, in which no two clips look the same and no two people say the same."""
    folder = tmp_path_factory.mktemp("animint")
    records = [
        record(
            index,
            purpose_category=PURPOSES[index % len(PURPOSES)],
            context_summary=f"A person sends message {index}.",
            meaning_human_responses=[f"Message {index} was sent, says {who}." for who in range(RESPONSES)],
        )
        for index in range(CLIPS)
    ]
    write_set(folder, records, videos="videos")
    for index, one in enumerate(records):
        write_clip(folder / "videos" / one["video_path"], frames(number(index), 24), fps=60)
    return folder


@pytest.fixture
def folder(published: Path, tmp_path: Path) -> Path:
    """The same for one test alone: summaries are kept in it."""
    copied = tmp_path / "animint"
    copied.mkdir()
    for path in published.rglob("*.*"):
        target = copied / path.relative_to(published)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(path.read_bytes())
    return copied


async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
    """Each reply holds the digest of what it answers, so that replies in the ledger can be told from each other."""
    if seen.body["model"] == JUDGE:
        return completion(json.dumps({"score": int(seen.key[0], 16) % 6, "reason": seen.key}))
    if seen.body["model"] == SUMS:
        return completion(f"They agree on {seen.key}.")
    if re.search(r"^A\. ", seen.text, re.MULTILINE):
        return completion(f"{seen.letter_of('Feedback')} — Feedback: {seen.key}")
    return completion(f"It means {seen.key}.")


def calls_of(server: Loopback) -> Counter[str]:
    """Different calls, by model."""
    return Counter(seen.body["model"] for seen in server.seen if seen.number == 1)


def kept_calls(ledger: Path) -> set[str]:
    """The calls whose replies are in the ledger, by the digest that the server knows them by."""
    with open_ledger(ledger, read_only=True) as opened:
        texts = [opened.get_response(reply).text for reply in opened.reusable_response_ids().values()]
    return {found for text in texts for found in re.findall(r"\b[0-9a-f]{64}\b", text)}


def summaries_of(ledger: Path) -> dict[str, RunSummary]:
    """The runs in a ledger by their first task."""
    with open_ledger(ledger, read_only=True) as opened:
        return {str(one.run.settings["tasks"][0]): one for one in opened.run_summaries()}  # type: ignore[index]


def names(server: Loopback) -> list[str]:
    return [f"openai:{model}@{server.url}" for model in (ASKED, JUDGE, SUMS)]


def test_all_cues_killed_twice_and_started_again(folder: Path, pictures: Path, tmp_path: Path) -> None:
    """Once while summaries are written, once in the middle of the run."""
    ledger = tmp_path / "ledger.db"
    questions = CLIPS * SETS
    judgements = questions * JUDGED + CLIPS  # the floor of a clip is judged once for all cues
    calls = SUMMARIES + 2 * questions + judgements

    with Loopback(after(0.05, answers)) as server:
        model, judge, summarizer = names(server)
        command = run_command(
            "motion/purpose", model, f"animint:{folder}", ledger, "--judge", judge, "--summarizer", summarizer,
            "--reference", "both", "--cues", "all",
        )  # fmt: skip
        command.insert(4, "motion/meaning")
        kept: list[set[str]] = []
        seen: list[set[str]] = []
        for answered in (SUMMARIES // 2, SUMMARIES + calls // 2):
            kill_after(answered, command, server, pictures, lambda: kept_calls(ledger))
            kept.append(kept_calls(ledger))
            seen.append(set(server.counts))
        assert kept[0], "summaries that were answered before the first kill are there"
        assert len(kept[0]) < SUMMARIES, "the first kill came in the middle of them"
        assert len(seen[1]) < calls, "the second kill came in the middle"
        finished = start_again(command, pictures)
        assert finished.returncode == 0, finished.stderr
        assert calls_of(server) == {ASKED: 2 * questions, JUDGE: judgements, SUMS: SUMMARIES}
        lost = [before - there for before, there in zip(seen, kept, strict=True)]
        repeated = {key for key, count in server.counts.items() if count > 1}
        assert repeated == lost[0] | lost[1], "only calls under way are asked again, and all of them"
        models = Counter(one.body["model"] for one in server.seen if one.number > 1)
        assert models[SUMS] <= CONCURRENCY
        assert models[ASKED] <= CONCURRENCY
        assert models[JUDGE] <= CONCURRENCY
        total = len(server.seen)
        assert start_again(command, pictures).returncode == 0
        assert len(server.seen) == total, "a finished run asks nothing"
    found = summaries_of(ledger)
    assert found["motion/summary"].attempts.by_status == {AttemptStatus.ANSWERED: SUMMARIES}
    main = found["motion/purpose"]
    assert main.attempts.by_status == {AttemptStatus.ANSWERED: 2 * questions}
    assert main.judgements.by_status == {AttemptStatus.ANSWERED: questions * (JUDGED + 1)}
    assert len((folder / "summaries.jsonl").read_text(encoding="utf-8").splitlines()) == SUMMARIES


@pytest.fixture
def request_of(folder: Path, pictures: Path, tmp_path: Path) -> Callable[..., RunRequest]:
    """Of the published folder unless other data is given, with small defaults; anything can be changed by name."""

    def make(
        tasks: Sequence[str], models: Sequence[str], data: DatasetCollection | None = None, **changes: Any
    ) -> RunRequest:
        of_means = {name: changes.pop(name) for name in list(changes) if name in ExecutionConfig.model_fields}
        ledger = changes.pop("ledger", tmp_path / "ledger.db")
        return RunRequest(
            config=RunConfig(tasks=tuple(resolve_tasks(tasks)), **{"trials": 1, **changes}),
            data=data or load_collection(f"animint:{folder}"),
            models=tuple(ModelName.parse(model) for model in models),
            ledger=str(ledger),
            render_cache=pictures,
            execution=ExecutionConfig(**{"concurrency": CONCURRENCY, "retry": SHORT, **of_means}),
        )

    return make


def rows_after(request: RunRequest) -> list[ResultRow]:
    run, progress = execute_run(request)
    assert progress.complete
    with open_ledger(request.ledger, read_only=True) as ledger:
        return build_rows(ledger, [run])


def videos(seen: Seen) -> list[str]:
    parts = seen.body["messages"][0]["content"]
    return [part["video_url"]["url"] for part in parts if part["type"] == "video_url"]


def test_a_video_is_one_part_of_each_ask(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        model = f"vllm:{ASKED}@{server.url}"
        request = request_of(
            ["motion/purpose", "motion/meaning"], [model], judge="baseline:overlap", reference="individual",
            input="video", cues=ALL_CUE_SETS,
        )  # fmt: skip
        found = rows_after(request)
        assert len(server.seen) == 2 * CLIPS * SETS
        for seen in server.seen:
            (url,) = videos(seen)
            assert not seen.images
        with av.open(io.BytesIO(base64.b64decode(url.removeprefix("data:video/mp4;base64,")))) as container:
            assert sum(1 for _ in container.decode(video=0)) == 24, "every frame of a clip as short as this"
        sent = {url for seen in server.seen for url in videos(seen)}
    assert len(sent) == 2 * CLIPS, "with trails and without; the other cues are words"
    assert all("animation shown" not in {one.by for one in row.breakdowns} for row in found), "nobody knows"


def test_a_video_is_of_the_animation_and_half_a_second_around(
    request_of: Callable[..., RunRequest], folder: Path
) -> None:
    long = record(0, animation_start_frame=60, animation_end_frame=74)
    (folder / "AniMINT.json").write_text(json.dumps([long]), encoding="utf-8")
    write_clip(folder / "videos" / long["video_path"], frames(number(0), 180), fps=60)
    with Loopback(answers) as server:
        rows_after(request_of(["motion/purpose"], [f"vllm:{ASKED}@{server.url}"], input="video"))
        (seen,) = server.seen
        (url,) = videos(seen)
    with av.open(io.BytesIO(base64.b64decode(url.removeprefix("data:video/mp4;base64,")))) as container:
        assert sum(1 for _ in container.decode(video=0)) == 30 + 15 + 30


# How clips are shown to a model that takes one image, and the option to use instead.
ONE_IMAGE = {"video": "--input frames", "frames": "--max-frames"}


@pytest.mark.parametrize(("shown", "option"), ONE_IMAGE.items(), ids=ONE_IMAGE.keys())
def test_a_model_of_one_image_is_skipped_with_what_to_do(
    request_of: Callable[..., RunRequest], shown: str, option: str
) -> None:
    with Loopback(answers) as server:
        model = f"vllm:{ASKED}@{server.url}"
        own = {model: {"most_images": 1}}
        tasks = ["motion/purpose", "motion/meaning"]
        _, progress = execute_run(
            request_of(tasks, [model], judge="baseline:overlap", reference="individual", input=shown, model_options=own)
        )
        assert not server.seen
    assert progress.complete
    assert progress.models[model].statuses == {AttemptStatus.SKIPPED: 2 * CLIPS}
    ((reason, count),) = progress.models[model].reasons.most_common()
    assert count == 2 * CLIPS
    assert_carries(reason, option)


def test_pixels_are_not_looked_for_in_videos(request_of: Callable[..., RunRequest]) -> None:
    request = request_of(["motion/purpose"], ["baseline:pixels"], input="video")
    _, progress = execute_run(request)
    assert progress.complete
    of_model = progress.models["baseline:pixels"]
    assert of_model.statuses == {AttemptStatus.SKIPPED: CLIPS}
    ((reason, _),) = of_model.reasons.most_common()
    assert_carries(reason, "--input frames")


def test_both_orders_of_the_judge_are_twice_the_judgements(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        request = request_of(
            ["motion/meaning"], [model], judge=judge, summarizer=summarizer, reference="both", judge_orders=2
        )
        write_missing_summaries(request, summarizer)
        (row,) = rows_after(request)
        texts = [compared(seen) for seen in server.seen if seen.body["model"] == JUDGE]
    assert summaries_of(Path(request.ledger))["motion/meaning"].judgements.planned == 2 * CLIPS * (JUDGED + 1)
    assert sum("It means" in first or "It means" in second for first, second in texts) == 2 * CLIPS * JUDGED
    assert Counter(texts) == Counter((second, first) for first, second in texts), "each couple the other way round too"
    assert set(Counter(texts).values()) == {1}
    assert row.metrics["judge_disagreement"] is not None


def compared(seen: Seen) -> tuple[str, str]:
    """The two texts in a prompt, in their order, whatever is said around them."""
    first, second = COMPARED.findall(seen.text)
    return first, second


def test_the_floor_is_judged_once_for_all_models(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        _, judge, summarizer = names(server)
        models = [f"openai:{name}@{server.url}" for name in ("one", "two")]
        request = request_of(
            ["motion/meaning"], models, judge=judge, summarizer=summarizer, reference="summary", cues=ALL_CUE_SETS
        )
        write_missing_summaries(request, summarizer)
        found = rows_after(request)
        floor = [seen for seen in server.seen if seen.body["model"] == JUDGE and "It means" not in seen.text]
        assert len(floor) == CLIPS
        assert calls_of(server)[JUDGE] == 2 * CLIPS * SETS + CLIPS
        of_texts = [compared(seen) for seen in floor]
    assert all("They agree on" in text for both in of_texts for text in both), "two summaries"
    floors = {row.floors["another clip's summary"] for row in found}
    assert len(floors) == 1, "the same floor for all models and cues"


def test_a_person_is_judged_against_the_others(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        _, judge, summarizer = names(server)
        request = request_of(["motion/meaning"], [PEOPLE], judge=judge, summarizer=summarizer, reference="both")
        write_missing_summaries(request, summarizer)
        execute_run(request)
        assert calls_of(server) == {JUDGE: CLIPS * (1 + RESPONSES - 1 + 1), SUMS: WITH_PEOPLE}
        texts = [compared(seen) for seen in server.seen if seen.body["model"] == JUDGE]
        dataset = request.data.of_kind("clip")
        assert dataset is not None
        without = {one.item: one.text for one in read_summaries(dataset) if one.left_out is not None}
    for clip in dataset.items:
        assert isinstance(clip, Clip)
        own = clip.meaning_responses[held_out_response(clip, 0)]
        assert sorted(other for both in texts for other in both if own in both) == sorted(
            [*[own] * RESPONSES, without[clip.id], *(set(clip.meaning_responses) - {own})]
        ), "its own response is not among what it is judged against"


def test_summaries_are_asked_for_once_whatever_the_ledger(
    request_of: Callable[..., RunRequest], tmp_path: Path
) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        settings: dict[str, Any] = {"judge": judge, "summarizer": summarizer}
        request = request_of(["motion/meaning"], [model], **settings)
        assert write_missing_summaries(request, summarizer) == SUMMARIES
        assert write_missing_summaries(request, summarizer) == 0
        assert write_missing_summaries(replace(request, ledger=str(tmp_path / "other.db")), summarizer) == 0
        assert not (tmp_path / "other.db").exists()
        assert len(server.seen) == SUMMARIES
        assert write_missing_summaries(request_of(["motion/meaning"], [model], seed=1, **settings), summarizer) == 0
        assert len(server.seen) == SUMMARIES, "none depends on the seed"


def test_people_need_summaries_without_one_response(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        settings: dict[str, Any] = {"judge": judge, "summarizer": summarizer}
        assert write_missing_summaries(request_of(["motion/meaning"], [model], **settings), summarizer) == SUMMARIES
        request = request_of(["motion/meaning"], [model, PEOPLE], **settings)
        assert write_missing_summaries(request, summarizer) == WITH_PEOPLE - SUMMARIES, "the others are there"
        assert write_missing_summaries(request, summarizer) == 0
        added = write_missing_summaries(request_of(["motion/meaning"], [model, PEOPLE], seed=1, **settings), summarizer)
        dataset = request.data.of_kind("clip")
        assert dataset is not None
        moved = [
            clip
            for clip in dataset.items
            if isinstance(clip, Clip) and held_out_response(clip, 0) != held_out_response(clip, 1)
        ]
        assert added == len(moved) > 0, "another seed leaves other responses out"
        assert len(server.seen) == WITH_PEOPLE + added


def test_no_more_is_summed_up_than_is_asked_about(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        request = request_of(["motion/meaning"], [model], judge=judge, summarizer=summarizer, limit=2)
        assert [one.asks for one in estimate_with_summaries(request, summarizer)][:2] == [2, 2]
        assert write_missing_summaries(request, summarizer) == 2
        rows_after(request)
        calls = calls_of(server)
    assert (calls[SUMS], calls[ASKED]) == (2, 2)


def test_given_parameters_are_for_the_summarizer_too(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        request = request_of(
            ["motion/meaning"], [model], judge=judge, summarizer=summarizer, limit=1, parameters={"top_p": 0.5}
        )
        write_missing_summaries(request, summarizer)
        rows_after(request)
        sent = {seen.body["model"]: seen.body.get("top_p") for seen in server.seen}
    assert sent == {SUMS: 0.5, ASKED: 0.5, JUDGE: None}, "all models are judged alike"


async def signed(seen: Seen, request: web.Request) -> web.StreamResponse:
    """Summaries begin with the name of who writes them."""
    name = seen.body["model"]
    return completion(f"{name} read {seen.key}.") if name.startswith(SUMS) else await answers(seen, request)


def test_two_summarizers_in_one_ledger_keep_their_own_texts(
    request_of: Callable[..., RunRequest], folder: Path
) -> None:
    with Loopback(signed) as server:
        model, judge, _ = names(server)
        known = {f"openai:{name}@{server.url}": name for name in (f"{SUMS}-one", f"{SUMS}-two")}
        runs = set()
        for summarizer, name in known.items():
            request = request_of(["motion/meaning"], [model], judge=judge, summarizer=summarizer)
            assert write_missing_summaries(request, summarizer) == SUMMARIES
            before = len(server.seen)
            run, progress = execute_run(request)
            assert progress.complete
            runs.add(run.id)
            texts = [compared(seen) for seen in server.seen[before:] if seen.body["model"] == JUDGE]
            of_summaries = [text for both in texts for text in both if not text.startswith("It means")]
            assert len(of_summaries) == 3 * CLIPS, "one to judge against, and two for the floor"
            assert all(text.startswith(f"{name} read ") for text in of_summaries), "one source"
        assert len(runs) == len(known)
        total = len(server.seen)
        (folder / "summaries.jsonl").unlink()
        for summarizer in known:
            request = request_of(["motion/meaning"], [model], judge=judge, summarizer=summarizer)
            assert write_missing_summaries(request, summarizer) == SUMMARIES, "out of the ledger, which holds both"
        assert len(server.seen) == total
        dataset = request.data.of_kind("clip")
        assert dataset is not None
        kept = Counter((one.model, one.text.partition(" ")[0]) for one in read_summaries(dataset))
    assert kept == dict.fromkeys(known.items(), CLIPS)


def test_changed_summaries_make_another_run(request_of: Callable[..., RunRequest], folder: Path) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        request = request_of(["motion/meaning"], [model], judge=judge, summarizer=summarizer)
        write_missing_summaries(request, summarizer)
        first, _ = execute_run(request)
        same, _ = execute_run(request)
        assert same.id == first.id
        path = folder / "summaries.jsonl"
        path.write_text(path.read_text(encoding="utf-8").replace("They agree on", "They all say"), encoding="utf-8")
        asked = calls_of(server)
        other, progress = execute_run(request)
        assert progress.complete
        assert other.id != first.id
        assert {name for name in first.settings if first.settings[name] != other.settings[name]} == {"judged against"}
        assert calls_of(server) - asked == {JUDGE: 2 * CLIPS}, "interpretations are judged again, not asked for"
        with raises(UserError, repr(first.name), "judged against"):
            execute_run(replace(request, name=first.name))


def test_without_a_judge_nothing_is_summed_up(request_of: Callable[..., RunRequest]) -> None:
    with Loopback(answers) as server:
        model, _, summarizer = names(server)
        request = request_of(["motion/meaning"], [model], summarizer=summarizer)
        for way in (write_missing_summaries, estimate_with_summaries):
            with raises(UserError, "motion/meaning", "--judge"):
                way(request, summarizer)
        assert not server.seen


def test_an_interpretation_without_a_judgement_is_not_complete(folder: Path, pictures: Path, tmp_path: Path) -> None:
    async def judges_in_prose(seen: Seen, request: web.Request) -> web.StreamResponse:
        return completion("Rather close.") if seen.body["model"] == JUDGE else await answers(seen, request)

    with Loopback(judges_in_prose) as server:
        model, judge, summarizer = names(server)
        command = run_command(
            "motion/meaning", model, f"animint:{folder}", tmp_path / "ledger.db", "--judge", judge, "--summarizer",
            summarizer, "--limit", "2",
        )  # fmt: skip
        assert start_again(command, pictures).returncode == 3
        assert calls_of(server)[ASKED] == 2
    found = summaries_of(tmp_path / "ledger.db")["motion/meaning"]
    assert found.attempts.by_status == {AttemptStatus.FAILED: 2}


FLOORS = {"summary": "They agree on", "both": "They agree on", "individual": "Message"}


@pytest.mark.parametrize(("reference", "begins"), FLOORS.items(), ids=FLOORS.keys())
def test_the_floor_is_of_the_same_kind_and_of_clips_of_the_run(
    request_of: Callable[..., RunRequest], reference: str, begins: str
) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        request = request_of(
            ["motion/meaning"], [model], judge=judge, summarizer=summarizer, reference=reference, limit=2
        )
        write_missing_summaries(request_of(["motion/meaning"], [model], judge=judge, summarizer=summarizer), summarizer)
        rows_after(request)
        asked = [seen for seen in server.seen if seen.body["model"] == JUDGE]
        texts = [compared(seen) for seen in asked if "It means" not in seen.text]
    assert texts
    assert all(text.startswith(begins) for both in texts for text in both)
    assert len({text for both in texts for text in both}) == 2, "of two clips, though there are summaries of all"


def test_changed_responses_are_summed_up_again(request_of: Callable[..., RunRequest], folder: Path) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        request = request_of(["motion/meaning"], [model], judge=judge, summarizer=summarizer)
        write_missing_summaries(request, summarizer)
        path = folder / "AniMINT.json"
        path.write_text(path.read_text(encoding="utf-8").replace("Message 3 was sent", "Message 3 was lost"))
        again = replace(request, data=load_collection(f"animint:{folder}"))
        assert write_missing_summaries(again, summarizer) == 1
        assert len(server.seen) == SUMMARIES + 1


def test_summaries_that_fail_say_why_and_go_on_later(request_of: Callable[..., RunRequest], folder: Path) -> None:
    async def out_of_order(seen: Seen, request: web.Request) -> web.StreamResponse:
        if len(server.seen) > 2 and not mended:
            return web.json_response({"error": {"message": "no such model"}}, status=404)
        return await answers(seen, request)

    mended: list[bool] = []
    with Loopback(out_of_order) as server:
        model, judge, summarizer = names(server)
        request = request_of(["motion/meaning"], [model], judge=judge, summarizer=summarizer, concurrency=1)
        with raises(IncompleteError, "no such model"):
            write_missing_summaries(request, summarizer)
        assert not (folder / "summaries.jsonl").exists()
        mended.append(True)
        assert write_missing_summaries(request, summarizer) == SUMMARIES
        assert calls_of(server) == {SUMS: SUMMARIES}


def test_a_summarizer_that_says_nothing_is_named(request_of: Callable[..., RunRequest], folder: Path) -> None:
    async def only_thinks(_: Seen, __: web.Request) -> web.StreamResponse:
        return completion("<think>What do they agree on?</think>")

    with Loopback(only_thinks) as server:
        model, judge, summarizer = names(server)
        with raises(UserError, "'00000", "--summarizer"):
            write_missing_summaries(
                request_of(["motion/meaning"], [model], judge=judge, summarizer=summarizer), summarizer
            )
    assert not (folder / "summaries.jsonl").exists()


def test_an_estimate_counts_summaries_and_asks_nothing(request_of: Callable[..., RunRequest], folder: Path) -> None:
    with Loopback(answers) as server:
        model, judge, summarizer = names(server)
        request = request_of(
            ["motion/purpose", "motion/meaning"], [model], judge=judge, summarizer=summarizer, reference="both",
            cues=ALL_CUE_SETS,
        )  # fmt: skip
        estimates = estimate_with_summaries(request, summarizer)
        assert not server.seen
        assert not (folder / "summaries.jsonl").exists()
        assert not Path(request.ledger).exists()
        expected = {SUMS: SUMMARIES, ASKED: 2 * CLIPS * SETS, JUDGE: CLIPS * SETS * JUDGED + CLIPS}
        assert [(one.model, one.asks) for one in estimates] == [
            (f"openai:{name}@{server.url}", asks) for name, asks in expected.items()
        ]
        write_missing_summaries(request, summarizer)
        execute_run(request)
        assert calls_of(server) == expected, "what was foreseen is what was asked"
        assert [(one.model, one.asks) for one in estimate_with_summaries(request, summarizer)] == [
            (model, 0),
            (judge, 0),
        ]
        assert [one.asks for one in estimate_run(request)] == [0, 0]


TWINS = DatasetHeader(format=1, kind="clip", name="twins", licence="CC0", provenance="drawn by a test", synthetic=True)
TWIN_KINDS = ("reversed", "slower")


@pytest.fixture
def twins(tmp_path: Path) -> DatasetCollection:
    """Two clips; the first has a twin that runs backwards, the second one that is slower."""
    root = tmp_path / "twins"
    (root / "media").mkdir(parents=True)
    clips = []
    for index, kind in enumerate(TWIN_KINDS):
        made = frames(number(index), 24)
        other = made[::-1] if kind == "reversed" else [one for one in made for _ in range(2)]
        for name, pictures in (("clip", made), ("twin", other)):
            write_clip(root / "media" / f"{name}-{index}.mp4", pictures, fps=60)
        clips += [
            Clip(
                id=f"clip-{index}",
                video=f"media/clip-{index}.mp4",
                effect="move",
                effect_responses=["A square goes right."],
            ),
            Clip(
                id=f"twin-{index}",
                video=f"media/twin-{index}.mp4",
                motion=CapturedMotion(
                    trigger="load", trigger_frame=0, frames=24, fps=60, duration=300, ended=True, visible=True,
                    digest="0", twin=kind,
                ),
                links=[ItemLink(kind="twin", to=f"clip-{index}")],
            ),
        ]  # fmt: skip
    write_folder(root, TWINS, clips)
    return DatasetCollection.single(load_folder(root))


async def takes_the_first(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("A\nIt goes right there.")


def test_every_couple_is_asked_about_in_both_orders(
    request_of: Callable[..., RunRequest], twins: DatasetCollection
) -> None:
    with Loopback(takes_the_first) as server:
        request = request_of(["motion/twin"], [f"openai:{ASKED}@{server.url}", "oracle"], data=twins)
        found = {row.model.partition(":")[0]: row for row in rows_after(request)}
        assert len(server.seen) == 2 * len(TWIN_KINDS)
        by_pictures: dict[tuple[str, ...], list[list[str]]] = {}
        for seen in server.seen:
            by_pictures.setdefault(tuple(sorted(seen.images)), []).append(seen.images)
        assert len(by_pictures) == len(TWIN_KINDS)
        for one, other in by_pictures.values():
            assert one != other, "the same pictures, the recordings in the other order"
        assert sum("A square goes right." in seen.text for seen in server.seen) == 2, (
            "a described one where it is asked"
        )
        assert not any("twin-" in seen.text or "reversed" in seen.text for seen in server.seen)
    assert found["openai"].metrics["accuracy"] == 0.5, "who always takes the first is right in half"
    assert {one.value: one.metrics["accuracy"] for one in found["openai"].breakdowns if one.by == "place"} == {
        "first": 1.0,
        "second": 0.0,
    }
    assert found["oracle"].metrics["accuracy"] == 1.0
    assert all(row.chance == 0.5 for row in found.values())


def test_clips_without_purposes_or_meanings_are_no_data(
    request_of: Callable[..., RunRequest], twins: DatasetCollection
) -> None:
    with raises(UserError, "motion/purpose", "'twins'"):
        execute_run(request_of(["motion/purpose"], ["oracle"], data=twins))
    with raises(UserError, "motion/meaning", "meaning_responses", 2, "'twins'"):
        execute_run(request_of(["motion/meaning"], ["oracle"], data=twins, judge="baseline:overlap"))


def test_effects_are_asked_without_twins(request_of: Callable[..., RunRequest], twins: DatasetCollection) -> None:
    with Loopback() as server:
        request = request_of(["motion/effect"], [f"openai:{ASKED}@{server.url}"], data=twins, trials=3)
        (row,) = rows_after(request)
        assert len(server.seen) == 3 * len(TWIN_KINDS)
    assert row.metrics["accuracy"] == 1.0


def test_no_summary_and_no_summarizer_says_what_to_give(request_of: Callable[..., RunRequest]) -> None:
    request = request_of(["motion/meaning"], ["oracle"], judge="baseline:overlap")
    for way in (execute_run, estimate_run):
        with raises(UserError, "--summarizer"):
            way(request)


def estimated(folder: Path, pictures: Path, ledger: Path, server: Loopback) -> "subprocess.CompletedProcess[str]":
    model, judge, summarizer = names(server)
    command = run_command(
        "motion/meaning", model, f"animint:{folder}", ledger, "--judge", judge, "--summarizer", summarizer,
        "--estimate", "--json",
    )  # fmt: skip
    return start_again(command, pictures)


def test_the_command_estimates_without_asking(folder: Path, pictures: Path, tmp_path: Path) -> None:
    with Loopback(answers) as server:
        finished = estimated(folder, pictures, tmp_path / "ledger.db", server)
        assert finished.returncode == 0, finished.stderr
        assert not server.seen
        found = {one["model"]: one["asks"] for one in json.loads(finished.stdout)}
        assert found == dict(zip(names(server), (CLIPS, 2 * CLIPS, SUMMARIES), strict=True))
    assert not (folder / "summaries.jsonl").exists()
