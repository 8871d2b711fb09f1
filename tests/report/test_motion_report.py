"""The motion suite as it is shown: cues against none, votes, unrelated interpretations, clips as models saw them."""

import json
import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from scipy.stats import binomtest, mannwhitneyu, rankdata
from typer.testing import CliRunner

from affordance.cli.main import app
from affordance.core.attempts import AttemptResult
from affordance.core.digest import digest
from affordance.core.model_name import ModelName
from affordance.core.question import Question, SingleChoice
from affordance.datasets import DatasetCollection, load_collection
from affordance.datasets.taxonomies import PURPOSES
from affordance.evaluation.plan import build_plan
from affordance.evaluation.reference_summaries import write_missing_summaries
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.report.page.html_report import html_report
from affordance.report.report_tables import print_rows
from affordance.report.result_row import ResultRow
from affordance.report.results import read_results
from affordance.report.rows import build_rows
from affordance.report.views.task_tables import labelled_results
from affordance.tasks.motion.cues import ALL_CUE_SETS, cue_set_name
from affordance.tasks.motion.views import majority_vote_table, unrelated_table, visibility_table
from affordance.tasks.registry import resolve_tasks
from animint_files import record, write_set
from cases import numbers_in

CLIPS = 9
SIZES = [0.1 + 0.05 * index for index in range(CLIPS)]  # of the animation, as a share of the screen
TRUTHS = [PURPOSES[index % len(PURPOSES)] for index in range(CLIPS)]
OFFLINE = "baseline:overlap"
RUN = "asked"
FORMS = [cue_set_name(cues) for cues in ALL_CUE_SETS]
PURPOSE, MEANING = "motion/purpose", "motion/meaning"
HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)>"


def item(index: int) -> str:
    return f"{index:06d}_000000"


def published(folder: Path) -> DatasetCollection:
    """Nine clips in the published layout, of the sizes above. There are hostile words in the first."""
    records = [
        record(
            index,
            purpose_category=TRUTHS[index],
            ROI=[{"box": [0.0, 0.0, 1.0, SIZES[index]]}],
            meaning_human_responses=[
                f"Step {index} of a long way is done, so say all of us {who}." for who in range(3)
            ],
        )
        for index in range(CLIPS)
    ]
    records[0] |= {"context_summary": HOSTILE}
    records[0]["meaning_human_responses"][0] += HOSTILE
    return load_collection(write_set(folder, records))


def request_of(
    folder: Path, data: DatasetCollection, tasks: Sequence[str], models: Sequence[str], **settings: Any
) -> RunRequest:
    judged = {"judge": OFFLINE, "summarizer": OFFLINE} if MEANING in tasks else {}
    return RunRequest(
        config=RunConfig(tasks=tuple(resolve_tasks(tasks)), **judged, **settings),
        data=data,
        models=tuple(ModelName.parse(model) for model in models),
        ledger=str(folder / "ledger.db"),
        render_cache=folder / "pictures",
        name=RUN,
    )


def asked(request: RunRequest) -> Path:
    _, progress = execute_run(request)
    assert progress.complete, progress
    return Path(request.ledger)


def replayed(path: Path, replies: Mapping[str, str], by: str = "item") -> str:
    """A model that says this."""
    path.write_text("".join(json.dumps({by: key, "reply": said}) + "\n" for key, said in replies.items()))
    return f"replay:{path}"


def chance(question: Question) -> float:
    """Between 0 and 1, and always the same for a question."""
    return int(digest("chance", question.id)[:8], 16) / 16**8


def helped(question: Question) -> str:
    """What a model says whom cues help: it takes purposes and tells more of a meaning, the more cues there are."""
    cues = len(question.axes["cues"])  # type: ignore[arg-type]
    if not isinstance(question.answer_format, SingleChoice):
        words = f"Step {int(question.item[:6])} of a long way is done, so say all of us".split()
        return " ".join(words[: 1 + round((0.2 + 0.3 * chance(question) + (0, 0, 0.1, 0.4)[cues]) * len(words))])
    right = chance(question) < (0.0, 0.4, 0.7, 1.0)[cues]
    return question.truth if right else next(name for name in PURPOSES if name != question.truth)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Purposes and meanings with all cues, by baselines and by a model that cues help."""
    folder = tmp_path_factory.mktemp("motion")
    models = ["baseline:random", "baseline:first", "baseline:people", "oracle"]
    tasks = [PURPOSE, MEANING]
    request = request_of(folder, published(folder / "set"), tasks, models, cues=ALL_CUE_SETS, reference="both")
    write_missing_summaries(request, OFFLINE)
    questions = build_plan(request.config, request.data).questions().values()
    model = replayed(folder / "helped.jsonl", {one.id: helped(one) for one in questions}, by="question")
    return asked(replace(request, models=(*request.models, ModelName.parse(model))))


def rows_in(ledger: Path, task: str = "") -> list[ResultRow]:
    with open_ledger(str(ledger), read_only=True) as opened:
        return build_rows(opened, [opened.find_run(RUN)], [task] if task else [])


def outcomes_in(ledger: Path, task: str) -> list[AttemptResult]:
    with open_ledger(str(ledger), read_only=True) as opened:
        return [one for one in opened.attempt_results(opened.find_run(RUN).id) if one.task == task]


def page_of(ledger: Path) -> str:
    with open_ledger(str(ledger), read_only=True) as opened:
        runs = [opened.find_run(RUN)]
        return html_report(read_results(opened, runs), build_rows(opened, runs))


@pytest.fixture(scope="module")
def page(ledger: Path) -> str:
    return page_of(ledger)


def section_of(page: str, task: str) -> str:
    (found,) = [part for part in page.split("<section")[1:] if f'data-task="{task}"' in part]
    return found


def cells_of(section: str, key: str, title: str = "") -> list[list[str]]:
    """The lines of a table, as text; the first of those with a title that ends so."""
    where = re.split(f"{re.escape(title)}(?:@[^<]*)?</h3>", section, maxsplit=1)[-1] if title else section
    table = where.partition(f'<table data-table="{key}">')[2].partition("</table>")[0]
    lines = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.DOTALL) for line in lines]
    return [[unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in line] for line in cells]


def scores_by_form(ledger: Path, task: str, model: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {form: {} for form in FORMS}
    for one in outcomes_in(ledger, task):
        if one.model == model:
            assert one.verdict is not None
            assert one.verdict.counted_score is not None
            found[one.tags["cues"]][one.item_id] = one.verdict.counted_score
    return found


def mcnemar(differences: Sequence[float]) -> float:
    """By the binomial test of another library."""
    wins, losses = sum(one > 0 for one in differences), sum(one < 0 for one in differences)
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


def wilcoxon(differences: Sequence[float]) -> float:
    """With Pratt's zeros, over all signs that there could be."""
    values = np.round(differences, 9)
    ranks = rankdata(np.abs(values))[values != 0]
    if not len(ranks):
        return 1.0
    seen = abs(float(np.sign(values[values != 0]) @ ranks))
    signs = np.array(list(product((-1, 1), repeat=len(ranks))))
    return float(np.mean(np.abs(signs @ ranks) >= seen - 1e-9))


def holm(values: Sequence[float]) -> list[float]:
    """By its definition: the largest of all that are not larger, each times the number of those from it on."""
    return [
        min(1.0, max(other * sum(one >= other for one in values) for other in values if other <= value))
        for value in values
    ]


TESTS = {PURPOSE: mcnemar, MEANING: wilcoxon}


@pytest.mark.parametrize("task", TESTS)
def test_cues_are_compared_with_none(ledger: Path, page: str, task: str) -> None:
    model = "replay:helped.jsonl"
    found = scores_by_form(ledger, task, model)
    ps = {
        form: TESTS[task]([found[form][clip] - found["none"][clip] for clip in found["none"]])
        for form in FORMS
        if form != "none"
    }
    adjusted = dict(zip(ps, holm(list(ps.values())), strict=True))
    _, *lines = cells_of(section_of(page, task), "cues", model)
    of_model = {line[0]: line for line in lines}
    assert next(iter(of_model)) == "none"
    assert set(of_model) == set(FORMS)
    assert list(map(len, (form.split("+") for form in list(of_model)[1:]))) == [1, 1, 1, 2, 2, 2, 3]
    assert of_model["none"][3:] == ["–"] * 4
    for form, p in ps.items():
        mean, base = (np.mean(list(found[one].values())) for one in (form, "none"))
        line = dict(zip(("share", "points", "p", "holm"), (of_model[form][at] for at in (1, 3, 5, 6)), strict=True))
        assert line["share"] == f"{100 * mean:.1f}"
        assert line["points"] == f"{100 * (mean - base):+.1f}"
        assert line["p"] == written(p)
        assert line["holm"] == written(adjusted[form])
    assert min(adjusted.values()) < 0.05, "there is something to find"
    assert max(ps.values()) > 0.05


def written(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def test_the_terminal_has_the_same_table(ledger: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(rows_in(ledger))
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 100
    for task in (PURPOSE, MEANING):
        for cells in cells_of(section_of(page, task), "cues")[1:]:
            assert re.search(r"^" + r"\s+".join(map(re.escape, cells)) + r"\s*$", shown, re.MULTILINE), cells


def test_only_the_usual_cues_are_shown_in_full(ledger: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert re.findall(r'data-form="(.*?)"', page) == ["context", "context"]
    print_rows(rows_in(ledger))
    assert re.findall(r"^motion/\w+ \((.*?)\) on ", capsys.readouterr().out, re.MULTILINE) == ["context", "context"]


def test_the_json_report_has_all_rows(ledger: Path) -> None:
    result = CliRunner().invoke(app, ["report", "--ledger", str(ledger), "--run", RUN, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    models = {row["model"] for row in found}
    assert len(models) == 5
    assert {(row["task"], row["model"], row["form"]) for row in found} == {
        (task, model, form) for task in (PURPOSE, MEANING) for model in models for form in FORMS
    }
    for row in found:
        against = [one["form"] for one in row["differences"]]
        scored = row["n"] > 0
        assert against == (["none"] if scored and row["form"] != "none" else []), row["model"]


def test_a_report_on_everything_leaves_summaries_out(ledger: Path) -> None:
    """The run in which summaries were written is in the ledger too."""
    result = CliRunner().invoke(app, ["report", "--ledger", str(ledger), "--json"])
    assert result.exit_code == 0, result.output
    assert {row["run"] for row in json.loads(result.stdout)} == {RUN}
    with open_ledger(str(ledger), read_only=True) as opened:
        runs = [one.run for one in opened.run_summaries()]
        assert len(runs) == 2
        assert f'data-task="{MEANING}"' in html_report(read_results(opened, runs), build_rows(opened, runs))


def test_confusions_are_over_all_seven_purposes(page: str) -> None:
    section = section_of(page, PURPOSE).partition('<div class="matrices">')[2]
    models = re.findall(r'<details class="matrix" data-model="(.*?)"', section)
    tables = [re.findall(r'<th scope="col" class="answer">(.*?)</th>', one) for one in section.split("<details")[1:]]
    assert len(models) == 4, "nobody whom it could not be asked of"
    assert all(one[:7] == list(PURPOSES) and len(one) == 8 for one in tables[:4])
    assert "oracle:default" in models
    assert "confusion" not in section_of(page, MEANING)


def strips_of(page: str) -> list[list[tuple[str, np.ndarray]]]:
    """The filmstrips of a page: captions and pixels, RGB."""
    found = []
    for strip in re.findall(r'<div class="filmstrip">(.*?)</div>', page, re.DOTALL):
        figures = re.findall(r'src="data:image/webp;base64,(.*?)".*?<figcaption>(.*?)</figcaption>', strip)
        pixels = [cv2.imdecode(np.frombuffer(b64decode(data), np.uint8), cv2.IMREAD_COLOR) for data, _ in figures]
        found.append([(caption, image[:, :, ::-1]) for (_, caption), image in zip(figures, pixels, strict=True)])
    return found


def is_boxed(pixels: np.ndarray) -> bool:
    """Whether there is a green line along the upper edge, where the region of each clip begins."""
    red, green, blue = (float(pixels[0, :, channel].mean()) for channel in range(3))
    return green > 200 and max(red, blue) < 100


# The animation runs from frame 6 to frame 20 of 24, at 60 frames per second.
def test_a_clip_is_shown_as_the_models_saw_it(page: str) -> None:
    strips = strips_of(page)
    assert len(strips) >= CLIPS
    for strip in strips:
        boxed = {caption: is_boxed(pixels) for caption, pixels in strip}
        assert boxed == {"0.0 s": False, "0.1 s": True, "0.2 s": True, "0.3 s": True}


def test_a_video_is_shown_as_some_of_its_frames(tmp_path: Path) -> None:
    request = request_of(tmp_path, published(tmp_path / "set"), [PURPOSE], ["oracle"], input="video", limit=1)
    shown = page_of(asked(request))
    (strip,) = strips_of(shown)
    assert len(strip) == 10
    assert [is_boxed(pixels) for _, pixels in strip][:: len(strip) - 1] == [False, False]
    assert sum(is_boxed(pixels) for _, pixels in strip) == sum(6 <= round(23 * at / 9) <= 20 for at in range(10))
    assert 'data-sent="video" data-frames="10"' in shown


def test_hostile_words_are_text(page: str, tmp_path: Path) -> None:
    assert "alert(" in page
    assert page.count("<script") == 2, "the index and our own"
    assert "<img src=x" not in page
    replies = {item(index): f"{TRUTHS[index]} {HOSTILE}" for index in range(CLIPS)}
    model = replayed(tmp_path / "<b>bold</b>.jsonl".replace("/", "∕"), replies)
    shown = page_of(asked(request_of(tmp_path, published(tmp_path / "set"), [PURPOSE], [model])))
    assert "&lt;script&gt;alert" in shown
    assert shown.count("<script") == 2
    assert "<b>bold" not in shown


# What four models say of each clip: right, wrong in one way or another, or nothing that can be read. More than half of
# four is three.
BALLOTS = {
    "RRRR": "right",  # and all agree
    "RRRW": "right",
    "RRRN": "right",
    "RRWW": "none",
    "RRNN": "none",  # half of those who vote for anything is not enough
    "WWWW": "wrong",  # all agree
    "WWWR": "wrong",
    "RWXN": "none",
    "NNNN": "none",  # all give no answer, and do not agree on anything
}


def ballot(letter: str, index: int) -> str:
    place = PURPOSES.index(TRUTHS[index])
    return {
        "R": TRUTHS[index],
        "W": PURPOSES[(place + 1) % 7],
        "X": PURPOSES[(place + 2) % 7],
        "N": "It is hard to say.",
    }[letter]


@pytest.fixture(scope="module")
def voted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four models, and one that knows the truth."""
    folder = tmp_path_factory.mktemp("voted")
    models = [
        replayed(
            folder / f"{name}.jsonl",
            {item(index): ballot(letters[place], index) for index, letters in enumerate(BALLOTS)},
        )
        for place, name in enumerate("abcd")
    ]
    return asked(request_of(folder, published(folder / "set"), [PURPOSE], [*models, "oracle"]))


def test_the_majority_is_more_than_half_of_all_voters(voted: Path) -> None:
    table = majority_vote_table(labelled_results(rows_in(voted, PURPOSE), outcomes_in(voted, PURPOSE)))
    assert table is not None
    assert numbers_in(table.headings()[1]) == [9]
    # The majority is right, is wrong, is none; all agree, and are right.
    expected = [("3", "33.3"), ("2", "22.2"), ("4", "44.4"), ("2", "22.2"), ("1", "11.1")]
    assert [cells for _, *cells in table.texts()] == [list(one) for one in expected]
    assert numbers_in(table.notes[0])[0] == 4, "the oracle does not vote"


def test_sizes_are_compared_where_the_majority_is_right_and_where_there_is_none(voted: Path) -> None:
    """10, 15 and 20% of the screen against 25, 30, 45 and 50%: the most extreme of 35 orders, on either side."""
    right, none = (
        [SIZES[index] for index, kind in enumerate(BALLOTS.values()) if kind == wanted] for wanted in ("right", "none")
    )
    p = mannwhitneyu(right, none, method="exact").pvalue
    assert p == pytest.approx(2 / 35)
    table = majority_vote_table(labelled_results(rows_in(voted, PURPOSE), outcomes_in(voted, PURPOSE)))
    assert table is not None
    assert numbers_in(table.notes[0])[-5:] == [15.0, 37.5, 0.057, 3, 4]
    assert unescape(table.notes[0]) in unescape(section_of(page_of(voted), PURPOSE))


def test_what_was_not_shown_is_told_from_what_was_not_understood(voted: Path) -> None:
    outcomes = outcomes_in(voted, PURPOSE)
    found = visibility_table(labelled_results(rows_in(voted, PURPOSE), outcomes))
    assert found is not None
    lines = {name: cells for name, *cells in found.texts()}
    assert lines["oracle:default"][1:] == ["0", "0", "0", "0"], "nothing is wrong"
    (first, *_) = (cells for name, *cells in found.texts() if name.startswith("replay"))
    assert int(first[1]) == sum(map(int, first[2:])) > 0
    bare = [replace(one, tags={"purpose": one.truth}) for one in outcomes]
    assert visibility_table(labelled_results(rows_in(voted, PURPOSE), bare)) is None, "where nobody said when it runs"


def test_two_models_are_no_vote(voted: Path) -> None:
    found, outcomes = rows_in(voted, PURPOSE), outcomes_in(voted, PURPOSE)
    few = [row for row in found if row.model in ("replay:a.jsonl", "replay:b.jsonl", "oracle:default")]
    assert majority_vote_table(labelled_results(few, outcomes)) is None


def test_models_that_were_asked_about_different_clips_are_no_vote(voted: Path) -> None:
    """As where each could not be shown some of them."""
    models = [f"replay:{name}.jsonl" for name in "abcd"]
    apart = [
        one
        for one in outcomes_in(voted, PURPOSE)
        if one.item_id == item(models.index(one.model) if one.model in models else 8)
    ]
    assert {one.model for one in apart} >= set(models)
    assert majority_vote_table(labelled_results(rows_in(voted, PURPOSE), apart)) is None


# Which clips each of two models tells something unrelated of. Clips 0 and 7 are transitions, 1 and 8 demonstrations.
UNRELATED = {"a": {0}, "b": {1, 7}}


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interpreted")
    models = [
        replayed(
            folder / f"{name}.jsonl",
            {item(index): "Zebras." if index in clips else f"Step {index} is done." for index in range(CLIPS)},
        )
        for name, clips in UNRELATED.items()
    ]
    request = request_of(folder, published(folder / "set"), [MEANING], [*models, "baseline:people", "baseline:random"])
    write_missing_summaries(request, OFFLINE)
    return asked(request)


def told(ledger: Path, **renamed: str) -> dict[str, tuple[str, ...]]:
    found = [row for row in rows_in(ledger, MEANING) if row.model != "baseline:random"]
    short = {f"replay:{name}.jsonl": new for name, new in renamed.items()}
    outcomes = [replace(one, model=short.get(one.model, one.model)) for one in outcomes_in(ledger, MEANING)]
    renamed_rows = [replace(row, model=short.get(row.model, row.model)) for row in found]
    table = unrelated_table(labelled_results(renamed_rows, outcomes))
    assert table is not None
    names = [name.removesuffix(", %") for name in table.headings()[1:]]
    by_model = sorted(range(1, len(names) - 1), key=lambda at: names[at])
    return {purpose: (cells[0], *(cells[at] for at in by_model), cells[-1]) for purpose, *cells in table.texts()}


def test_unrelated_interpretations_are_told_by_purpose(interpreted: Path) -> None:
    """Clips; people, a and b; any model."""
    found = told(interpreted)
    assert list(found) == list(PURPOSES)
    assert found["Transition"] == ("2", "0.0", "50.0", "50.0", "100.0")
    assert found["Demonstration"] == ("2", "0.0", "0.0", "50.0", "50.0")
    assert all(found[purpose] == ("1", "0.0", "0.0", "0.0", "0.0") for purpose in PURPOSES[2:])


def test_short_names_tell_the_same(interpreted: Path) -> None:
    renamed = told(interpreted, a="openai:a@http://one/v1", b="openai:b@http://one/v1")
    assert renamed == told(interpreted)


def test_people_are_no_model(interpreted: Path) -> None:
    """Of the outcomes only theirs is 0."""
    found = [row for row in rows_in(interpreted, MEANING) if row.model != "baseline:random"]
    people = [one for one in outcomes_in(interpreted, MEANING) if one.model == "baseline:people"]
    worst = [replace(one, verdict=replace(one.verdict, score=0.0)) for one in people if one.verdict is not None]
    table = unrelated_table(labelled_results(found, worst))
    assert table is not None
    assert {row[-1] for row in table.texts()} == {"–"}


def test_the_page_has_both_tables(interpreted: Path, voted: Path) -> None:
    section = section_of(page_of(interpreted), MEANING)
    _, *lines = cells_of(section, "unrelated")
    assert [line[0] for line in lines] == list(PURPOSES)
    assert {line[-1] for line in lines} == {"100.0"}, "what is said at random is unrelated throughout"
    _, *lines = cells_of(section_of(page_of(voted), PURPOSE), "majority")
    assert lines[0][1:] == ["3", "33.3"]
