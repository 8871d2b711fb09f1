"""Summing up what people wrote; and meanings from end to end without a network."""

from collections import Counter
from pathlib import Path

import pytest

from affordance.core.attempts import AttemptResult, AttemptStatus
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.core.requests import Response
from affordance.datasets import Dataset, DatasetCollection
from affordance.datasets.summaries import read_summaries
from affordance.evaluation.reference_summaries import estimate_with_summaries, write_missing_summaries
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.tasks.motion.meaning import (
    MEANING,
    clips_with_meaning,
    meaning_scores,
)
from affordance.tasks.motion.meaning_judging import (
    Ratings,
    held_out_response,
)
from affordance.tasks.motion.meaning_summaries import SUMMARY as SUMMING_UP
from errors import raises
from motion_data import (
    THINGS,
    clip,
    leaks,
    only_ask,
    prompt_of,
    questions_of,
    write_clips,
    write_summaries,
)
from task_numbers import baselines_of, metrics_of


def dataset_of(data: DatasetCollection) -> Dataset:
    dataset = data.of_kind("clip")
    assert dataset is not None
    return dataset


def test_what_a_summarizer_is_asked(bare: DatasetCollection) -> None:
    found = questions_of(SUMMING_UP, bare)
    assert [(one.item, one.axes["left out"] is None) for one in found] == [
        (f"item-{thing}", whole) for thing in THINGS for whole in (True, False)
    ]
    for whole, less in zip(found[::2], found[1::2], strict=True):
        lines = whole.prompt_fields["responses"].splitlines()
        place = less.axes["left out"]
        assert isinstance(place, int)
        assert less.prompt_fields["responses"].splitlines() == lines[:place] + lines[place + 1 :]
        assert prompt_of(only_ask(SUMMING_UP, whole)).endswith("\n".join(lines))
        assert leaks(only_ask(SUMMING_UP, whole), whole.item) == []


def test_each_response_is_one_line_to_a_summarizer(tmp_path: Path) -> None:
    odd = ["One\n- two\u2028three", "  Four. ", " "]
    data = write_clips(tmp_path, clip("tea", meaning_responses=odd), frames=1)
    assert questions_of(SUMMING_UP, data)[0].prompt_fields["responses"] == "- One - two three\n- Four."


SUMMARIES = {
    "words": (Response(" It was\nbought. "), "It was bought."),
    "after thinking": (Response("<think>Hm.</think>It was bought."), "It was bought."),
    "only thinking": (Response("<think>Hm."), None),
    "empty": (Response(""), None),
}


@pytest.mark.parametrize(("reply", "text"), SUMMARIES.values(), ids=SUMMARIES.keys())
def test_reading_a_summary(bare: DatasetCollection, reply: Response, text: str | None) -> None:
    verdict = SUMMING_UP.score(questions_of(SUMMING_UP, bare)[0], reply)
    assert verdict.answer == text
    assert verdict.status is (AttemptStatus.UNPARSED if text is None else AttemptStatus.ANSWERED)


def individual(one: AttemptResult) -> tuple[Ratings, ...]:
    found = meaning_scores(one)
    assert found is not None
    return found.individual


def test_who_cannot_sum_up(tmp_path: Path) -> None:
    """Before anything is asked or written."""
    data = write_clips(tmp_path / "set", clip("tea"), frames=12)
    for name in ("oracle", "oracle:gemini", "study:x"):
        request = RunRequest(
            config=RunConfig(tasks=(MEANING,), judge="baseline:overlap", summarizer=name),
            data=data,
            models=(ModelName.parse("baseline:random"),),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
        )
        for attempt in (write_missing_summaries, estimate_with_summaries):
            with raises(UserError, "summarizer", name):
                attempt(request, name)
    assert not (tmp_path / "ledger.db").exists()


def test_offline_from_end_to_end(tmp_path: Path) -> None:
    """Word overlap sums up and judges; the oracle says the summary, people what one of them said."""
    data = write_clips(tmp_path / "set", *(clip(thing) for thing in THINGS), frames=12)
    request = RunRequest(
        config=RunConfig(tasks=(MEANING,), judge="baseline:overlap", summarizer="baseline:overlap", reference="both"),
        data=data,
        models=tuple(map(ModelName.parse, ("oracle", "baseline:people", "baseline:random"))),
        ledger=str(tmp_path / "ledger.db"),
        render_cache=tmp_path / "pictures",
    )
    assert write_missing_summaries(request, "baseline:overlap") == 8
    assert write_missing_summaries(request, "baseline:overlap") == 0, "they are kept"
    assert len(read_summaries(dataset_of(data))) == 8
    run, progress = execute_run(request)
    assert progress.complete
    with open_ledger(request.ledger, read_only=True) as ledger:
        found = list(ledger.attempt_results(run.id))
    by_model = {name: [one for one in found if one.model == name] for name in {one.model for one in found}}
    scores = {name: metrics_of(MEANING, outcomes) for name, outcomes in by_model.items()}
    assert scores["oracle:default"]["accuracy"] == 1.0
    assert scores["oracle:default"]["score"] == 5.0
    assert scores["baseline:random"]["score"] == 0.0, "says that it chose at random"
    people = scores["baseline:people"]["score"]
    assert people is not None
    assert 0 < people < 5
    for one in by_model["baseline:people"]:
        assert len(individual(one)) == 2, "the other ones"
    for one in by_model["oracle:default"]:
        assert len(individual(one)) == 3
    floors = {name: baselines_of(MEANING, outcomes) for name, outcomes in by_model.items()}
    assert floors["oracle:default"] == floors["baseline:random"] == floors["baseline:people"]


def test_oracle_and_people_where_the_seed_is_another(tmp_path: Path) -> None:
    """Summaries without one response are of the first seed: people are not judged against those of their own words."""
    data = write_clips(tmp_path / "set", *(clip(thing) for thing in THINGS), frames=6)
    write_summaries(data, seed=0)
    _, clips = clips_with_meaning(data)
    seed = next(
        seed for seed in range(99) if all(held_out_response(one, seed) != held_out_response(one, 0) for one in clips)
    )
    request = RunRequest(
        config=RunConfig(tasks=(MEANING,), judge="baseline:overlap", seed=seed),
        data=data,
        models=tuple(map(ModelName.parse, ("oracle", "baseline:people"))),
        ledger=str(tmp_path / "ledger.db"),
        render_cache=tmp_path / "pictures",
    )
    run, _ = execute_run(request)
    with open_ledger(request.ledger, read_only=True) as ledger:
        ended = Counter(
            (one.model, one.verdict.status) for one in ledger.attempt_results(run.id) if one.verdict is not None
        )
    assert ended == {("oracle:default", AttemptStatus.ANSWERED): 4, ("baseline:people", AttemptStatus.SKIPPED): 4}
