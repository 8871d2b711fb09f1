"""Error reviews: failed attempts of real runs with all that belongs to them, and what a report says of the tags."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from affordance import media
from affordance.author.project import About, Project
from affordance.author.study_records import Study
from affordance.core.attempts import AttemptResult
from affordance.core.errors import UserError
from affordance.core.media_spec import GREEN, RED
from affordance.core.model_name import ModelName
from affordance.datasets.taxonomies import PURPOSES
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.judging.sampling import failure_kind
from affordance.ledger import open_ledger
from affordance.report.page.html_report import html_report
from affordance.report.result_row import ResultRow
from affordance.report.results import read_results
from affordance.report.rows import rows_of_runs
from affordance.stats import wilson_interval
from affordance.studio.studies.forms import TagsForm
from affordance.studio.studies.made_of_runs import study_of_errors
from affordance.studio.studies.registry import source_of
from affordance.studio.studies.sheets import Film, Sheet, Slot, Source, Still, Text
from affordance.tasks.registry import resolve_tasks
from errors import assert_carries, raises
from function_data import captured_screen, pixel, plain_outcomes, target, write_captured
from motion_data import THINGS, clip, write_clips
from report_ledgers import REFUSED, TRUNCATED, UNPARSED, Plan, fill, still
from study_answers import keep_study, take_part

RANDOM = ModelName.parse("baseline:random")
PIXELS = ModelName.parse("baseline:pixels")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with runs on clips and on screens, by who does not look."""
    folder = tmp_path_factory.mktemp("failed")
    screens = [
        captured_screen(
            name, targets=[target(f"{name}-{n}", box=pixel(20 + 52 * n, 20, 60 + 52 * n, 60)) for n in (0, 3)]
        )
        for name in ("home", "cart")
    ]
    set_ = write_captured(folder / "set", screens, [one for each in screens for one in plain_outcomes(each)])
    clips = write_clips(folder / "clips", *(clip(thing, purpose=PURPOSES[0]) for thing in THINGS), frames=40)
    for name, tasks, data, models in (
        ("moving", ["motion/purpose"], clips, (RANDOM,)),
        ("pointing", ["function/ground-element"], set_, (RANDOM, PIXELS)),
    ):
        settings = RunConfig(tasks=tuple(resolve_tasks(tasks)), trials=1)
        request = RunRequest(settings, data, models, str(folder / "ledger.db"), folder / "pictures", name)
        assert execute_run(request)[1].complete
    return folder


@pytest.fixture
def project(world: Path, tmp_path: Path) -> Iterator[Project]:
    (tmp_path / "ledger.db").write_bytes((world / "ledger.db").read_bytes())
    with open_ledger(tmp_path / "ledger.db") as ledger:
        yield Project(tmp_path, About(format=1, id="x", name="x", database="sqlite"), ledger)


def made(project: Project, run: str, number: int = 100, **how: Any) -> tuple[Study, Source]:
    study = study_of_errors(project.ledger, "review", run, number, **{"per_item": 2, **how})
    keep_study(project.ledger, study)
    return study, source_of(study, project)


def outcomes(project: Project, run: str) -> dict[str, AttemptResult]:
    return {one.attempt_id: one for one in project.ledger.attempt_results(project.ledger.find_run(run).id)}


@dataclass(frozen=True, slots=True)
class Texts:
    """What a sheet says, by its place: on pictures that are missing, what was read, the truth, and what was asked and
    said. Each has a label; notes have none."""

    missing: list[str]
    read: str
    truth: str
    prompt: str
    reply: str
    notes: list[str]


def texts(sheet: Sheet) -> Texts:
    blocks = [block for block in sheet.blocks if isinstance(block, Text)]
    *missing, read, truth, prompt, reply = (block.text for block in blocks if block.label)
    return Texts(missing, read, truth, prompt, reply, [block.text for block in blocks if not block.label])


def test_an_attempt_at_a_clip(project: Project) -> None:
    """Its frames as a film, what was asked and said, what was read and what is right."""
    _, source = made(project, "moving")
    slot = source.slots()[0]
    sheet, outcome = source.sheet(slot), outcomes(project, "moving")[slot.item]
    (film,) = (block for block in sheet.blocks if isinstance(block, Film))
    (step,) = project.ledger.steps_of([slot.item])[slot.item]
    assert len(film.frames) == json.dumps(json.loads(step.transcript)).count('"picture"') > 5
    assert film.rate == 10
    images = media.render(film.frames[:1], sheet.files)
    height, width = media.decode_image(images[0]).shape[:2]
    assert (width, height) == film.size
    said = texts(sheet)
    assert "A." in said.prompt
    assert said.reply == step.response.text
    assert outcome.verdict is not None
    assert said.read.startswith(f"{outcome.verdict.answer} (")
    assert said.truth == outcome.truth
    assert sheet.form == TagsForm()
    assert "baseline" not in json.dumps([sheet.heading, sheet.instruction, asdict(said)])


def test_an_attempt_at_a_place(project: Project) -> None:
    """The picture as the model got it, and once more with the truth and the answer on it."""
    _, source = made(project, "pointing")
    sheet = source.sheet(source.slots()[0])
    plain, marked = (block for block in sheet.blocks if isinstance(block, Still))
    assert (plain.size, marked.size) == ((480, 320), (480, 320))
    before, after = (media.decode_image(image) for image in media.render([plain.picture, marked.picture], sheet.files))
    colours = {tuple(colour) for colour in after[(before != after).any(axis=2)].tolist()}
    assert colours == {GREEN, RED}


def test_every_failure_and_nothing_else(project: Project) -> None:
    study, source = made(project, "pointing")
    failed = {name for name, one in outcomes(project, "pointing").items() if failure_kind(one)}
    assert failed == set(study.drawn) == {slot.item for slot in source.slots()}
    assert len(source.slots()) == 2 * len(failed)
    assert all(texts(source.sheet(slot)).truth for slot in source.slots())


def test_a_file_that_is_gone_is_told_in_its_place(tmp_path: Path) -> None:
    path = still(tmp_path / "shop.png")
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fill(ledger, Plan({"m:m": (REFUSED, TRUNCATED, UNPARSED)}, files=[path], items=3, trials=1))
    with open_ledger(tmp_path / "ledger.db") as ledger:
        project = Project(tmp_path, About(format=1, id="x", name="x", database="sqlite"), ledger)
        _, source = made(project, "first", per_item=1)
        whole = [source.sheet(slot) for slot in source.slots()]
        assert all(isinstance(sheet.blocks[0], Still) for sheet in whole)
        path.unlink()
        sheets = [source.sheet(slot) for slot in source.slots()]
    for sheet in sheets:
        (missing,) = texts(sheet).missing
        assert_carries(missing, 1, "shop.png")
        assert str(tmp_path) not in json.dumps(asdict(texts(sheet)))
    assert {texts(sheet).read for sheet in sheets} == {texts(sheet).read for sheet in whole}
    assert len({texts(sheet).read for sheet in sheets}) == 3, "refused, truncated and unparsed are told apart"
    assert sorted(len(texts(sheet).notes) for sheet in sheets) == [0, 0, 1], "on the reply that was cut"


def test_values(project: Project) -> None:
    _, source = made(project, "pointing")
    given = {"tags": ["Too  small", "blind "], "note": "x"}
    assert source.values(given, source.slots()[0]) == {"tags": ["blind", "too small"]}


def test_another_run_of_that_name(project: Project) -> None:
    study, _ = made(project, "moving")
    other = study.model_copy(update={"drawn": {"0" * 32: 1.0}})
    with raises(UserError, 1, "'moving'", 0):
        source_of(other, project)


def reported(project: Project, run: str) -> tuple[list[ResultRow], str]:
    results = read_results(project.ledger, [project.ledger.find_run(run)])
    rows = rows_of_runs(results)
    return rows, html_report(results, rows)


def test_what_a_report_says(project: Project) -> None:
    rows, page = reported(project, "pointing")
    assert {row.reviews for row in rows} == {()}
    assert 'id="reviews"' not in page
    study, source = made(project, "pointing")
    of_random = {name for name, one in outcomes(project, "pointing").items() if one.model == str(RANDOM)}

    def first(slot: Slot) -> Mapping[str, Any]:
        return {"tags": ["Guessed", "<b>off</b>"] if slot.item in of_random else ["Middle"], "note": ""}

    def second(slot: Slot) -> Mapping[str, Any]:
        return {"tags": ["guessed"] if slot.item in of_random else ["middle "]}

    take_part(project.ledger, study, source, {"ada": first, "bo": second})
    rows, page = reported(project, "pointing")
    (review,) = rows[0].reviews
    assert all(row.reviews == rows[0].reviews for row in rows)
    failures = len(study.drawn)
    assert (review.study, review.drawn, review.failures) == ("review", failures, failures)
    assert (review.found.n, review.found.reviewers) == (failures, 2)
    tags = {one.tag.casefold(): one for one in review.found.tags}
    share = sum(name in of_random for name in study.drawn) / failures
    assert tags["guessed"].share == pytest.approx(share)
    assert tags["guessed"].interval == pytest.approx(wilson_interval(share, failures))
    assert tags["guessed"].by_model == {str(PIXELS): 0.0, str(RANDOM): 1.0}
    assert tags["<b>off</b>"].share == pytest.approx(share / 2), "one of two said so"
    assert (tags["guessed"].kappa, tags["<b>off</b>"].kappa) == (pytest.approx(1.0), pytest.approx(0.0))
    assert review.found.agreement is not None
    assert review.found.agreement.equal == pytest.approx(1 - share)
    assert json.loads(json.dumps(rows[0].to_json()))["reviews"][0]["found"]["tags"][0]["tag"] in ("Guessed", "Middle")
    assert 'id="reviews"' in page
    assert "&lt;b&gt;off&lt;/b&gt;" in page.replace("<wbr>", "")
    assert "<b>off" not in page


def test_a_review_that_is_not_finished(project: Project) -> None:
    """What nobody has looked at is made up for by failures of the same kind; nobody's answers, nobody's numbers."""
    study, source = made(project, "pointing", per_item=1, synthetic=True)
    failed = {name: one.model for name, one in outcomes(project, "pointing").items() if name in study.drawn}
    of_random = [name for name, model in failed.items() if model == str(RANDOM)]
    of_pixels = [name for name in failed if name not in of_random]
    said = {of_pixels[0]: "alike", of_random[0]: "blind", of_random[1]: "blind"}
    take_part(
        project.ledger,
        study,
        source,
        {"ada": lambda slot: {"tags": [said[slot.item]] if slot.item in said else [], "note": "later"}},
    )
    (row, *_), page = reported(project, "pointing")
    (review,) = row.reviews
    assert (review.found.n, review.drawn, review.found.agreement) == (3, len(failed), None)
    shares = {one.tag: one.share for one in review.found.tags}
    assert shares == pytest.approx({"alike": len(of_pixels) / len(failed), "blind": len(of_random) / len(failed)})
    assert (review.found.reviewers, review.synthetic) == (1, True)
    assert f"3 of {len(failed)} " in page
