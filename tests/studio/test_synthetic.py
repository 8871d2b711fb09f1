"""People who are made up take part as people do, the same ones each time, and only where a study says so."""

from pathlib import Path

from affordance.core.errors import UserError
from affordance.models.study_documents import study_scope, valid_answers
from affordance.studio.studies.seats import all_seats
from affordance.studio.studies.standing import standing
from affordance.studio.studies.synthetic import take_part
from errors import raises
from motion_data import clip, write_clips
from study_world import NOON, StudyWorld, pairs_of, right_side, study_of, study_world


def answers(world: StudyWorld) -> dict[tuple[str, str], object]:
    return {(one.seat, one.slot): one.given for one in valid_answers(world.project.ledger, world.study.name)}


def test_everything_is_answered_once_and_who_does_not_read_is_excluded(tmp_path: Path) -> None:
    pairs_of(tmp_path / "pairs", 6)
    study = study_of(tmp_path / "pairs", per_item=6, checks=2, consent="Nobody is asked.", synthetic=True)
    found = []
    for name in ("one", "two"):
        with study_world(tmp_path / f"{name}.db", study, tmp_path / "cache") as world:
            take_part(world.project, world.study, world.studies, NOON)
            before = len(world.project.ledger.documents.latest(scope=study_scope("which")))
            take_part(world.project, world.study, world.studies, NOON)
            assert len(world.project.ledger.documents.latest(scope=study_scope("which"))) == before, (
                "all is done already"
            )
            now = standing(world.project.ledger, world.opened, NOON)
            assert (now.complete, now.answered, now.fewest, now.most) == (True, 36, 6, 6)
            assert (now.counts.finished, now.counts.excluded, now.counts.consented) == (6, 1, 7)
            assert [(why.split()[0], count) for why, count in now.counts.reasons.items()] == [("2", 1)]
            found.append(answers(world))
            right = [given == {"side": right_side(world.opened, slot)} for (_, slot), given in found[-1].items()]
            assert 0.5 < sum(right) / len(right) < 1
    assert found[0] == found[1]


def test_one_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    write_clips(tmp_path / "clips", *(clip(name, purpose="Feedback") for name in ("tea", "salt")), frames=20)
    study = study_of(tmp_path / "clips", task="motion/purpose", per_item=3, checks=1, synthetic=True)
    with study_world(tmp_path / "whole.db", study, tmp_path / "cache") as world:
        take_part(world.project, world.study, world.studies, NOON)
        whole, (some, *_) = answers(world), all_seats(world.project.ledger, "which").values()
    with study_world(tmp_path / "half.db", study, tmp_path / "cache") as world:
        world.enter(some.code)
        take_part(world.project, world.study, world.studies, NOON)
        assert all_seats(world.project.ledger, "which")[some.code].finished
        assert {slot for _, slot in answers(world)} == {slot for _, slot in whole}


def test_a_study_of_people_is_left_to_them(tmp_path: Path) -> None:
    pairs_of(tmp_path / "pairs", 2)
    with study_world(tmp_path / "it.db", study_of(tmp_path / "pairs"), tmp_path / "cache") as world:
        with raises(UserError, "which"):
            take_part(world.project, world.study, world.studies, NOON)
        assert not all_seats(world.project.ledger, "which")
