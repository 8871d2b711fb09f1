"""Preference sets: what is preferred and why, in both orders, as files that trainers read; and what is left out."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from affordance.author.pairs.ballots import why_not_compared
from affordance.author.project import Project, open_as_project
from affordance.author.study_records import Study
from affordance.core.errors import UserError
from affordance.core.requests import Response
from affordance.datasets import Dataset, DatasetCollection, DesignPair, load_folder
from affordance.integrations.preferences.export import PreferenceOptions, PreferenceReport, export_preferences
from affordance.integrations.preferences.sources import CONTESTED, CONTRADICTED, TIED, UNDECIDED, load_preferences
from affordance.studio.studies.made_of_pairs import preference_study
from affordance.studio.studies.sheets import Slot
from affordance.studio.studies.sources.preference import source
from affordance.tasks.behavior import choice
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.pair_answers import ANSWER_MARKER
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.strategies import zero_shot
from behavior_data import because, pair, write_pairs
from errors import raises
from study_answers import keep_study, take_part
from study_world import Studies, study_of
from task_numbers import design_of

GOAL = "More people buy."
REASONS = [because("The button is larger."), because("The right version has more contrast.")]

Row = dict[str, Any]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Three that are decided, two of which share a cluster, and one for each reason to be left out."""
    folder = tmp_path_factory.mktemp("pairs")
    write_pairs(
        folder,
        pair("contested", None, votes=[5, 7]),
        pair("contradicted", 0, votes=[1, 9], evidence="tested"),
        pair("equal", 0, same=True),
        pair("explained", 1, goal=GOAL, rationales=REASONS, evidence="tested", page_type="pricing", cluster="shop"),
        pair("plain", 0, cluster="shop"),
        pair("tied", None, votes=[4, 4]),
        pair("unknown", None),
        pair("voted", None, votes=[9, 1]),
    )
    return load_folder(folder)


def made(dataset: Dataset, folder: Path, *, who: str = "winner", least: float = 0.8, **wanted: Any) -> PreferenceReport:
    return export_preferences(
        dataset, load_preferences(who, dataset, least, "", None), folder, PreferenceOptions(**wanted)
    )


def rows_of(folder: Path, split: str = "train") -> list[Row]:
    return [json.loads(line) for line in (folder / "data" / f"{split}.jsonl").read_text("utf-8").splitlines()]


def said(messages: list[Mapping[str, Any]]) -> str:
    ((part,),) = ([part for part in message["content"] if part["type"] == "text"] for message in messages)
    return str(part["text"])


def test_what_cannot_be_preferred_is_left_out_and_counted(pairs: Dataset, tmp_path: Path) -> None:
    found = made(pairs, tmp_path / "p")
    (equal,) = [item for item in pairs.items if item.id == "equal"]
    assert isinstance(equal, DesignPair)
    reasons = (TIED, why_not_compared(pairs, equal), UNDECIDED, CONTRADICTED, CONTESTED)
    assert found.left_out == dict.fromkeys(reasons, 1)
    assert found.signals == {"A/B test": 1, "dataset": 1, "votes": 1}
    assert (found.pairs, found.rows) == ({"train": 3}, {"train": 6})
    known = {(row["item"], row["signal"], row["votes"], row["agreement"]) for row in rows_of(tmp_path / "p")}
    assert known == {
        ("explained", "A/B test", None, None),
        ("plain", "dataset", None, None),
        ("voted", "votes", 10, 0.9),
    }
    assert {(row["dataset"], row["digest"]) for row in rows_of(tmp_path / "p")} == {("pairs", pairs.digest())}
    assert made(pairs, tmp_path / "q", least=0.55).signals["votes"] == 2


def test_prompts_are_what_models_are_asked_and_chosen_is_what_scores(pairs: Dataset, tmp_path: Path) -> None:
    made(pairs, tmp_path / "p")
    by_order = {(row["item"], row["order"]): row for row in rows_of(tmp_path / "p")}
    assert len(by_order) == 6
    design = design_of(CHOICE, goal="shown")
    texts = load_prompt_pack(CHOICE).texts
    asked = 0
    for trial in choice.questions(DatasetCollection.single(pairs), design):
        question = trial.question
        order = "-".join(map(str, question.axes["order"]))
        if (row := by_order.get((question.item, order))) is None:
            continue
        asked += 1
        (ask,) = next(zero_shot(question, texts))
        (message,) = row["prompt"]
        kinds = ["text" if isinstance(part, str) else "image" for part in ask.messages[0].parts]
        assert [part["type"] for part in message["content"]] == kinds
        assert said(row["prompt"]) == ask.messages[0].parts[0]
        assert [Path(image).stem for image in row["images"]] == [one.source for one in ask.images]
        assert CHOICE.score(question, Response(said(row["chosen"]))).score == 1
        assert CHOICE.score(question, Response(said(row["rejected"]))).score == 0
    assert asked == 6
    assert GOAL in said(by_order["explained", "0-1"]["prompt"])
    made(pairs, tmp_path / "q", show_goal=False)
    assert not any(GOAL in said(row["prompt"]) for row in rows_of(tmp_path / "q"))


def test_only_the_last_word_tells_right_from_wrong(pairs: Dataset, tmp_path: Path) -> None:
    made(pairs, tmp_path / "p")
    for row in rows_of(tmp_path / "p"):
        right, wrong = (said(row[name]).rpartition(" ") for name in ("chosen", "rejected"))
        assert right[:2] == wrong[:2]
        assert {right[2], wrong[2]} == {"First", "Second"}
        before = "The button is larger.\n" if row["item"] == "explained" else ""  # the other reason names a side
        assert right[0] == f"{before}{ANSWER_MARKER}"


def test_pairs_of_one_cluster_are_never_on_both_sides(pairs: Dataset, tmp_path: Path) -> None:
    sides = set()
    for seed in range(6):
        found = made(pairs, tmp_path / str(seed), test=0.3, seed=seed)
        train, test = ({row["item"] for row in rows_of(tmp_path / str(seed), split)} for split in ("train", "test"))
        assert train | test == {"explained", "plain", "voted"}
        assert not train & test
        assert ("explained" in test) == ("plain" in test)
        assert found.pairs == {"train": len(train), "test": len(test)}
        sides.add("voted" in test)
    assert sides == {True, False}
    with raises(UserError, "test", 0.9):
        made(pairs, tmp_path / "all", test=0.9)
    assert not (tmp_path / "all").exists()


def test_the_card_tells_what_it_is_and_what_not_to_do(pairs: Dataset, tmp_path: Path) -> None:
    made(pairs, tmp_path / "p", test=0.3)
    _, head, text = (tmp_path / "p" / "README.md").read_text("utf-8").split("---\n", 2)
    about = yaml.safe_load(head)
    (config,) = about["configs"]
    assert {one["split"]: one["path"] for one in config["data_files"]} == {
        "train": "data/train.jsonl",
        "test": "data/test.jsonl",
    }
    assert (about["license"], about["license_name"]) == ("other", "CC0")
    for part in (pairs.digest(), "A/B test (1 pairs)", "1 (too few agree)", "Do not evaluate", "**Synthetic**: Yes"):
        assert part in text


def test_people_of_a_study_decide(pairs: Dataset, tmp_path: Path) -> None:
    """Both designs of `plain`, as two people see them, and the loser of `explained`, for which there are no reasons."""
    says = {"explained": (0, 0), "plain": (0, 1), "voted": (1, 1)}
    with open_as_project(str(tmp_path / "l.db")) as project:
        study = study_of(pairs.root, "which", per_item=2)
        _answer(project, study, says)
    found = export_preferences(
        pairs, load_preferences("study:which", pairs, 0.8, str(tmp_path / "l.db")), tmp_path / "p", PreferenceOptions()
    )
    assert found.signals == {"study:which": 2}
    assert found.left_out[TIED] == 1
    rows = rows_of(tmp_path / "p")
    assert {(row["item"], row["signal"], row["votes"], row["agreement"]) for row in rows} == {
        ("explained", "study:which", 2, 1.0),
        ("voted", "study:which", 2, 1.0),
    }
    picks = {(row["item"], row["order"]): said(row["chosen"]) for row in rows}
    assert picks["explained", "0-1"] == picks["voted", "1-0"] == f"{ANSWER_MARKER} First"
    assert picks["explained", "1-0"] == picks["voted", "0-1"] == f"{ANSWER_MARKER} Second"


def test_people_of_a_preference_study_decide_when_it_is_closed(pairs: Dataset, tmp_path: Path) -> None:
    says = {item.id: (1, 1, 1, 1, 0) for item in pairs.items}
    where = str(tmp_path / "l.db")
    for closed in (False, True):
        with open_as_project(where) as project:
            study = preference_study(project, "taste", per_item=5, spec=str(pairs.root), closed=closed)
            _answer(project, study, says)
        if not closed:
            with raises(UserError, "study:taste"):
                load_preferences("study:taste", pairs, 0.8, where)
    found = load_preferences("study:taste", pairs, 0.8, where)
    assert {name: (one.chosen, one.votes, one.agreement) for name, one in found.signals.items()} == {
        item.id: (1, 5, 0.8) for item in pairs.items if item.id != "equal"
    }


def _answer(project: Project, study: Study, says: Mapping[str, tuple[int, ...]]) -> None:
    """The nth person prefers, of each pair that is named, the design at the nth place that is given for it."""
    keep_study(project.ledger, study)
    made_of = Studies(project, project.folder / "cache").open(study).source if study.form == "task" else None
    asked = made_of or source(study, project)

    def given(person: int, slot: Slot) -> Mapping[str, Any] | None:
        if slot.item not in says:
            return None
        wanted = str(says[slot.item][person])
        return next(one for side in ("first", "second") if wanted in asked.values(one := {"side": side}, slot).values())

    people = len(next(iter(says.values())))
    take_part(
        project.ledger,
        study,
        asked,
        {f"person-{number}": (lambda slot, number=number: given(number, slot)) for number in range(people)},
    )


def test_another_dataset_than_was_asked_about_is_the_users_mistake(pairs: Dataset, tmp_path: Path) -> None:
    write_pairs(tmp_path / "other", pair("plain", 0))
    other = load_folder(tmp_path / "other")
    where = str(tmp_path / "l.db")
    with open_as_project(where) as project:
        keep_study(project.ledger, study_of(pairs.root, "which"))
        keep_study(project.ledger, study_of(pairs.root, "reasons", task="behavior/rationale", per_item=1))
    with raises(UserError, "study:which", "'pairs'"):
        load_preferences("study:which", other, 0.8, where)
    with raises(UserError, "behavior/rationale", "behavior/choice"):
        load_preferences("study:reasons", pairs, 0.8, where)
    with raises(UserError, "'wich'", "'which'"):
        load_preferences("study:wich", pairs, 0.8, where)
