"""Clips into a project, and out of it again with what people said of them."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from affordance.author.clip_records import Recording
from affordance.author.clips.export import write_clips
from affordance.author.clips.intake import take_clips
from affordance.author.exchange.results import Facts
from affordance.author.giving_out import give_out
from affordance.author.project import Project, create_project, open_project, plain, read_record
from affordance.author.records import Kind
from affordance.author.study_records import LeftOut, Seat, Settled, Study
from affordance.author.taking_in import sort_out, take_in
from affordance.cli.main import run_command
from affordance.core.errors import UserError
from affordance.datasets import Clip, load_folder
from affordance.datasets.check import check_folder
from affordance.datasets.demo import unpack_demo
from affordance.ledger import DocumentDraft
from affordance.media import WEBP_LOSSLESS
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from author_notes import assert_noted, assert_notes
from clip_world import FRAMES, change, clip_project, draw_clip
from errors import raises
from moving_clips import write_clip

FACTS = Facts("Motion", "CC0-1.0", synthetic=True)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with open_project(clip_project(tmp_path / "project")) as opened:
        yield opened


def recordings(project: Project) -> dict[str, Recording]:
    return {one.subject: read_record(one, Recording) for one in project.ledger.documents.latest(kind=Kind.CLIP)}


def webp(path: Path) -> Path:
    animation = cv2.Animation()
    animation.frames = [np.full((40, 60, 3), 20 * number, np.uint8) for number in range(8)]
    animation.durations = np.full(8, 100)
    assert cv2.imwriteanimation(str(path), animation, (cv2.IMWRITE_WEBP_QUALITY, WEBP_LOSSLESS))
    return path


def test_recordings_of_all_kinds(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    draw_clip(given / "a film.mp4", 30)
    write_clip(given / "moves.gif", [np.full((40, 60, 3), 12 * number, np.uint8) for number in range(10)], fps=10)
    webp(given / "flickers.webp")
    (given / "broken.mp4").write_bytes(b"nothing of a video")
    cv2.imwrite(str(given / "screen.png"), np.full((80, 60, 3), 90, np.uint8))
    create_project(tmp_path / "project")
    with open_project(tmp_path / "project") as project:
        taken = take_in(project, sort_out([str(given)]))
        assert taken.screens is not None
        assert taken.clips is not None
        assert taken.screens.added == ["screen"]
        assert taken.clips.added == ["a-film", "flickers", "moves"]
        assert_notes(taken.broken, ("broken.mp4",))
        found = recordings(project)
        film = found["a-film"]
        assert (film.frames, film.rate, film.width, film.height) == (FRAMES, "12", 160, 96)
        assert (film.start_frame, film.end_frame, len(film.regions)) == (9, 16, 1)
        assert (found["moves"].frames, found["moves"].rate) == (10, "10")
        assert (project.folder / film.video).read_bytes() == (given / "a film.mp4").read_bytes()
        again = take_in(project, sort_out([str(given)]))
        assert again.clips is not None
        assert (again.clips.added, again.clips.known) == ([], 3)


def test_with_a_rate_frames_of_videos_are_screens(tmp_path: Path) -> None:
    video = draw_clip(tmp_path / "tour.mp4", 30)
    given = sort_out([str(video)], Fraction(4))
    assert (given.screens, given.recordings) == ([str(video)], [])
    given = sort_out([str(video)])
    assert (given.screens, given.recordings) == ([], [video])


def test_a_dataset_keeps_what_it_knows(tmp_path: Path) -> None:
    (data,) = unpack_demo(tmp_path / "demo", names=("clips",))
    create_project(tmp_path / "project")
    with open_project(tmp_path / "project") as project:
        taken = take_in(project, sort_out([str(tmp_path / "demo" / "clips")])).clips
        assert taken is not None
        assert len(taken.added) == len(data.items)
        told = give_out(project, tmp_path / "out", FACTS, "own", fail)
    assert told.counts["clips"] == len(data.items)
    written = load_folder(tmp_path / "out" / "clips")
    kept = [item.model_dump(mode="json", exclude_unset=True) | {"video": ""} for item in written.items]
    assert kept == [item.model_dump(mode="json", exclude_unset=True) | {"video": ""} for item in data.items]
    for before, after in zip(data.items, written.items, strict=True):
        (there,), (here,) = before.media_files(), after.media_files()
        assert data.media_path(there).read_bytes() == written.media_path(here).read_bytes()


def test_what_is_after_the_end_is_cut_and_noted(tmp_path: Path) -> None:
    unpack_demo(tmp_path / "demo", names=("clips",))
    folder = tmp_path / "demo" / "clips"
    lines = [json.loads(line) for line in (folder / "items.jsonl").read_text("utf-8").splitlines()][:4:2]
    late, long = ({**line, "links": [], "motion": None} for line in lines)
    late |= {"start_frame": 90_000, "end_frame": 90_001}
    long |= {"end_frame": 90_000}
    (folder / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (late, long)), "utf-8")
    create_project(tmp_path / "project")
    with open_project(tmp_path / "project") as project:
        taken = take_clips(project, [], [load_folder(folder)])
        found = recordings(project)
        assert (found[late["id"]].start_frame, found[late["id"]].end_frame) == (None, None)
        assert found[long["id"]].end_frame == found[long["id"]].frames - 1
    assert_notes(taken.notes, (late["id"], 90_000), (long["id"], 90_000))


def test_names_are_unique_over_all_kinds(project: Project, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "drop.png"), np.full((80, 60, 3), 90, np.uint8))
    taken = take_in(project, sort_out([str(tmp_path / "drop.png")])).screens
    assert taken is not None
    assert taken.added[0].startswith("drop-")
    other = take_clips(project, [draw_clip(tmp_path / "DROP.mp4", 200)])
    assert other.added[0].startswith("DROP-")


def fail(screen: str, error: UserError) -> None:
    raise AssertionError(f"{screen}: {error}")


def answer(study: str, seat: str, item: str, given: Mapping[str, Any], **more: Any) -> DocumentDraft:
    slot = f"{item}-{seat}"
    one = StudyAnswer(seat=seat, slot=slot, item=item, given=dict(given), **more)
    return DocumentDraft(Kind.ANSWER, f"{study}/{seat}/{slot}", plain(one), f"person:{seat}", study_scope(study))


def seats(study: str, *codes: str, **more: Any) -> list[DocumentDraft]:
    made = [Seat(code=code, slots=["any"], consented="2026-01-01T00:00:00Z", **more) for code in codes]
    return [DocumentDraft(Kind.SEAT, f"{study}/{one.code}", plain(one), "studio", study_scope(study)) for one in made]


def study(name: str, form: Any, per_item: int) -> DocumentDraft:
    made = Study(name=name, form=form, per_item=per_item, items={"drop": 1, "glide": 1, "spin": 1})
    return DocumentDraft(Kind.STUDY, name, plain(made), "studio", study_scope(name))


@pytest.fixture
def answered(project: Project) -> Project:
    """A survey in which one person withdrew, one was excluded, and one answer was left out; and a purpose study in
    which experts agree on one clip, differ on two, of which one was settled."""
    words = {"effect": "it slides", "meaning": "it is gone"}
    project.ledger.documents.write(
        [
            study("words", "survey", 10),
            *seats("words", "ann", "bob"),
            *seats("words", "gone", withdrawn="2026-01-02T00:00:00Z"),
            *seats("words", "hasty", excluded="failed 2 of 2 attention checks"),
            answer("words", "ann", "drop", words),
            answer("words", "bob", "drop", {"effect": "I don't know", "meaning": "  "}),
            answer("words", "bob", "glide", {"effect": "rude words", "meaning": "ruder words"}),
            answer("words", "gone", "drop", {"effect": "WITHDRAWN", "meaning": "WITHDRAWN"}),
            answer("words", "hasty", "drop", {"effect": "EXCLUDED", "meaning": "EXCLUDED"}),
            answer("words", "ann", "check-1", {"effect": "CHECK", "meaning": "CHECK"}, check=True),
            DocumentDraft(
                Kind.LEFT_OUT,
                "words/bob/glide-bob",
                plain(LeftOut(why="inappropriate")),
                "person:Ana",
                study_scope("words"),
            ),
            study("experts", "purpose", 3),
            *seats("experts", "one", "two", "three"),
            *(answer("experts", seat, "drop", {"option": "Feedback"}) for seat in ("one", "two")),
            answer("experts", "three", "drop", {"option": "Transition"}),
            *(
                answer("experts", seat, item, {"option": option})
                for item in ("glide", "spin")
                for seat, option in (("one", "Guidance"), ("two", "Highlight"), ("three", "Aesthetic"))
            ),
            DocumentDraft(
                Kind.SETTLED,
                "experts/spin",
                plain(Settled(given={"option": "Highlight"})),
                "person:Ana",
                study_scope("experts"),
            ),
        ]
    )
    return project


def test_what_people_said_is_exported_and_what_was_filtered_is_noted(answered: Project, tmp_path: Path) -> None:
    change(answered, "spin", {"context": "A player", "start_frame": 3, "end_frame": 9})
    told = give_out(answered, tmp_path / "out", FACTS, "own", fail)
    folder = tmp_path / "out" / "clips"
    clips = {item.id: item for item in load_folder(folder).items if isinstance(item, Clip)}
    assert sorted(clips["drop"].effect_responses) == ["I don't know", "it slides"]
    assert clips["drop"].meaning_responses == ["it is gone"]
    assert clips["glide"].effect_responses == []
    purposes = {name: clip.purpose for name, clip in clips.items()}
    assert purposes == {"drop": "Feedback", "glide": None, "spin": "Highlight"}
    assert (clips["spin"].context, clips["spin"].start_frame, clips["spin"].end_frame) == ("A player", 3, 9)
    whole = "".join(path.read_text("utf-8") for path in folder.glob("*.json*"))
    for word in ("WITHDRAWN", "EXCLUDED", "CHECK", "rude", "ann", "bob"):
        assert word not in whole
    experts, words = json.loads((folder / "study.json").read_text("utf-8"))["studies"]
    assert words["filtered"] == {"empty": {"meaning": 1}, "left out": {"inappropriate": 1}}
    assert (words["people"], words["withdrew"], words["excluded"], words["answers"]) == (2, 1, 1, 2)
    assert (experts["settled"], experts["open"]) == (["spin"], ["glide"])
    # Of 9 labels 8 in 9 pairs differ within items, and 64 in 72 of all pairs.
    assert experts["alpha"] == pytest.approx(1 - (8 / 9) / (64 / 72))
    assert_noted(told.notes, "glide")
    assert_noted(told.notes, "words", "inappropriate", "meaning")
    assert "words" in load_folder(folder).header.provenance
    assert list(check_folder(folder)) == []


def test_flagged_clips_and_those_put_aside_are_left_out(project: Project, tmp_path: Path) -> None:
    change(project, "drop", {"flags": ["personal data"], "note": "a name"})
    change(project, "glide", {"aside": True, "note": "nothing moves"})
    told = write_clips(project, tmp_path / "clips", FACTS)
    assert [item.id for item in load_folder(tmp_path / "clips").items] == ["spin"]
    assert {one.what for one in told.left_out} == {"drop", "glide"}
    assert sorted(told.reasons().values()) == [1, 1]
    assert_noted([one.reason for one in told.left_out], "personal data")
    assert sorted(path.name for path in (tmp_path / "clips" / "media").iterdir()) == ["spin.mp4"]
    change(project, "spin", {"flags": ["sensitive content"]})
    with raises(UserError):
        write_clips(project, tmp_path / "none", FACTS)


def test_the_way_around(answered: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert run_command(["author", "export", str(answered.folder), "-o", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"]["counts"]["clips"] == 3
    assert run_command(["data", "check", str(out)]) == 0
    run = [
        "run",
        "motion/purpose",
        "--data",
        str(out),
        "--model",
        "baseline:first",
        "--ledger",
        str(tmp_path / "l.db"),
    ]
    assert run_command(run) == 0
