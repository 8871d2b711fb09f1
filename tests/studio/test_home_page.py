"""The overview: what there is to do next, who did what, and adding screens."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from affordance.author.project import create_project, open_project
from affordance.author.study_records import Study
from affordance.author.taking_in import sort_out, take_in
from affordance.studio.overview import Counts, count, pair_sentence, pair_steps, sentence, steps, study_sentence
from affordance.studio.studies.beginning import begin_study
from affordance.studio.studies.made_of_pairs import preference_study
from pair_world import write_pairs
from studio_world import Person, Server, comes, faults, in_order, make_project, person, picture, serving, tree

SENTENCES: dict[str, tuple[Counts, list[str]]] = {
    "nothing": (Counts(0, 0, 0), []),
    "one": (Counts(1, 0, 0), []),
    "one done": (Counts(1, 1, 0), []),
    "none done": (Counts(4, 0, 0), ["4"]),
    "one of them": (Counts(4, 1, 0), ["1", "4"]),
    "all": (Counts(4, 4, 2), ["4"]),
    "both wait": (Counts(120, 31, 0, untold=14, unvalidated=9), ["31", "120", "14", "9"]),
    "a region waits": (Counts(2000, 1200, 0, untold=1), ["1,200", "2,000", "1"]),
    "a text waits": (Counts(2, 2, 0, unvalidated=1), ["2", "1"]),
}


def test_a_sentence_has_the_counts_of_what_there_is_to_do() -> None:
    for case, (counts, expected) in SENTENCES.items():
        assert numbers(sentence(counts)) == expected, case
    assert len({sentence(counts) for counts, _ in SENTENCES.values()}) == len(SENTENCES)


def numbers(text: str) -> list[str]:
    assert text.strip()
    return re.findall(r"\d[\d,]*", text)


def row(name: str, **values: Any) -> dict[str, Any]:
    counted = ("regions", "corrected", "untold", "unvalidated", "validated", "failed", "rejected")
    counted += ("questions", "dropped", "abandoned")
    return {"id": name, "done": False, "aside": "", **dict.fromkeys(counted, 0), **values}


def test_screens_that_were_put_aside_are_counted_nowhere() -> None:
    rows = [row("a", aside="dull", untold=3, done=True), row("b", done=True, regions=4), row("c", unvalidated=2)]
    assert count(rows) == Counts(2, 1, 1, regions=4, unvalidated=2)
    assert [step.href for step in steps(rows, may_validate=True)] == ["/boxes?screen=c", "/validation"]
    assert [step.href for step in steps(rows, may_validate=False)] == ["/boxes?screen=c"]
    assert steps(rows[:2], may_validate=True) == []


def test_pairs_and_studies_are_counted_too() -> None:
    pairs = [{"id": str(number), "rationales": number, "aside": number == 3} for number in range(4)]
    assert numbers(pair_sentence(pairs)) == ["2", "3"]
    assert numbers(pair_sentence(pairs[:1])) == []
    assert pair_sentence([{"id": "torn", "wrong": "cannot be read"}]) == ""
    assert [step.href for step in pair_steps(pairs)] == ["/pairs?pair=0"]
    studies = [Study(name=name, form="survey", per_item=1, closed=name == "c") for name in "abc"]
    assert numbers(study_sentence(studies)) == ["2", "3"]
    assert study_sentence(studies[2:]) != study_sentence(studies[:1])  # closed, and open


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(make_project(tmp_path_factory.mktemp("home") / "shop", screens=3), "--as", "ada") as found:
        edits: list[dict[str, Any]] = [
            {
                "kind": "region",
                "name": "1-2",
                "after": 1,
                "set": {"box": {"space": "pixel", "xyxy": [440, 9, 620, 700]}},
            },
            {
                "kind": "region",
                "name": "1-2",
                "after": 2,
                "set": {"box": {"space": "pixel", "xyxy": [440, 9, 620, 690]}},
            },
            {"kind": "region", "name": "1-4", "after": 1, "set": {"dividable": True}},
            {"kind": "region", "name": "1-3", "after": 1, "set": {"gone": True}},
            {"kind": "reviewed", "name": "", "after": 0, "set": {"done": True}},
        ]
        for number, edit in enumerate(edits):
            sent = {"screen": "screen-1", "key": f"{number:032x}", "edits": [edit]}
            assert found.post("/api/strokes", sent).status == 200
        yield found


@pytest.fixture(scope="module")
def ada(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def page(server: Server, ada: Person, request: pytest.FixtureRequest) -> Iterator[Page]:
    opened = ada.page(request.session.testsfailed)
    opened.set_viewport_size({"width": 1440, "height": 900})
    opened.goto(server.url)
    yield opened
    opened.unroute_all()
    assert ada.wrong == []


def test_it_shows_the_progress_of_the_project_and_leads_on(page: Page, server: Server) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Shop")
    expect(page.locator(".sentence")).to_have_text(in_order(1, 3, 1))
    lines = page.locator(".deeds li")
    expect(lines).to_have_count(2)
    for line in lines.all():
        expect(line.locator(".who")).to_have_text("ada")
        expect(line.locator("a")).to_have_text("screen-1")
    expect(lines.nth(1)).to_have_text(in_order(2))  # regions that she corrected
    worker = page.locator(".workers tbody tr")
    expect(worker).to_have_count(1)
    expect(worker.locator(".name")).to_have_text("ada")
    expect(worker.locator(".number")).to_have_text("5")

    # Stages are counted when they are opened.
    summary, stages = page.locator("#stages summary"), page.locator("#stages tbody tr")
    summary.focus()
    page.keyboard.press("Enter")
    expect(stages).to_have_count(6)
    expect(stages.nth(3).locator("th")).to_contain_text("reannotate")
    expect(stages.nth(3).locator("td").nth(2)).to_have_text("3")  # pending

    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/scripts/home/page.js", hold)
    page.reload(wait_until="commit")
    summary.click()  # before the script is there
    comes(page, lambda: held)
    held[0].continue_()
    expect(stages).to_have_count(6)

    page.set_viewport_size({"width": 360, "height": 450})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".actions a.primary").click()
    expect(page).to_have_url(f"{server.url}/boxes?screen=screen-2")


def test_files_are_added_with_what_became_of_each(page: Page) -> None:
    def file(name: str, kind: str, data: bytes) -> Any:
        return {"name": name, "mimeType": kind, "buffer": data}

    new = picture(tree(7), "New:")
    page.set_input_files(
        "#files",
        [
            file("<b>new one.png", "image/png", new),
            file("drawing.svg", "image/svg+xml", b"<svg/>"),
            file("broken.png", "image/png", b"no picture"),
        ],
    )
    rows, sent = page.locator("#uploads li"), page.locator("#sent")
    expect(rows.nth(0).locator("a")).to_have_text("b-new-one")
    for number, outcome in enumerate(("added", "failed", "failed")):
        expect(rows.nth(number)).to_have_attribute("data-outcome", outcome)
    for number in (1, 2):
        expect(rows.nth(number).locator(".error")).not_to_be_empty()
    expect(page.locator("#sent[data-added='1'][data-failed='2'][data-left='0']")).to_have_text(in_order(1, 2))
    expect(page.locator("#uploads b")).to_have_count(0)
    page.set_input_files("#files", [file("again.png", "image/png", new)])
    expect(rows.nth(3)).to_have_attribute("data-outcome", "known")
    expect(sent).to_have_attribute("data-known", "1")

    data = list(picture(tree(5), "Dropped:"))
    transfer = page.evaluate_handle(
        """(data) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(data)], "dropped.png", { type: "image/png" }));
          return transfer;
        }""",
        data,
    )
    page.dispatch_event("#drop", "dragover", {"dataTransfer": transfer})
    expect(page.locator("#drop")).to_have_class("drop over")
    page.dispatch_event("#drop", "drop", {"dataTransfer": transfer})
    expect(rows.nth(4).locator("a")).to_have_text("dropped")
    expect(page.locator("#drop")).to_have_class("drop")
    expect(rows.nth(0).locator("a")).to_have_attribute("href", "/boxes?screen=b-new-one")


def test_a_project_of_pairs_shows_them_and_their_study(context: BrowserContext, tmp_path: Path) -> None:
    create_project(tmp_path / "designs", name="Designs", licence="CC0-1.0", synthetic=True)
    with open_project(tmp_path / "designs") as project:
        take_in(project, sort_out([str(write_pairs(tmp_path / "pairs"))]))
        begin_study(project, preference_study(project, "either", per_item=2, title="Which one"), "person:ada")
    with serving(tmp_path / "designs") as server:
        page = context.new_page()
        page.goto(server.url)
        expect(page.locator(".sentence")).to_have_text(in_order(3))  # pairs
        ways = [link.get_attribute("href") for link in page.locator("header nav a").all()]
        assert ways == ["/", "/pairs", "/cleaning", "/splitting", "/study", "/studies", "/people"]
        expect(page.get_by_role("row").filter(has_text="Which one")).to_contain_text(re.compile(r"\b0 \D*\d+"))
        expect(page.locator("#drop")).to_have_count(0)


def test_an_empty_project_says_how_to_begin(context: BrowserContext, tmp_path: Path) -> None:
    wrong = faults(context)
    create_project(tmp_path / "empty", name="Empty")
    with serving(tmp_path / "empty") as server:
        page = context.new_page()
        for path, place, command in (
            ("/boxes", "#message[data-kind='no screens']", "affordance author init PROJECT IMAGES..."),
            ("/validation", "#none[data-reason=no-texts]", "affordance author reannotate"),
            ("/questions", "#none", "affordance author ask"),
            ("/", ".lead", f"affordance author init {tmp_path / 'empty'} IMAGES..."),
        ):
            page.goto(f"{server.url}{path}")
            expect(page.locator(f"{place}:visible code")).to_have_text(command)
        expect(page.locator(".sentence")).not_to_be_empty()
        expect(page.locator(".workers")).to_have_count(0)
        page.set_input_files(
            "#files", [{"name": "first.png", "mimeType": "image/png", "buffer": picture(tree(3), "First:")}]
        )
        expect(page.locator("#uploads li a")).to_have_text("first")
        page.reload()
        expect(page.locator(".lead code")).to_contain_text("affordance author divide")
        expect(page.locator(".actions a[href='/boxes?screen=first']")).to_be_visible()
    assert wrong == []
