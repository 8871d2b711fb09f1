"""Surveys of what animations show and mean, and of what they are for: what people are shown stays as it was."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from affordance.author.clips.export import write_clips
from affordance.author.exchange.results import Facts
from affordance.author.project import Project, open_project, plain
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.errors import UserError
from affordance.datasets.taxonomies import PURPOSES
from affordance.ledger import DocumentDraft
from affordance.media import render
from affordance.models.study_documents import study_scope
from affordance.studio.studies.forms import ChoiceForm, WordsForm
from affordance.studio.studies.made_of_clips import purpose_study, survey_study
from affordance.studio.studies.registry import source_of
from affordance.studio.studies.sheets import Film, Text
from affordance.studio.studies.sources.purpose import Purpose
from affordance.studio.studies.sources.survey import Survey
from affordance.tasks.motion.cues import NO_INPUT
from clip_world import FRAMES, change, clip_project
from errors import raises
from studio_world import serving

FACTS = Facts("My clips", "CC0-1.0", synthetic=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that is copied for each test: to make one takes longer."""
    made = clip_project(tmp_path_factory.mktemp("sources") / "project")
    with open_project(made) as opened:
        change(opened, "drop", {"context": "A bin", "inputs": [{"summary": "drags a file"}], "purpose": "Feedback"})
    return made


@pytest.fixture
def project(folder: Path, tmp_path: Path) -> Iterator[Project]:
    shutil.copytree(folder, tmp_path / "project")
    with open_project(tmp_path / "project") as opened:
        yield opened


def surveyed(project: Project) -> tuple[Study, Survey]:
    study = survey_study(project, "words")
    found = source_of(study, project)
    assert isinstance(found, Survey)
    return study, found


def test_ten_people_for_each_clip_and_ten_clips_for_each(project: Project) -> None:
    study, survey = surveyed(project)
    assert (study.per_item, study.per_person) == (10, 10)
    slots = survey.slots()
    assert len({slot.id for slot in slots}) == len(slots) == 30
    assert [(slot.item, slot.turn) for slot in slots[:11]] == [*(("drop", turn) for turn in range(10)), ("glide", 0)]
    assert [slot.id for slot in slots] == [slot.id for slot in source_of(study, project).slots()]


def test_clips_with_a_flag_and_those_put_aside_are_in_no_study(project: Project) -> None:
    change(project, "drop", {"flags": ["sensitive content"]})
    change(project, "spin", {"aside": True, "note": "no animation"})
    assert set(survey_study(project, "words").items) == {"glide"}
    change(project, "glide", {"flags": ["personal data"]})
    with raises(UserError):
        purpose_study(project, "experts")


def test_what_people_are_shown(project: Project) -> None:
    _, survey = surveyed(project)
    sheet = survey.sheet(survey.slots()[0])
    film, context, input_ = sheet.blocks
    assert isinstance(film, Film)
    assert isinstance(sheet.form, WordsForm)
    assert [one.name for one in sheet.form.fields] == ["effect", "meaning"]
    assert isinstance(context, Text)
    assert isinstance(input_, Text)
    assert (context.text, input_.text) == ("A bin", "drags a file")
    assert context.label
    assert input_.label
    assert (len(film.frames), film.drawn, len(film.attend)) == (FRAMES, (9, 16), 1)
    assert max(film.attend[0].xyxy) <= 1
    assert len(render(film.frames[:2], sheet.files)) == 2
    assert "Feedback" not in str(asdict(sheet))
    bare = survey.sheet(survey.slots()[10])
    assert [block.text for block in bare.blocks if isinstance(block, Text)] == []
    change(project, "glide", {"inputs": [], "regions": []})
    other = source_of(survey_study(project, "again"), project)
    blocks = other.sheet(other.slots()[10]).blocks
    assert isinstance(blocks[-1], Text)
    assert (blocks[-1].text, blocks[-1].label) == (NO_INPUT, input_.label)
    assert isinstance(blocks[0], Film)
    assert (blocks[0].attend, blocks[0].drawn) == ((), None)


def test_what_is_shown_stays_as_it_was(project: Project) -> None:
    study, survey = surveyed(project)
    slot = survey.slots()[0]
    before = survey.sheet(slot)
    assert survey.changed() == []
    change(project, "drop", {"context": "Another text", "start_frame": 1})
    change(project, "glide", {"done": True, "note": "seen"})
    change(project, "spin", {"flags": ["personal data"]})
    again = source_of(study, project)
    assert isinstance(again, Survey)
    assert again.sheet(slot) == before
    assert again.changed() == survey.changed() == ["drop", "spin"]


def test_a_video_that_is_another_one_stops_the_study(project: Project) -> None:
    study, survey = surveyed(project)
    (path,) = survey.sheet(survey.slots()[0]).files.values()
    kept = path.read_bytes()
    assert not survey.stale()
    path.write_bytes(kept[:-1])
    assert survey.stale()
    with raises(UserError, path.name) as other:
        source_of(study, project)
    path.unlink()
    with raises(UserError, path.name) as none:
        source_of(study, project)
    assert str(other.value) != str(none.value)
    path.write_bytes(kept)
    source_of(study, project)


def test_purposes_with_definitions_and_three_examples_each(project: Project) -> None:
    study = purpose_study(project, "experts")
    assert (study.per_item, study.per_person) == (3, None)
    purpose = source_of(study, project)
    assert isinstance(purpose, Purpose)
    slot = purpose.slots()[0]
    sheet = purpose.sheet(slot)
    assert isinstance(sheet.form, ChoiceForm)
    assert [option.name for option in sheet.form.options] == list(PURPOSES)
    assert all(option.definition for option in sheet.form.options)
    places = [place for option in sheet.form.options for place in option.examples]
    assert places == list(range(3, 3 + 3 * len(PURPOSES)))
    for place in places:
        film = sheet.blocks[place]
        assert isinstance(film, Film)
        assert film.frames[0].source in sheet.files
    assert purpose.values({"option": "Guidance", "reason": "it points"}, slot) == {"purpose": "Guidance"}
    assert purpose.values({"reason": "?"}, slot) == {}
    assert purpose.changed() == []


def test_through_the_studio(project: Project, tmp_path: Path) -> None:
    """The same through the addresses that pages ask."""
    for study in (survey_study(project, "words"), purpose_study(project, "experts")):
        made = study.model_copy(update={"tutorial": False})
        project.ledger.documents.write(
            [DocumentDraft(Kind.STUDY, made.name, plain(made), "studio", study_scope(made.name))]
        )
    with serving(project.folder) as server:
        for name, kind in (("words", "words"), ("experts", "choice")):
            page = server.get(f"/study/{name}", server.page())
            assert page.status == 200
            view = server.get(f"/api/study/{name}", server.page()).json
            assert len(view["slots"]) == 3
            sheet = server.get(f"/api/study/{name}/sheet", server.page(), slot=view["slots"][0]["id"]).json
            assert sheet["form"]["kind"] == kind
            assert sheet["blocks"][0]["kind"] == "film"
            reel = server.get(sheet["blocks"][0]["src"], server.page()).body
            length = int.from_bytes(reel[:4], "big")
            assert len(json.loads(reel[4 : 4 + length])["sizes"]) == FRAMES
        seen = server.get("/api/study/words", server.page()).json
        name = f"{seen['code']}/{seen['slots'][0]['id']}"
        given = {"effect": "a quagga leaps", "meaning": "I don't know"}
        edit = {"kind": "answer", "name": name, "after": 0, "set": {"given": given, "seconds": 3.5}}
        sent = {"screen": study_scope("words"), "key": "a" * 32, "edits": [edit]}
        assert server.post("/api/answers", sent).json["state"] == "saved"
        with open_project(project.folder, read_only=True) as now:
            told = write_clips(now, tmp_path / "before", FACTS)
        assert (told.counts["descriptions of effects"], told.counts["descriptions of meanings"]) == (1, 1)
        assert "quagga" in (tmp_path / "before" / "items.jsonl").read_text("utf-8")
        assert server.post("/api/study/words/withdraw", {}).status == 200
    with open_project(project.folder, read_only=True) as now:
        told = write_clips(now, tmp_path / "after", FACTS)
    assert told.counts["descriptions of effects"] == 0
    assert not any(b"quagga" in path.read_bytes() for path in (tmp_path / "after").rglob("*.json*"))
    (words,) = (
        one for one in json.loads((tmp_path / "after" / "study.json").read_text())["studies"] if one["form"] == "survey"
    )
    assert (words["people"], words["withdrew"], words["answers"]) == (0, 1, 0)


def test_of_a_dataset_a_project_is_made_once(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_clips(project, tmp_path / "data", FACTS)
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        with serving(tmp_path / "data") as server:
            assert "My-clips-project" in server.errors
            assert len(server.get("/api/clips", server.page()).json["clips"]) == 3
    with open_project(tmp_path / "My-clips-project") as made:
        assert (made.about.name, made.about.licence, made.about.synthetic) == ("My clips", "CC0-1.0", True)
        assert len(made.ledger.documents.history(Kind.CLIP, "drop")) == 1
