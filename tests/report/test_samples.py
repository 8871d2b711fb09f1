"""Samples: what is told of an item in the index and written beside a page."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.ledger import open_ledger
from affordance.report.page import sample_index
from affordance.report.page.html_report import html_report, write_report
from affordance.report.page.result_kinds import ResultKind, result_kind
from affordance.report.page.samples import representative_attempts
from affordance.report.results import read_results
from affordance.report.rows import build_rows
from cases import case
from errors import raises
from report_ledgers import FAILED, PENDING, REFUSED, RIGHT, SKIPPED, TASK, WRONG, Plan, fill, still

GOOD = Verdict(AttemptStatus.ANSWERED, "move", 1.0)
BAD = Verdict(AttemptStatus.ANSWERED, "fade", 0.0)
HALF = Verdict(AttemptStatus.ANSWERED, "move", 0.5)
UNSCORED = Verdict(AttemptStatus.ANSWERED, "move")
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def outcome(
    verdict: Verdict | None, *, model: str = "m", item: str = "i", trial: int = 0, **tags: str
) -> AttemptResult:
    name = f"{model}-{item}-{trial}"
    return AttemptResult(name, TASK, model, "zero-shot", trial, f"{item}-{trial}", item, "move", tags, item, verdict)


def index_of(outcomes: Sequence[AttemptResult], models: Sequence[str] = ()) -> dict[str, object]:
    return dict(sample_index.sample_columns(1, "part", models, sample_index.group_by_item(outcomes)).index)


def written(folder: Path, plan: Plan, **options: int | None) -> Path:
    """The page of the ledger that holds this plan, in a folder of its own."""
    folder.mkdir(exist_ok=True)
    page, where = folder / "report.html", folder.parent / f"{plan.name}.db"
    if not where.exists():
        with open_ledger(where) as ledger:
            fill(ledger, plan)
    with open_ledger(where, read_only=True) as ledger:
        runs = [summary.run for summary in ledger.run_summaries()]
        write_report(page, read_results(ledger, runs), build_rows(ledger, runs), **options)  # type: ignore[arg-type]
    return page


CODES: dict[str, tuple[Sequence[Verdict | None], ResultKind, int]] = {
    "right": ([GOOD], ResultKind.RIGHT, 14),
    "wrong": ([BAD], ResultKind.WRONG, 0),
    "partly": ([HALF], ResultKind.PARTLY, 7),
    "no answer": ([REFUSED], ResultKind.NO_ANSWER, 0),
    "nothing to score": ([UNSCORED], ResultKind.UNSCORED, 15),
    "failed": ([FAILED], ResultKind.FAILED, 15),
    "skipped": ([SKIPPED], ResultKind.SKIPPED, 15),
    "pending": ([PENDING], ResultKind.PENDING, 15),
    "both": ([GOOD, BAD], ResultKind.RIGHT | ResultKind.WRONG, 7),
    "almost always right is not always": ([GOOD] * 99 + [BAD], ResultKind.RIGHT | ResultKind.WRONG, 13),
    "almost never right is not never": ([BAD] * 99 + [GOOD], ResultKind.RIGHT | ResultKind.WRONG, 1),
    "a failure has no score": ([GOOD, REFUSED, FAILED], ResultKind.RIGHT | ResultKind.NO_ANSWER | ResultKind.FAILED, 7),
    "not asked": ([], ResultKind(0), 15),
}


def test_two_characters_tell_what_came_of_a_models_attempts() -> None:
    for name, (verdicts, kinds, share) in CODES.items():
        asked = [outcome(verdict, trial=trial) for trial, verdict in enumerate(verdicts)]
        (code,) = index_of([*asked, outcome(GOOD, model="other")], ["m", "other"])["ended"]  # type: ignore[misc]
        number = DIGITS.index(code[0]) << 6 | DIGITS.index(code[1])
        with case(name):
            assert (ResultKind(number >> 4), number & 15) == (kinds, share)


@settings(max_examples=50)
@given(st.lists(st.text()) | st.dictionaries(st.text(), st.text()), st.booleans())
def test_no_text_ends_the_script_that_it_is_in(value: object, ascii_only: bool) -> None:
    text = sample_index.json_for_script(value, ascii_only=ascii_only)
    assert json.loads(text) == value
    assert not set(text) & set("<>&\u2028\u2029\n")
    assert text.isascii() or not ascii_only


def test_breakdowns_are_told_by_value() -> None:
    asked = [
        outcome(GOOD, item="a", effect="move", slot="A"),
        outcome(GOOD, item="a", trial=1, effect="move", slot="B"),
        outcome(GOOD, item="b", effect="fade", slot="A"),
        outcome(GOOD, item="c", slot="A"),
    ]
    index = index_of(asked)
    assert index["tags"] == [["effect", ["fade", "move"]], ["slot", ["A", "B"]]]
    assert index["tagged"] == [[1, 0, []], [[0, 1], 0, 0]]


def test_of_thousands_of_values_the_commonest_can_be_chosen() -> None:
    asked = [outcome(GOOD, item=f"{n:04d}", effect=f"kind {n // 2 if n < 10 else n}") for n in range(1000)]
    ((by, values),) = index_of(asked)["tags"]  # type: ignore[misc]
    assert by == "effect"
    assert len(values) == sample_index.MOST_VALUES
    assert {f"kind {n}" for n in range(5)} <= set(values)


def test_the_index_of_a_published_set_and_twenty_models_is_small() -> None:
    asked = [
        outcome(
            (GOOD, BAD, REFUSED)[(m + n) % 3],
            model=f"openrouter:vendor/some-model-{m}",
            item=f"screenshot-of-a-web-page-1280x800-{n:05d}/element-{n:08x}",
            effect=("move", "fade", "blur", "morph")[n % 4],
            slot="ABCDEFG"[n % 7],
        )
        for n in range(2753)
        for m in range(20)
    ]
    part = sample_index.sample_columns(1, "part", [], sample_index.group_by_item(asked))
    # Here all items have the same truth; where each has its own, it is cut.
    longest = 2753 * (sample_index.LONGEST_TEXT + 3)
    assert len(sample_index.index_json([part], "")) + longest < 620_000


def test_of_each_model_all_that_came_of_its_attempts_is_shown() -> None:
    endings = {"a": [GOOD, GOOD, BAD, GOOD], "b": [BAD, GOOD, BAD, BAD], "c": [GOOD, GOOD, GOOD, GOOD]}
    asked = [outcome(one, model=m, trial=trial) for m, ended in endings.items() for trial, one in enumerate(ended)]
    shown = representative_attempts(asked)
    assert [group[0].trial for group in shown] == [0, 1, 2]
    for model in endings:
        kinds = {result_kind(one.verdict) for one in asked if one.model == model}
        assert {result_kind(one.verdict) for group in shown for one in group if one.model == model} == kinds


def test_what_fits_into_the_page_is_in_it_alone(tmp_path: Path) -> None:
    page = written(tmp_path / "out", Plan({"m": (RIGHT,)}, items=7, files=[still(tmp_path / "a.png")]))
    assert [path.name for path in page.parent.iterdir()] == ["report.html"]
    assert "'self' file:" not in page.read_text(encoding="utf-8")


def test_what_does_not_fit_is_beside_it_and_a_picture_only_once(tmp_path: Path) -> None:
    page = written(tmp_path / "out", Plan({"m": (RIGHT, WRONG)}, items=100, files=[still(tmp_path / "a.png")]))
    text = page.read_text(encoding="utf-8")
    files = sorted(path.name for path in (page.parent / "report-samples").iterdir())
    assert [re.sub(r"[0-9a-f]{12,}", "", name) for name in files] == [
        *(f"items--1-{number}.js" for number in range(10)),
        "picture-.webp",
    ]
    beside = "".join((page.parent / "report-samples" / name).read_text("ascii") for name in files[:-1])
    assert text.count('<details class="item"') + beside.count("Which effect is it, in trial 0?") == 100
    assert beside.count(files[-1]) == 64
    assert "img-src data: 'self' file:;" in text


def test_pictures_can_be_left_out_but_the_texts_are_there(tmp_path: Path) -> None:
    plan = Plan({"m": (RIGHT,)}, items=60, files=[still(tmp_path / "a.png")])
    folder = written(tmp_path / "out", plan, pictured=0).parent / "report-samples"
    assert not list(folder.glob("picture-*"))
    beside = "".join(path.read_text("ascii") for path in folder.iterdir())
    assert beside.count('data-state=\\"left-out\\" data-pictures=\\"1\\"') == beside.count("because of its edges") == 24


def test_the_same_ledger_gives_the_same_files(tmp_path: Path) -> None:
    def content() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}

    plan = Plan({"m": (RIGHT, WRONG)}, items=50, files=[still(tmp_path / "a.png")])
    written(tmp_path / "out", plan)
    before = content()
    written(tmp_path / "out", plan)
    assert content() == before


def test_files_of_an_earlier_report_go_and_those_of_others_stay(tmp_path: Path) -> None:
    page = written(tmp_path / "out", Plan({"m": (RIGHT,)}, name="one", items=60, files=[still(tmp_path / "a.png")]))
    folder = page.parent / "report-samples"
    (folder / "notes.txt").write_text("mine")
    (folder / "items-mine.js").write_text("mine")
    (folder / "picture-0123456789abcdef0123456789abcdef.webp.part").write_text("left by a kill")
    before = {path.name for path in folder.glob("items-*-1-*.js")}
    written(tmp_path / "out", Plan({"m": (RIGHT, WRONG)}, name="two", items=45))
    after = {path.name for path in folder.iterdir()}
    assert not before & after
    assert {name for name in after if not re.match(r"items-[0-9a-f]{12}-1-[0-4]\.js", name)} == {
        "notes.txt",
        "items-mine.js",
    }
    written(tmp_path / "out", Plan({"m": (RIGHT,)}, name="three", items=3))
    assert {path.name for path in folder.iterdir()} == {"notes.txt", "items-mine.js"}


def test_an_empty_folder_goes_too(tmp_path: Path) -> None:
    written(tmp_path / "out", Plan({"m": (RIGHT,)}, name="one", items=60))
    page = written(tmp_path / "out", Plan({"m": (RIGHT,)}, name="two", items=3))
    assert [path.name for path in page.parent.iterdir()] == ["report.html"]


def test_what_cannot_be_written_is_said_and_the_old_page_stays(tmp_path: Path) -> None:
    page = written(tmp_path / "out", Plan({"m": (RIGHT,)}, name="one", items=3))
    before = page.read_bytes()
    (page.parent / "report-samples").write_text("a file")
    with raises(UserError, page.parent / "report-samples"):
        written(tmp_path / "out", Plan({"m": (RIGHT,)}, name="two", items=60))
    assert page.read_bytes() == before
    with open_ledger(tmp_path / "one.db", read_only=True) as ledger, raises(UserError, tmp_path / "nowhere"):
        write_report(tmp_path / "nowhere" / "report.html", read_results(ledger, []), [])


def test_how_far_it_is_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fill(ledger, Plan({"m": (RIGHT,)}, items=60))
    with open_ledger(tmp_path / "ledger.db", read_only=True) as ledger:
        runs = [summary.run for summary in ledger.run_summaries()]
        write_report(
            tmp_path / "r.html",
            read_results(ledger, runs),
            build_rows(ledger, runs),
            watch=lambda done, all_: told.append((done, all_)),
        )
    assert told == sorted(told)
    assert {total for _, total in told} == {told[-1][0]}


def test_a_page_that_is_not_a_file_has_nothing_beside_it(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fill(ledger, Plan({"m": (RIGHT,)}, items=60))
    with open_ledger(tmp_path / "ledger.db", read_only=True) as ledger:
        runs = [summary.run for summary in ledger.run_summaries()]
        found = build_rows(ledger, runs)
        results = read_results(ledger, runs)
        write_report(Path("/dev/null"), results, found)
        assert not Path("/dev/null-samples").exists()
        assert '"folder":""' in html_report(results, found)
